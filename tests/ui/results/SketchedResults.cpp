// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/results/SketchedResults.h"

#include "experiments/results/MergedRepeats.h"
#include "experiments/spec/SpecLoader.h"

namespace headroom::ui {
namespace {

report::ReportTrial trialOf(const TrialSketch& sketch)
{
    const std::string toml = "model.name = \"ffn-stack-tiny\"\ntechniques.split_ffn = \"" + sketch.splitFfn
        + "\"\ndevice.name = \"" + sketch.device + "\"\n";
    const auto planned = experiments::expand(experiments::loadSpecText(toml, "sketch.toml", {})).front();
    protocol::RepeatResult result;
    result.outcome = findOutcome(sketch.outcome).value();
    if (sketch.outcome == "completed") {
        result.memory.peak.allocated = static_cast<Bytes>(sketch.peakGib * double(kGiB));
        result.memory.peak.reserved = planned.trial.device.isSimulated() ? result.memory.peak.allocated : std::nullopt;
        if (sketch.stepsPerSecond)
            result.stepSeconds.assign(5, 1 / *sketch.stepsPerSecond);
    } else {
        result.reason = "as it was sketched";
    }
    const auto fits = [](const auto&, const auto&) { return std::optional(true); };
    return {experiments::trialResult("sketch", planned, {result}, fits), planned.trial, 1, 1,
        config::techniqueLabel(planned.trial.configuration)};
}

} // namespace

Results sketchedResults(const std::vector<TrialSketch>& sketches)
{
    report::ReportContent content;
    content.number = 1;
    content.experiment = "sketch";
    for (const TrialSketch& sketch : sketches)
        content.trials.push_back(trialOf(sketch));
    return std::make_shared<const ResultSet>("sketch.db", std::move(content));
}

Results threeSketchedTrials()
{
    return sketchedResults({{.splitFfn = "off", .peakGib = 12, .stepsPerSecond = 2},
        {.splitFfn = "2", .peakGib = 9, .stepsPerSecond = 1.5},
        {.splitFfn = "4", .device = "cpu", .peakGib = 7.5, .stepsPerSecond = 0.5}});
}

} // namespace headroom::ui
