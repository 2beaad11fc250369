// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/JUnitReport.h"

#include "app/cli/run/TrialStandings.h"
#include "core/base/Xml.h"

#include <fmt/format.h>

namespace headroom::cli {

using namespace experiments;

namespace {

std::string attribute(const char* name, const std::string& value)
{
    return std::string(" ") + name + "=\"" + xmlText(value) + "\"";
}

std::string property(const std::string& name, const std::string& value)
{
    return "        <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

// Unknown values are left out: a property cannot express them.
class PropertyList {
public:
    void add(const char* name, const std::string& value) { m_text += value.empty() ? "" : property(name, value); }
    void add(const char* name, bool value) { add(name, std::string(value ? "true" : "false")); }
    // Formats numbers as the record does.
    template <typename T> void add(const char* name, const std::optional<T>& value)
    {
        if (value)
            add(name, OrderedJson(*value).dump());
    }

    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

// What a reader of a failed job looks for first, under the record's keys; the workspace has the rest.
std::string properties(const TrialResult& trial)
{
    const TrialMemory& memory = trial.memory;
    PropertyList list;
    list.add("trial_id", trial.trialId);
    list.add("config_id", trial.configId);
    list.add("device", trial.device);
    list.add("runtime", trial.runtime);
    list.add("predicted", trial.isPredicted);
    list.add("outcome", std::string(toText(trial.outcome)));
    list.add("memory.peak.allocated_bytes", memory.peak.allocated);
    list.add("memory.peak.reserved_bytes", memory.peak.reserved);
    list.add("memory.peak.device_bytes", memory.peak.device);
    list.add("memory.harness_bytes", memory.harnessBytes());
    list.add("memory.limit_bytes", memory.limit);
    list.add("memory.needed_bytes", memory.need.needed);
    list.add("memory.missing_bytes", memory.need.missing);
    list.add("memory.fits", memory.fits);
    list.add("speed.steps_per_second", trial.speed.stepsPerSecond);
    list.add("speed.step_seconds_median", trial.speed.stepSeconds);
    if (const auto& interval = trial.speed.stepSeconds95)
        list.add("speed.ci95", OrderedJson{interval->low, interval->high}.dump());
    if (const auto& numerics = trial.numerics) {
        list.add("numerics.output_rel_l2", numerics->outputRelL2);
        list.add("numerics.loss_abs_diff", numerics->lossAbsDiff);
        list.add("numerics.grad_norm_rel_diff", numerics->gradNormRelDiff);
    }
    if (!trial.flags.empty())
        list.add("flags", OrderedJson(trial.flagNames()).dump());
    return "      <properties>\n" + list.text() + "      </properties>\n";
}

std::string joinedLines(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

// The first line is the message; all lines are the text.
std::string element(const char* name, const std::string& type, const std::vector<std::string>& lines)
{
    return std::string("      <") + name + attribute("type", type)
        + attribute("message", lines.empty() ? type : lines.front()) + ">" + xmlText(joinedLines(lines)) + "</" + name
        + ">\n";
}

std::string junitVerdict(const TrialResult& trial, const TrialStandings& standings)
{
    std::vector<std::string> lines = standings.complaints(trial);
    switch (standings.of(trial)) {
    case Standing::Failed:
        lines.insert(lines.begin(), trial.ending());
        return element("error", toText(trial.outcome), lines);
    case Standing::Exceeded:
        return element("failure", "budget", lines);
    case Standing::Unusable:
        for (const std::string& reason : trial.flagReasons())
            lines.push_back(reason);
        return element("error", "unusable", lines);
    case Standing::Cancelled:
    case Standing::Skipped:
        return "      <skipped" + attribute("message", trial.ending()) + "/>\n";
    case Standing::OutOfMemory:
    case Standing::Good:
        break;
    }
    return {};
}

// What is worth reading although it does not make the test case fail.
std::string output(const TrialResult& trial, const TrialStandings& standings)
{
    std::vector<std::string> lines;
    if (trial.isPredicted)
        lines.push_back("predicted: simulated, not measured");
    if (trial.provenance() == config::Provenance::Rehearsed)
        lines.push_back("rehearsed: on a card that is not there, not measured");
    if (trial.outcome == Outcome::OutOfMemory)
        lines.push_back(trial.ending());
    if (standings.of(trial) == Standing::Good)
        for (const std::string& complaint : standings.complaints(trial))
            lines.push_back(complaint);
    return lines.empty() ? "" : "      <system-out>" + xmlText(joinedLines(lines)) + "</system-out>\n";
}

std::string testCase(const TrialResult& trial, const TrialStandings& standings)
{
    const std::string group = trial.experiment + "/" + trial.model.name + "/" + trial.device;
    return "    <testcase" + attribute("name", trial.label) + attribute("classname", group) + ">\n" + properties(trial)
        + junitVerdict(trial, standings) + output(trial, standings) + "    </testcase>\n";
}

struct Counts {
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
};

Counts countsOf(const FinishedRun& run, const TrialStandings& standings)
{
    Counts counts;
    for (const TrialResult& trial : run.results.trials) {
        const Standing standing = standings.of(trial);
        counts.failures += standing == Standing::Exceeded ? 1 : 0;
        counts.errors += standing == Standing::Failed || standing == Standing::Unusable ? 1 : 0;
        counts.skipped += standing == Standing::Skipped || standing == Standing::Cancelled ? 1 : 0;
    }
    return counts;
}

std::string suiteAttributes(const FinishedRun& run, const TrialStandings& standings)
{
    const Counts counts = countsOf(run, standings);
    return attribute("name", run.results.experiment)
        + fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
            run.results.trials.size(), counts.failures, counts.errors, counts.skipped, run.summary.seconds);
}

std::string suiteProperties(const FinishedRun& run)
{
    const OrderedJson& environment = run.results.environment;
    std::string text = "    <properties>\n";
    text += property("headroom_version", environment.is_object() ? environment.value("headroom_version", "") : "");
    text += property("workspace", run.workspace);
    text += run.task.empty() ? "" : property("task", run.task);
    text += property("shard", run.shard.empty() ? "1/1" : run.shard);
    text += property("interrupted", run.summary.interrupted ? "true" : "false");
    text += property("not_run", std::to_string(run.summary.notRun));
    text += property("exit_code", std::to_string(run.summary.exitCode()));
    return text + "    </properties>\n";
}

} // namespace

std::string junitXml(const FinishedRun& run)
{
    const TrialStandings standings(run.summary);
    const std::string attributes = suiteAttributes(run, standings);
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attributes + ">\n  <testsuite"
        + attributes + ">\n" + suiteProperties(run);
    for (const TrialResult& trial : run.results.trials)
        text += testCase(trial, standings);
    return text + "  </testsuite>\n</testsuites>\n";
}

} // namespace headroom::cli
