// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/run/ExperimentRunner.h"
#include "experiments/spec/SpecLoader.h"
#include "tests/experiments/run/ScriptedEnvironment.h"
#include "tests/support/Checkout.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <functional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Notes what it is told, in order.
class Notes : public RunObserver {
public:
    void runStarted(const std::string& experiment, std::span<const PlannedTrial> trials) override
    {
        lines.push_back("run " + experiment + " " + std::to_string(trials.size()));
    }
    void repeatStarted(const PlannedTrial& trial, int repeat) override
    {
        lines.push_back("repeat " + std::to_string(repeat) + " " + trial.label);
        if (onRepeat)
            onRepeat(trial, repeat);
    }
    void phaseStarted(const PlannedTrial&, const std::string& phase, std::int64_t) override { phases.push_back(phase); }
    void sampleTaken(const PlannedTrial&, std::int64_t, double seconds) override { samples.push_back(seconds); }
    void trialFinished(const PlannedTrial& trial, const TrialResult& result) override
    {
        lines.push_back(toText(result.outcome) + (" " + trial.label));
    }
    void remark(const std::string& text) override { remarks.push_back(text); }
    void workerLog(const PlannedTrial& trial, const std::string& line) override
    {
        log.push_back(trial.label + ": " + line);
    }
    void runPaused() override
    {
        lines.push_back("paused");
        if (onPause)
            onPause();
    }
    void runResumed() override { lines.push_back("resumed"); }
    void runFinished(const RunSummary& summary) override
    {
        lines.push_back("end " + std::to_string(summary.exitCode()));
    }

    std::vector<std::string> lines;
    std::vector<std::string> phases;
    std::vector<double> samples;
    std::vector<std::string> remarks;
    std::vector<std::string> log;
    std::function<void(const PlannedTrial&, int)> onRepeat;
    std::function<void()> onPause;
};

/// Runs specs of ffn-stack-tiny with the scripted worker in a workspace of its own.
class RunFixture : public ScriptedEnvironment {
protected:
    RunFixture()
    {
        options.worker = worker();
        options.resources = shippedResources();
    }

    ResultsDocument run(const std::string& toml)
    {
        const ExperimentSpec spec = loadSpecText("model.name = \"ffn-stack-tiny\"\n" + toml, "spec.toml", {});
        ExperimentRunner runner(options, notes);
        const ResultsDocument document = runner.run(spec, expand(spec), workspace());
        summary = runner.summary();
        return document;
    }

    /// Changes the workspace past the program.
    void edit(const std::string& sql) const
    {
        SQLite::Database(workspace().string(), SQLite::OPEN_READWRITE).exec(sql);
    }

    std::filesystem::path workspace() const { return folder() / "headroom.db"; }

    RunOptions options;
    Notes notes;
    RunSummary summary;
};

/// Three trials, of which the script can single one out by its length.
inline constexpr const char* kThree = "name = \"three\"\nworkload.sequence_length = [8, 16, 32]\n";

} // namespace headroom::experiments
