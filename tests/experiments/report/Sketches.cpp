// SPDX-License-Identifier: Apache-2.0
#include "tests/experiments/report/Sketches.h"

#include "core/config/catalogue/Catalogue.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"

namespace headroom::report {
namespace {

ReportTrial trialOf(const TrialSketch& sketch)
{
    const std::string toml = "model.name = \"ffn-stack-tiny\"\nmodel.activation_fn = \"" + sketch.activation
        + "\"\ntechniques.casting = \"" + sketch.casting + "\"\ntechniques.split_ffn = \"" + sketch.splitFfn
        + "\"\ndevice.name = \"" + sketch.device
        + "\"\nworkload.sequence_length = " + std::to_string(sketch.sequenceLength) + "\n";
    const auto planned = experiments::expand(experiments::loadSpecText(toml, "sketch.toml", {})).front();
    protocol::RepeatResult result;
    result.outcome = findOutcome(sketch.outcome).value();
    if (sketch.outcome == "completed") {
        result.memory.peak.allocated = static_cast<Bytes>(sketch.peakGib * double(kGiB));
        result.memory.peak.reserved = planned.trial.device.isSimulated() ? result.memory.peak.allocated : std::nullopt;
        result.breakdown = sketch.breakdown;
        if (sketch.stepsPerSecond)
            for (const double place : {-1.0, -0.5, 0.0, 0.5, 1.0})
                result.stepSeconds.push_back((1 + place * sketch.scatter) / *sketch.stepsPerSecond);
    } else {
        result.reason = "as it was sketched";
    }
    const auto fits = [](const auto&, const auto&) { return std::optional(true); };
    return {experiments::trialResult("sketch", planned, {result}, fits), planned.trial, 1, 1,
        config::techniqueLabel(planned.trial.configuration)};
}

} // namespace

protocol::MemoryBreakdown sketchedBreakdown()
{
    protocol::MemoryBreakdown breakdown;
    breakdown.phase = "backward";
    const auto add = [&](const std::string& path, const std::string& category, Bytes bytes) {
        breakdown.modules.push_back({path, bytes, {{category, bytes}}});
        breakdown.categories[category] += bytes;
        breakdown.totalBytes += bytes;
    };
    for (int block = 0; block < 8; ++block)
        add("blocks." + std::to_string(block) + ".ff", "saved_activations", 100 * kMiB);
    add("head", "weights", 200 * kMiB);
    add("", "inputs", 24 * kMiB);
    return breakdown;
}

std::vector<ReportTrial> sketched(const std::vector<TrialSketch>& sketches)
{
    std::vector<ReportTrial> trials;
    for (const TrialSketch& sketch : sketches)
        trials.push_back(trialOf(sketch));
    return trials;
}

ReportContent contentOfEverySection()
{
    ReportContent content;
    content.experiment = "everything";
    content.task = "two steps of training";
    content.startedAt = "2026-03-01 12:30 UTC";
    content.trials = sketched({{.peakGib = 4, .stepsPerSecond = 4, .breakdown = sketchedBreakdown()},
        {.splitFfn = "2", .peakGib = 3, .stepsPerSecond = 3, .breakdown = sketchedBreakdown()},
        {.peakGib = 3.5, .stepsPerSecond = 3.5, .breakdown = sketchedBreakdown(), .casting = "e4m3"},
        {.splitFfn = "2", .peakGib = 1, .stepsPerSecond = 2, .breakdown = sketchedBreakdown(), .casting = "e4m3"},
        {.outcome = "failed", .activation = "geglu"}});
    content.trials[1].result.flags = {{"not_steady", "the last steps were slower"}};
    content.trials[1].result.engagement.edit()["split_ffn"]["layers_split"] = 2;
    figures::TimelineInput& timeline = content.timelines.emplace_back();
    timeline.title = "the first";
    timeline.id = content.trials[0].id();
    timeline.series = {{.name = "allocated", .bins = {{0, 0, kGiB}, {5, kGiB, 4 * kGiB}}}};
    timeline.endNs = 10;
    content.remarks.push_back({"info", "", "nothing to worry about", 1});
    content.environment = {{"system", "Linux"}};
    content.compared.push_back({"one beside the other", {"They are alike."}, {}, {}});
    content.replay.toml = "name = \"everything\"\n";
    return content;
}

std::vector<std::string> titlesOfEverySection()
{
    return {"Verdict", "Memory against speed", "Results", "What each technique changes, alone and together",
        "Peak memory", "What the peaks consist of", "Memory over time", "Runs beside each other",
        "What differs between the trials", "What the techniques did", "Trials without results", "Flagged trials",
        "Remarks of the run", "Environment", "Run it again"};
}

} // namespace headroom::report
