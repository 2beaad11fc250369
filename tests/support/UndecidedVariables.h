// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/EnvironmentVariable.h"

#include <array>

namespace headroom {

/// While it lives, no variable is set by which a user decides how workers' threads wait or what becomes of their freed
/// memory.
class UndecidedVariables {
public:
    UndecidedVariables()
    {
        for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "MALLOC_TRIM_THRESHOLD_",
                 "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES"})
            ::unsetenv(name);
    }

private:
    // They put back what was there before.
    std::array<EnvironmentVariable, 6> m_restored{
        {{"OMP_WAIT_POLICY", ""}, {"GOMP_SPINCOUNT", ""}, {"MALLOC_TRIM_THRESHOLD_", ""},
            {"MALLOC_MMAP_THRESHOLD_", ""}, {"MALLOC_TOP_PAD_", ""}, {"GLIBC_TUNABLES", ""}}};
};

} // namespace headroom
