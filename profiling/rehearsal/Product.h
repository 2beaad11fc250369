// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/Launches.h"

namespace headroom::rehearsal {

/// "bf16", "f32", "e4m3", "c64": how kernels' names say a cudaDataType; "type 99" where it is none.
const char* dataTypeName(int dataType);
/// Of one element, in bits (there are types of 4 and 6); 0 where the number is no type.
int dataTypeBits(int dataType);

/// Launches a product on `stream` under a name made of `operation`, types and shape. A status of the runtime.
int launchProduct(const char* operation, const Product& product, CUstream_st* stream);

} // namespace headroom::rehearsal
