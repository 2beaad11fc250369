// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace headroom {

/// A file in memory that is opened by its path like any other.
class MemoryFile {
public:
    explicit MemoryFile(const char* name)
        : m_descriptor(::memfd_create(name, MFD_CLOEXEC))
    {
        if (m_descriptor < 0)
            std::abort();
    }

    void replace(const void* data, std::size_t size) const
    {
        if (::ftruncate(m_descriptor, 0) != 0 || ::pwrite(m_descriptor, data, size, 0) != static_cast<ssize_t>(size))
            std::abort();
    }

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

} // namespace headroom
