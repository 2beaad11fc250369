// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headroom::rehearsal {

/// The runtime's words for a status; the driver has the same numbers for what both can say.
const char* errorText(int status);
/// "cudaErrorMemoryAllocation".
const char* errorName(int status);
/// The driver's name, null where it has none: "CUDA_ERROR_OUT_OF_MEMORY".
const char* driverErrorName(int status);

} // namespace headroom::rehearsal
