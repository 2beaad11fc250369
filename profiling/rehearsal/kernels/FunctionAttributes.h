// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/rehearsal/kernels/Kernels.h"

namespace headroom::rehearsal {

/// What a kernel says of itself, by the numbers of CU_FUNC_ATTRIBUTE_… (those of cudaFuncAttribute are the same).
/// Status codes of the runtime.
int functionAttribute(const Kernel* kernel, int attribute, int* value);
int setFunctionAttribute(Kernel* kernel, int attribute, int value);

} // namespace headroom::rehearsal
