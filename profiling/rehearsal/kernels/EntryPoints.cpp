// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/EntryPoints.h"

#include <algorithm>
#include <cstring>

namespace headroom::rehearsal {

void* driverEntryPoint(const char* symbol, int version)
{
    const EntryPoint* end = kEntryPoints + kEntryPointCount;
    const EntryPoint* row = std::lower_bound(kEntryPoints, end, symbol,
        [](const EntryPoint& one, const char* wanted) { return std::strcmp(one.symbol, wanted) < 0; });
    void* newest = nullptr;
    for (; row != end && std::strcmp(row->symbol, symbol) == 0; ++row) {
        if (row->sinceVersion <= version)
            newest = row->function;
    }
    return newest;
}

} // namespace headroom::rehearsal
