// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/Torch.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

namespace headroom::collectors {

/// The arithmetic of an op on tensors of this type. TF32 is off: for products by default, for convolutions
/// since openCudaDevice turns it off.
simulator::MathType mathTypeOf(c10::ScalarType type);

} // namespace headroom::collectors
