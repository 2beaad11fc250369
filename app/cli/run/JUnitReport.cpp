// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/JUnitReport.h"

#include "app/cli/run/TrialStandings.h"
#include "core/base/Xml.h"
#include "experiments/results/RecordView.h"

#include <fmt/format.h>

#include <array>

namespace headroom::cli {

using namespace experiments;

namespace {

// What a reader of a failed job looks for first; the workspace has the whole record.
constexpr std::array kProperties{"trial_id", "config_id", "device", "runtime", "predicted", "outcome",
    "memory.peak.allocated_bytes", "memory.peak.reserved_bytes", "memory.peak.device_bytes", "memory.harness_bytes",
    "memory.limit_bytes", "memory.needed_bytes", "memory.missing_bytes", "memory.fits", "speed.steps_per_second",
    "speed.step_seconds_median", "speed.ci95", "numerics.output_rel_l2", "numerics.loss_abs_diff",
    "numerics.grad_norm_rel_diff", "flags"};

std::string attribute(const char* name, const std::string& value)
{
    return std::string(" ") + name + "=\"" + xmlText(value) + "\"";
}

std::string property(const std::string& name, const std::string& value)
{
    return "        <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string shown(const OrderedJson& value)
{
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// What is null is left out: a property has no way to say so.
std::string properties(const RecordView& record)
{
    std::string text = "      <properties>\n";
    for (const char* key : kProperties)
        if (const OrderedJson& value = record.value(key); !value.is_null() && value != OrderedJson::array())
            text += property(key, shown(value));
    return text + "      </properties>\n";
}

std::string joinedLines(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

// The first line is the message, all of them the text.
std::string element(const char* name, const std::string& type, const std::vector<std::string>& lines)
{
    return std::string("      <") + name + attribute("type", type)
        + attribute("message", lines.empty() ? type : lines.front()) + ">" + xmlText(joinedLines(lines)) + "</" + name
        + ">\n";
}

std::string junitVerdict(const OrderedJson& record, const TrialStandings& standings)
{
    const RecordView view(record);
    std::vector<std::string> lines = standings.complaints(record);
    switch (standings.of(record)) {
    case Standing::Failed:
        lines.insert(lines.begin(), view.ending());
        return element("error", view.text("outcome"), lines);
    case Standing::Exceeded:
        return element("failure", "budget", lines);
    case Standing::Unusable:
        for (const OrderedJson& flag : view.value("flag_reasons"))
            lines.push_back(flag.get<std::string>());
        return element("error", "unusable", lines);
    case Standing::Cancelled:
    case Standing::Skipped:
        return "      <skipped" + attribute("message", view.ending()) + "/>\n";
    case Standing::OutOfMemory:
    case Standing::Good:
        break;
    }
    return {};
}

// What is worth reading although it fails nothing.
std::string output(const OrderedJson& record, const TrialStandings& standings)
{
    const RecordView view(record);
    std::vector<std::string> lines;
    if (view.isPredicted())
        lines.push_back("predicted: simulated, not measured");
    if (view.hasOutcome("out_of_memory"))
        lines.push_back(view.ending());
    if (standings.of(record) == Standing::Good)
        for (const std::string& complaint : standings.complaints(record))
            lines.push_back(complaint);
    return lines.empty() ? "" : "      <system-out>" + xmlText(joinedLines(lines)) + "</system-out>\n";
}

std::string testCase(const OrderedJson& record, const TrialStandings& standings)
{
    const RecordView view(record);
    const std::string group = view.text("experiment") + "/" + view.text("model.name") + "/" + view.text("device");
    return "    <testcase" + attribute("name", view.text("label")) + attribute("classname", group) + ">\n"
        + properties(view) + junitVerdict(record, standings) + output(record, standings) + "    </testcase>\n";
}

struct Counts {
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
};

Counts countsOf(const FinishedRun& run, const TrialStandings& standings)
{
    Counts counts;
    for (const OrderedJson& record : run.results.trials) {
        const Standing standing = standings.of(record);
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
    const RecordView environment(run.results.environment);
    std::string text = "    <properties>\n";
    text += property("headroom_version", environment.text("headroom_version"));
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
    for (const OrderedJson& record : run.results.trials)
        text += testCase(record, standings);
    return text + "  </testsuite>\n</testsuites>\n";
}

} // namespace headroom::cli
