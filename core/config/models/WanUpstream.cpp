// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/WanUpstream.h"

namespace headroom::config {

// Some published files have a norm in them that no forward reads.
UpstreamFamily wanUpstream()
{
    UpstreamClass transformer;
    transformer.name = "WanTransformer3DModel";
    return {.family = "wan",
        .classes = {transformer},
        .inputs = {{"hidden_states"}, {"timestep", InputForm::AsGiven}, {"encoder_hidden_states"}},
        .weights = {.ignored = {R"(attn2\.norm_added_q\.)"}}};
}

} // namespace headroom::config
