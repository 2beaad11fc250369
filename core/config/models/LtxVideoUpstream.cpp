// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/LtxVideoUpstream.h"

#include "core/config/models/LtxVideoFamily.h"

namespace headroom::config {
namespace {

// A width that is the only one that works need not be said.
void leaveOutDerivedWidth(ValueMap& fields, const ValueMap&, const std::string&)
{
    Value& width = fields.at("cross_attention_dim");
    if (width == Value(ltxInnerWidth(fields)))
        width = {};
}

UpstreamClass transformer()
{
    UpstreamClass transformer;
    transformer.name = "LTXVideoTransformer3DModel";
    transformer.defaults = {{"cross_attention_dim", 2048}};
    transformer.settle = leaveOutDerivedWidth;
    return transformer;
}

// Where the tokens lie is told by the video's extents, or for each token.
std::string extentProblem(const ValueMap&, const std::set<std::string>& given)
{
    for (const char* extent : {"num_frames", "height", "width"})
        if (!given.contains(extent) && !given.contains("video_coords"))
            return std::string("has no tensor \"") + extent + "\", nor \"video_coords\" in place of it";
    return {};
}

} // namespace

UpstreamFamily ltxVideoUpstream()
{
    using enum UpstreamInput::Presence;
    return {.family = "ltx-video",
        .classes = {transformer()},
        .inputs = {{"hidden_states"}, {"encoder_hidden_states"}, {"timestep", InputForm::AsGiven},
            {"encoder_attention_mask", InputForm::Activation, Optional},
            {"num_frames", InputForm::HostNumbers, Optional}, {"height", InputForm::HostNumbers, Optional},
            {"width", InputForm::HostNumbers, Optional},
            {"rope_interpolation_scale", InputForm::HostNumbers, Optional, 3},
            {"video_coords", InputForm::AsGiven, Optional}},
        .inputProblem = extentProblem};
}

} // namespace headroom::config
