// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/split_ffn/SplitFfn.h"

#include "core/recompute/Recomputation.h"
#include "core/techniques/split_ffn/SplitFfnExecution.h"

namespace headroom::techniques {
namespace {

using Axis = config::SplitFfnNotation::Axis;

Accumulate accumulateFrom(const config::TechniqueSetting& setting)
{
    const config::Value& value = setting.options.at("accumulate");
    return !value.isNull() && value.text() == "out_of_place" ? Accumulate::OutOfPlace : Accumulate::InPlace;
}

} // namespace

void SliceCount::begin()
{
    ++(tensor::isRecomputing() ? recomputed : run);
}

SplitFfn::SplitFfn(const config::TechniqueSetting& setting)
    : m_split(config::parseSplitFfn(setting.notation, "techniques.split_ffn"))
    , m_accumulate(accumulateFrom(setting))
    , m_count(std::make_shared<SliceCount>())
{
}

StepHooks SplitFfn::apply(models::Model& model)
{
    if (m_split.axis == Axis::None)
        return {};
    const auto activations = m_split.recompute ? SliceActivations::Recomputed : SliceActivations::Saved;
    for (models::FeedForward* layer : model.feedForwards()) {
        if (m_split.axis == Axis::Channels)
            layer->setExecution(
                std::make_unique<ChannelSplitExecution>(m_split.slices, m_accumulate, activations, m_count));
        else
            layer->setExecution(std::make_unique<TokenSplitExecution>(m_split.slices, m_accumulate, m_count));
        ++m_layersSplit;
    }
    return {.beginStep = [this] { *m_count = {}; }};
}

Counters SplitFfn::counters() const
{
    return {{"layers_split", m_layersSplit}, {"slices_run", m_count->run}, {"slices_recomputed", m_count->recomputed}};
}

bool SplitFfn::countRepeated(const RepeatedBlock& block)
{
    m_count->run += block.counted.at("slices_run");
    m_count->recomputed += block.counted.at("slices_recomputed");
    return true;
}

std::string SplitFfn::effective() const
{
    if (m_layersSplit == 0)
        return "off";
    const char* what = m_split.axis == Axis::Channels ? "inner channels" : "tokens";
    return std::to_string(m_layersSplit) + " feed-forward layers in " + std::to_string(m_split.slices)
        + " slices of the " + what + ", accumulated "
        + (m_accumulate == Accumulate::InPlace ? "in place" : "out of place")
        + (m_split.recompute ? ", recomputed in the backward pass" : "");
}

} // namespace headroom::techniques
