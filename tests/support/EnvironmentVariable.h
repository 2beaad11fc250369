// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <stdlib.h>

namespace headroom {

/// Sets an environment variable of the process during its lifetime, then restores the previous value.
class EnvironmentVariable {
public:
    EnvironmentVariable(const char* name, const std::string& value)
        : m_name(name)
    {
        if (const char* before = ::getenv(name))
            m_before = before;
        set(value);
    }
    ~EnvironmentVariable()
    {
        if (m_before)
            set(*m_before);
        else
            ::unsetenv(m_name.c_str());
    }
    EnvironmentVariable(const EnvironmentVariable&) = delete;
    EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

    /// Sets another value; the destructor still restores the original one.
    void set(const std::string& value) { ::setenv(m_name.c_str(), value.c_str(), 1); }

private:
    std::string m_name;
    std::optional<std::string> m_before;
};

} // namespace headroom
