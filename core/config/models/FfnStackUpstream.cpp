// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FfnStackUpstream.h"

namespace headroom::config {

UpstreamFamily ffnStackUpstream()
{
    return {.family = "ffn-stack", .classes = {}, .inputs = {{"hidden_states"}}};
}

} // namespace headroom::config
