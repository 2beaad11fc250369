// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headroom::rehearsal {

/// The driver's function of that name as it was in that version of CUDA (12080): a name has one function for each
/// version that changed its arguments. Null where there is none. From the table in symbols/.
void* driverEntryPoint(const char* symbol, int version);

/// A row of that table, sorted by name and then by version; written by the build.
struct EntryPoint {
    const char* symbol;
    int sinceVersion;
    void* function;
};
extern const EntryPoint kEntryPoints[];
extern const int kEntryPointCount;

} // namespace headroom::rehearsal
