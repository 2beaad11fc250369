// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/api/LibraryHandle.h"

namespace headroom::rehearsal {

struct LibraryVersion {
    int major = 0;
    int minor = 0;
    int patch = 0;

    /// As one number, with `unit` for the major version: 10000 gives 130100 for 13.1.0, 1000 gives 12004 for 12.0.4.
    int number(int unit) const { return major * unit + minor * 100 + patch; }
};

/// Which version of a library takes part: that of the real one where the process has loaded it, whose functions the
/// substitute hides but whose headers the caller was compiled against; otherwise of the package that PyTorch 2.6 (CUDA
/// 12) or 2.11 (CUDA 13) was built with.
LibraryVersion versionOf(Library library);

/// Answers a libraryPropertyType (0: major, 1: minor, 2: patch level). False if there is no such property.
bool readProperty(Library library, int property, int* value);

/// A function of the real library, which must need no device; null where it is not loaded.
void* realFunction(const char* libraryName, const char* function);

} // namespace headroom::rehearsal
