// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/Recording.h"

namespace headroom::recordings {

/// Completes a device of a snapshot that torch.cuda._memory_viz made of a profile (profile_plot): its one segment is
/// the span of all addresses, which nobody reserved, sizes of blocks are those of tensors, and a tensor that is written
/// to is given back and handed out again in the same place, as it has another version: such pairs go, but for what they
/// tell of the tensor's category. `before` has been found by running backward.
void completeProfile(DeviceRecording& device, const trace::OwnerTable& owners);

} // namespace headroom::recordings
