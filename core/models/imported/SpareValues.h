// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/imported/Interpreter.h"

#include <mutex>
#include <vector>

namespace headroom::models {

/// Tables of values that no run uses. A block has one of its own, as long as the whole graph has values and nearly
/// empty: without spare ones each block of each step would make one and clear all of it.
class SpareValues {
public:
    /// One without values.
    GraphValues take(std::size_t count);
    /// `values` has none.
    void put(GraphValues values);

private:
    std::mutex m_mutex; ///< backward passes of a GPU run on another thread
    std::vector<GraphValues> m_spare;
};

/// The table of one run of a block. When it goes, so do its values, in their order.
class BlockValues {
public:
    /// `touched`: the values that the block's nodes read or make, ascending; borrowed, as `spare` is.
    BlockValues(SpareValues& spare, const std::vector<ValueId>& touched, std::size_t count);
    ~BlockValues();
    BlockValues(const BlockValues&) = delete;
    BlockValues& operator=(const BlockValues&) = delete;

    GraphValues& all() { return m_values; }
    c10::IValue& at(ValueId value) { return m_values[static_cast<std::size_t>(value)]; }

private:
    SpareValues& m_spare;
    const std::vector<ValueId>& m_touched;
    GraphValues m_values;
};

} // namespace headroom::models
