// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FluxUpstream.h"

namespace headroom::config {

UpstreamFamily fluxUpstream()
{
    using enum UpstreamInput::Presence;
    UpstreamClass transformer;
    transformer.name = "FluxTransformer2DModel";
    return {.family = "flux",
        .classes = {transformer},
        .inputs = {{"hidden_states"}, {"encoder_hidden_states"}, {"pooled_projections"},
            {"timestep", InputForm::AsGiven}, {"img_ids", InputForm::AsGiven}, {"txt_ids", InputForm::AsGiven},
            {"guidance", InputForm::AsGiven, Optional}}};
}

} // namespace headroom::config
