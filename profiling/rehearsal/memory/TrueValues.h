// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace headroom::rehearsal {

/// The values of a stretch of device memory that are known: those that came from the host and are small. They lie where
/// the device's address says; all else reads as zeros and takes no memory.
class TrueValues {
public:
    TrueValues(std::uintptr_t begin, std::size_t bytes);

    void write(std::uintptr_t at, const void* source, std::size_t bytes);
    void read(void* destination, std::uintptr_t at, std::size_t bytes) const;
    /// Zeros from now on.
    void forget(std::uintptr_t at, std::size_t bytes);

private:
    void open(std::uintptr_t begin, std::uintptr_t end);

    std::uintptr_t m_begin;
    std::uintptr_t m_end;
    std::map<std::uintptr_t, std::uintptr_t> m_open; ///< begin and end of what was written to, in whole units
};

} // namespace headroom::rehearsal
