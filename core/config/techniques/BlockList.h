// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::config {

/// Blocks `first` to `last`, both included.
struct BlockRange {
    std::int64_t first = 0;
    std::int64_t last = 0;

    bool operator==(const BlockRange&) const = default;
};

/// A set of block numbers, counted from 0: ranges in ascending order, no two of them adjacent.
struct BlockList {
    std::vector<BlockRange> ranges;

    bool contains(std::int64_t block) const;
    /// The largest number; the list must not be empty.
    std::int64_t last() const { return ranges.back().last; }

    bool operator==(const BlockList&) const = default;
};

/// Parses "0-3.7": numbers and ranges separated by dots. Adjacent ranges are joined ("0.1.2" becomes "0-2"). Throws
/// UsageError at `where`, naming the part that is not a number, runs backwards or repeats a block; the message quotes
/// `notation`.
BlockList parseBlockList(const std::string& text, const std::string& notation, const std::string& where);

/// Where a list of numbers was found, and of what.
struct NumberListContext {
    std::string what; ///< "block"
    std::string notation; ///< quoted in messages
    std::string where;
};

/// The same with another separator, of numbers of something else.
BlockList parseNumberList(const std::string& text, char separator, const NumberListContext& context);

/// Throws UsageError at `where` if a list names blocks beyond those that any model has: it is about to be written out.
void requireReasonable(const BlockList& blocks, const std::string& notation, const std::string& where);

/// The canonical form: "0-3.7".
std::string toText(const BlockList& blocks);

} // namespace headroom::config
