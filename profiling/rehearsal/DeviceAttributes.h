// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headroom::rehearsal {

/// An attribute by its number, which is the same in the runtime (cudaDevAttr…) and the driver (CU_DEVICE_ATTRIBUTE_…).
/// It comes from the card's description or is what NVIDIA's documentation says of all cards since capability 7.0. A
/// status of the runtime.
int deviceAttribute(int attribute, int device, int* value);

} // namespace headroom::rehearsal
