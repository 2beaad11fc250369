// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/WanUpstream.h"

namespace headroom::config {

// Files of image-to-video models hold a norm that upstream's class does not have.
UpstreamFamily wanUpstream()
{
    UpstreamClass transformer;
    transformer.name = "WanTransformer3DModel";
    return {.family = "wan",
        .classes = {transformer},
        .inputs = {{"hidden_states"}, {"timestep", InputForm::AsGiven}, {"encoder_hidden_states"}},
        .weights = {.ignored = {"norm_added_q"}}};
}

} // namespace headroom::config
