// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace headroom::rehearsal::tests {

/// The built library, opened in this process with a card described: as programs find it, by the names of its functions.
class SubstituteLibrary {
public:
    /// The one of this process; opened when first asked for.
    static const SubstituteLibrary& instance();

    /// An exported function; the test fails where there is none.
    template <typename Function> Function* function(const char* name) const
    {
        return reinterpret_cast<Function*>(address(name));
    }

    /// What the ledger has so far.
    std::string ledger() const;

private:
    SubstituteLibrary();
    void* address(const char* name) const;

    void* m_library = nullptr;
    std::string m_ledger;
};

/// Calls an exported function: call<int(void**)>("cublasCreate_v2", &handle).
template <typename Function, typename... Arguments> auto call(const char* name, Arguments... arguments)
{
    return SubstituteLibrary::instance().function<Function>(name)(arguments...);
}

/// Device memory that is given back.
class DeviceBytes {
public:
    explicit DeviceBytes(std::size_t bytes);
    ~DeviceBytes();
    DeviceBytes(const DeviceBytes&) = delete;
    DeviceBytes& operator=(const DeviceBytes&) = delete;

    void* address() const { return m_address; }
    void* at(std::size_t bytes) const { return static_cast<char*>(m_address) + bytes; }

private:
    void* m_address = nullptr;
};

void copyIn(void* device, const void* host, std::size_t bytes);
void copyOut(void* host, const void* device, std::size_t bytes);

} // namespace headroom::rehearsal::tests
