// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/CogVideoXUpstream.h"

namespace headroom::config {

UpstreamFamily cogVideoXUpstream()
{
    using enum UpstreamInput::Presence;
    UpstreamClass transformer;
    transformer.name = "CogVideoXTransformer3DModel";
    return {.family = "cogvideox",
        .classes = {transformer},
        .inputs = {{"hidden_states"}, {"encoder_hidden_states"}, {"timestep", InputForm::AsGiven},
            {"image_rotary_emb", InputForm::AsGiven, Optional, 2}}};
}

} // namespace headroom::config
