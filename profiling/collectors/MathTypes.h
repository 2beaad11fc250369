// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"
#include "profiling/simulator/DeviceProfile.h"

namespace headroom::collectors {

/// The arithmetic of an op on tensors of this type. TF32 is off unless a program turns it on.
simulator::MathType mathTypeOf(c10::ScalarType type);

/// bfloat16 and float16: kernels sum them in float32.
bool isReduced(c10::ScalarType type);

} // namespace headroom::collectors
