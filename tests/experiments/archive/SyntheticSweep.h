// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Installation.h"
#include "experiments/archive/ExperimentArchive.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/support/Checkout.h"

#include <filesystem>
#include <string>

namespace headroom {

/// A spec of simulated trials: pairs with and without split_ffn, one pair for each sequence length.
inline std::string syntheticSpec(std::size_t trials)
{
    std::string lengths;
    for (std::size_t i = 0; i < trials / 2; ++i)
        lengths += (i == 0 ? "" : ", ") + std::to_string(8 + i);
    return "name = \"synthetic\"\nmodel.name = \"ffn-stack-tiny\"\nworkload.sequence_length = [" + lengths
        + "]\ntechniques.split_ffn = [\"off\", \"2\"]\ndevice.name = \"sim:t4\"\n";
}

/// A result as a worker leaves it: the longer the sequence the larger and slower; a trial with slices is smaller.
inline protocol::RepeatResult syntheticResult(const experiments::PlannedTrial& planned)
{
    const auto length = planned.trial.configuration.workload.shapes.at("sequence_length").integer();
    const bool isSplit = planned.trial.configuration.techniques.at("split_ffn").notation != "off";
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.memory.afterLoad.allocated = result.memory.afterLoad.reserved = kMiB;
    result.memory.peak.allocated = (isSplit ? 2 : 3) * length * kMiB;
    result.memory.peak.reserved = *result.memory.peak.allocated + kMiB;
    result.stepSeconds = {static_cast<double>(length) * (isSplit ? 0.0011 : 0.001)};
    result.engagement["split_ffn"] = {{"layers_split", isSplit ? 2 : 0}, {"slices_run", isSplit ? 4 : 0}};
    result.breakdown = protocol::MemoryBreakdown{.totalBytes = *result.memory.peak.allocated,
        .phase = "forward",
        .categories = {{"weights", kMiB}, {"temporaries", *result.memory.peak.allocated - kMiB}}};
    return result;
}

/// Writes a finished experiment of so many trials (an even number) without running any.
inline void writeSyntheticSweep(const std::filesystem::path& workspace, std::size_t trials)
{
    const auto spec = experiments::loadSpecText(syntheticSpec(trials), "synthetic.toml", {});
    const auto planned = experiments::expand(spec);
    experiments::DeviceFit deviceFit(shippedResources());
    experiments::ExperimentArchive archive(workspace);
    archive.begin(spec, planned, experiments::RunMode::New, "headroom run synthetic.toml");
    for (std::size_t i = 0; i < planned.size(); ++i)
        archive.add({.trial = i,
            .repeat = 0,
            .result = syntheticResult(planned[i]),
            .startedAt = {},
            .environmentJson = R"({"host":"nowhere"})",
            .spool = {}});
    experiments::RunSummary summary;
    summary.experiment = spec.name;
    summary.trials = static_cast<std::int64_t>(planned.size());
    summary.outcomes[Outcome::Completed] = summary.trials;
    archive.end(summary, R"({"host":"nowhere"})", deviceFit);
}

} // namespace headroom
