// SPDX-License-Identifier: Apache-2.0
#include "tests/experiments/report/ReportFixture.h"

#include "core/config/catalogue/Catalogue.h"
#include "experiments/results/MergedRepeats.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace headroom::report {

void ReportFixture::change(const std::string& sql)
{
    SQLite::Database(workspace().string(), SQLite::OPEN_READWRITE).exec(sql);
}

namespace {

ReportTrial trialOf(const TrialSketch& sketch)
{
    const std::string toml = "model.name = \"ffn-stack-tiny\"\nmodel.activation_fn = \"" + sketch.activation
        + "\"\ntechniques.split_ffn = \"" + sketch.splitFfn + "\"\ndevice.name = \"" + sketch.device
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

} // namespace headroom::report
