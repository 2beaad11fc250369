// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/SplitFfnDescriptor.h"

#include "core/base/Error.h"
#include "core/config/techniques/ModelWords.h"

#include <array>
#include <string_view>

namespace headroom::config {
namespace {

using Axis = SplitFfnNotation::Axis;

constexpr std::string_view kRecompute = ":recompute";
constexpr const char* kSplitFfnValid =
    "off, N (slices of the inner channels), N:recompute (each slice again in the backward "
    "pass), tokens:N (slices of the tokens), with N at least 1";

std::vector<std::string> channelProblems(std::int64_t slices, const ModelContext& context)
{
    std::vector<std::string> problems;
    for (const std::int64_t width : context.family.feedForwardWidths(context.fields))
        if (width % slices != 0)
            problems.push_back("split_ffn = " + std::to_string(slices)
                + " does not divide the feed-forward's inner width " + std::to_string(width));
    return problems;
}

std::vector<std::string> tokenProblems(std::int64_t slices, const ModelContext& context)
{
    const std::int64_t tokens = context.family.feedForwardTokens(context.workload.shapes);
    if (context.shapes == ShapesAre::Unknown || tokens % slices == 0)
        return {};
    return {"split_ffn = tokens:" + std::to_string(slices) + " does not divide the " + std::to_string(tokens)
        + " tokens of the feed-forward's input"};
}

std::vector<std::string> splitFfnSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    const SplitFfnNotation split = parseSplitFfn(setting.notation, "split_ffn");
    if (split.axis == Axis::None)
        return {};
    if (context.family.feedForwardWidths(context.fields).empty())
        return {"split_ffn: " + calledModel(context.family) + " has no feed-forward layers"};
    return split.axis == Axis::Channels ? channelProblems(split.slices, context) : tokenProblems(split.slices, context);
}

// Slices that are kept for the backward pass save nothing: training steps are only offered recomputed ones.
std::vector<Candidate> splitFfnCandidates(const ModelContext& context)
{
    std::vector<Candidate> working;
    for (const char* count : {"2", "4", "8"}) {
        const std::string notation =
            count + std::string(context.workload.step == StepKind::Inference ? "" : kRecompute);
        if (splitFfnSettingProblems({notation, {}}, context).empty())
            working.push_back({notation});
    }
    return working;
}

// "tokens:" and ":recompute" of notations: what must be equal besides the number of slices.
std::string splitKind(std::string notation)
{
    std::erase_if(notation, [](char c) { return c >= '0' && c <= '9'; });
    return notation;
}

std::optional<std::int64_t> slicesPerLayer(const TechniqueEngagement& engagement)
{
    const std::int64_t layers = engagement.counter("layers_split").value_or(0);
    if (layers == 0)
        return std::nullopt;
    return engagement.counter("slices_run").value_or(0) / layers;
}

bool hasMoreSlices(const TechniqueEngagement& fewer, const TechniqueEngagement& more)
{
    const bool isSameKind = splitKind(fewer.notation) == splitKind(more.notation) && fewer.options == more.options;
    return isSameKind && slicesPerLayer(fewer) > 0 && slicesPerLayer(fewer) < slicesPerLayer(more);
}

// In training without recomputation every slice is saved, so that there is no temporary to shrink.
MonotoneOrder splitFfnOrder()
{
    return {.level = slicesPerLayer,
        .isClearlyMore = hasMoreSlices,
        .step = StepKind::Inference,
        .more = "more slices of the feed-forward",
        .unit = "slices"};
}

// Slices of channels, each recomputed in training; in inference slices of tokens too. Few slices may hold as much as
// one piece, where their results are summed.
TechniqueRange splitFfnRange(const ModelContext& context)
{
    constexpr std::array kSlices{2, 4, 8, 16};
    const bool isTraining = context.workload.step != StepKind::Inference;
    TechniqueRange range{.settings = {{"off"}}};
    for (const bool tokens : {false, true}) {
        if (tokens && isTraining)
            continue;
        for (std::size_t i = 0; i < kSlices.size(); ++i) {
            const std::string kind = tokens ? "tokens:" : isTraining ? "recompute" : "channels";
            const std::size_t place = range.settings.size();
            range.settings.push_back(
                {toText(SplitFfnNotation{tokens ? Axis::Tokens : Axis::Channels, kSlices[i], isTraining}), {}, 1, kind,
                    static_cast<double>(i) / 3});
            range.lessTime.emplace_back(0, place);
            if (kSlices[i] >= 4)
                range.lessMemory.emplace_back(place, 0);
            for (std::size_t fewer = place - i; fewer < place; ++fewer) {
                range.lessMemory.emplace_back(place, fewer);
                range.lessTime.emplace_back(fewer, place);
            }
        }
    }
    return range;
}

} // namespace

SplitFfnNotation parseSplitFfn(const std::string& notation, const std::string& where)
{
    if (notation == "off")
        return {};
    const bool tokens = notation.starts_with("tokens:");
    const bool recompute = !tokens && notation.ends_with(kRecompute);
    const std::size_t length = notation.size() - (recompute ? kRecompute.size() : 0);
    const auto slices = parseCount(tokens ? notation.substr(7) : notation.substr(0, length));
    if (!slices)
        throw UsageError("found \"" + notation + "\"", where, kSplitFfnValid);
    return {tokens ? Axis::Tokens : Axis::Channels, *slices, recompute};
}

std::string toText(const SplitFfnNotation& split)
{
    if (split.axis == Axis::None)
        return "off";
    return (split.axis == Axis::Tokens ? "tokens:" : "") + std::to_string(split.slices)
        + std::string(split.recompute ? kRecompute : "");
}

TechniqueDescriptor splitFfnDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = "split_ffn";
    descriptor.title = "Split feed-forward";
    descriptor.summary =
        "Runs each feed-forward in slices, so that its inner activation never exists in full. Saves peak memory where "
        "that peak lies in the feed-forward; in training the slices are saved all the same, unless they are "
        "recomputed.";
    descriptor.forms = {{"off", "each feed-forward in one piece"},
        {"N", "N slices of the inner channels; value and gate rows stay paired, weights are views of the originals"},
        {"N:recompute",
            "as N, but what a slice saves for training is not kept: each is computed again in the backward pass"},
        {"tokens:N", "N slices of the tokens (batch and sequence flattened); the same numbers as in one piece"}};
    descriptor.off = "off";
    descriptor.firstNotation = "2";
    descriptor.options = FieldSet({{.name = "accumulate",
        .type = FieldType::Choice,
        .defaultValue = "in_place",
        .help = "in_place: each slice's result goes straight into the output; out_of_place: by way of a temporary that "
                "lives on "
                "while the next slice runs, as in the published benchmark",
        .choices = {"in_place", "out_of_place"}}});
    // One slice of the hidden layer exists at a time; with recomputation no slice is kept.
    descriptor.relieves = {MemoryCategory::SavedActivations, MemoryCategory::Temporaries};
    descriptor.keepsWeights = true;
    descriptor.orders = {splitFfnOrder()};
    descriptor.counters = {{"layers_split", "feed-forward layers that were replaced"},
        {"slices_run", "slices computed in one step"},
        {"slices_recomputed", "slices computed again in one step's backward pass"}};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        return toText(parseSplitFfn(notation, where));
    };
    descriptor.problems = splitFfnSettingProblems;
    descriptor.candidates = splitFfnCandidates;
    descriptor.range = splitFfnRange;
    return descriptor;
}

} // namespace headroom::config
