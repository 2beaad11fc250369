// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace headroom::collectors::cupti {

/// How large a CUPTI library's activity records are, by kind (CUpti_ActivityKind).
///
/// Between versions records only grow at their end, and the library decides which version it writes: a record may be
/// read as a struct only if the library's record is at least as large.
class RecordSizes {
public:
    explicit RecordSizes(std::map<std::uint32_t, std::size_t> bytes)
        : m_bytes(std::move(bytes))
    {
    }

    /// The sizes of the linked library, found by letting it step over records; no driver is needed.
    static RecordSizes ofLibrary();

    /// 0 for a kind that the library cannot step over.
    std::size_t of(std::uint32_t kind) const;

private:
    std::map<std::uint32_t, std::size_t> m_bytes;
};

} // namespace headroom::collectors::cupti
