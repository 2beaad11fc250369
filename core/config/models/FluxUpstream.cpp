// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FluxUpstream.h"

namespace headroom::config {
namespace {

// As many channels as the input has need not be said.
void leaveOutEqualChannels(ValueMap& fields, const ValueMap&, const std::string&)
{
    if (fields.at("out_channels") == fields.at("in_channels"))
        fields.at("out_channels") = {};
}

} // namespace

UpstreamFamily fluxUpstream()
{
    using enum UpstreamInput::Presence;
    UpstreamClass transformer;
    transformer.name = "FluxTransformer2DModel";
    transformer.settle = leaveOutEqualChannels;
    return {.family = "flux",
        .classes = {transformer},
        .inputs = {{"hidden_states"}, {"encoder_hidden_states"}, {"pooled_projections"},
            {"timestep", InputForm::AsGiven}, {"img_ids", InputForm::AsGiven}, {"txt_ids", InputForm::AsGiven},
            {"guidance", InputForm::AsGiven, Optional}}};
}

} // namespace headroom::config
