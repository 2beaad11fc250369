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

std::string guidanceProblem(const ValueMap& fields, const std::set<std::string>& given)
{
    const bool isEmbedded = fields.at("guidance_embeds").boolean();
    if (isEmbedded == given.contains("guidance"))
        return {};
    return isEmbedded ? "has no tensor \"guidance\", which the model embeds"
                      : "has a tensor \"guidance\", and the model embeds none (guidance_embeds is false)";
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
            {"guidance", InputForm::AsGiven, Optional}},
        .inputProblem = guidanceProblem};
}

} // namespace headroom::config
