// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/HealthChecks.h"
#include "app/cli/commands/WorkerAnswer.h"
#include "app/cli/output/Report.h"
#include "app/cli/output/WorkspaceOption.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedRefusals.h"
#include "experiments/run/WorkerSession.h"
#include "experiments/spec/ModelFiles.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace headroom::cli {

using experiments::OrderedJson;
using protocol::Json;

namespace {

// Some ops occur with one dtype only: clipping with float16, casts with mixed dtypes.
constexpr std::array kAskedDtypes{config::Dtype::Float32, config::Dtype::BFloat16, config::Dtype::Float16};
constexpr std::array kAskedSteps{
    config::StepKind::Inference, config::StepKind::ForwardBackward, config::StepKind::Train};

std::vector<config::Dtype> dtypesOf(const config::ModelDescriptor& model)
{
    if (model.family->hasFixedDtype)
        return {model.publishedDtype};
    return {kAskedDtypes.begin(), kAskedDtypes.end()};
}

config::Trial askedTrial(
    const config::ModelDescriptor& model, const config::DeviceSpec& device, config::StepKind step, config::Dtype dtype)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration(model.name, "--model");
    trial.configuration.modelFields = model.fields.defaults();
    trial.configuration.workload.step = step;
    trial.configuration.workload.dtype = dtype;
    trial.device = device;
    return trial;
}

config::DeviceSpec simulatedDevice(const std::string& notation)
{
    const config::DeviceSpec device = config::parseDevice(notation, "--device");
    if (!device.isSimulated())
        throw UsageError("found \"" + notation + "\"", "--device", "a simulated device, such as sim:h100-80gb");
    return device;
}

class Survey {
public:
    Survey()
        : m_session(config::workerProgram())
    {
    }

    std::set<std::string> withoutRule(const config::Trial& trial)
    {
        const protocol::WorkerRequest request{.kind = protocol::RequestKind::Simulate,
            .id = ++m_lastId,
            .trial = trial,
            .aim = protocol::SimulationAim::Need};
        const protocol::RepeatResult result = m_session.carryOut(request, {}, [](const protocol::WorkerEvent&) { });
        if (result.outcome != Outcome::Completed)
            throw TrialError(
                result.reason, trial.configuration.model + ", " + toText(trial.configuration.workload.step));
        return {result.opsWithoutRule.begin(), result.opsWithoutRule.end()};
    }

private:
    experiments::WorkerSession m_session;
    std::int64_t m_lastId = 0;
};

// Reports the models' ops for which the simulator has no rule: simulates each model with its defaults, in each kind of
// step, on a simulated device without a limit. Starts a worker.
//
// Throws UsageError for an unknown model or a device that is not simulated, FileError if the worker cannot be started,
// TrialError if a simulation fails.
Report opRulesReport(const std::vector<std::string>& models, const std::string& device)
{
    const config::DeviceSpec simulated = simulatedDevice(device);
    std::vector<config::ModelDescriptor> descriptors;
    for (const std::string& model : models) {
        descriptors.push_back(experiments::namedModel(model, "--model"));
        if (const auto archive = config::importedArchiveOf(descriptors.back().name))
            config::requireKnownOperators(*archive);
    }
    Survey survey;
    Report report;
    Table table({{"model"}, {"step"}, {"ops without a rule"}});
    bool isComplete = true;
    for (std::size_t i = 0; i < models.size(); ++i)
        for (const config::StepKind step : kAskedSteps) {
            std::set<std::string> found;
            for (const config::Dtype dtype : dtypesOf(descriptors[i]))
                found.merge(survey.withoutRule(askedTrial(descriptors[i], simulated, step, dtype)));
            const std::vector<std::string> names(found.begin(), found.end());
            table.addRow({models[i], config::toText(step), names.empty() ? "none" : joined(names)});
            report.records.push_back({{"model", models[i]}, {"step", config::toText(step)},
                {"device", simulated.notation()}, {"ops_without_rule", names}});
            isComplete = isComplete && names.empty();
        }
    report.document = {{"models", report.records}, {"complete", isComplete}};
    report.sections.push_back({"", "", table,
        isComplete ? "The simulator has a rule for every op."
                   : "An op without a rule is counted as one pass over its tensors, without temporaries: peaks may be "
                     "too low."});
    return report;
}

OrderedJson orNull(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

struct Collector {
    std::string name;
    std::string tells;
    std::string version;
    std::string reason;
    Health health;
};

Collector collectorFrom(const Json& json)
{
    return {json.value("name", std::string()), json.value("tells", std::string()), json.value("version", std::string()),
        json.value("reason", std::string()), json.value("available", false) ? Health::Good : Health::Absent};
}

// In csv and jsonl, a collector is one more check.
void addCollector(Report& report, Table& table, OrderedJson& list, const Collector& collector)
{
    const std::string found = collector.health == Health::Good ? collector.version : collector.reason;
    table.addRow({collector.name, toText(collector.health), found, collector.tells});
    list.push_back({{"name", collector.name}, {"available", collector.health == Health::Good},
        {"reason", orNull(collector.reason)}, {"version", orNull(collector.version)}, {"tells", collector.tells}});
    report.records.push_back({{"check", "collector " + collector.name}, {"state", toText(collector.health)},
        {"found", found}, {"meaning", collector.tells}});
}

// Adds to the output of `headroom doctor` which collectors can observe memory here, why others cannot, and how much a
// trace can therefore record. Adds nothing if the worker did not answer.
void addCollectors(Report& report, const WorkerAnswer& worker)
{
    report.document["collectors"] = OrderedJson::array();
    report.document["capture"] = nullptr;
    if (!worker.description || !worker.description->details.contains("collectors"))
        return;
    const Json& details = worker.description->details;
    Table table({{"collector"}, {"state"}, {"found"}, {"tells of"}});
    for (const Json& collector : details.at("collectors"))
        addCollector(report, table, report.document["collectors"], collectorFrom(collector));
    const Json capture = details.value("capture", Json::object());
    const std::string meaning = capture.value("meaning", std::string());
    report.document["capture"] = {{"rung", capture.value("name", std::string())}, {"meaning", meaning}};
    report.sections.push_back({"What a trace can see here", "", table, "A trace has " + meaning + "."});
}

struct DoctorArguments {
    GivenWorkspace workspace;
    std::string format = "table";
    std::vector<std::string> models;
    std::string device = "sim:h100-80gb";
};

std::string healthVerdict(int exitCode)
{
    return exitCode == 0 ? "Headroom works here." : "Headroom does not fully work here: see what is broken.";
}

int showHealth(const DoctorArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    if (!arguments.models.empty()) {
        print(opRulesReport(arguments.models, arguments.device), format, std::cout);
        return 0;
    }
    const WorkerAnswer worker = askWorker();
    const std::vector<HealthCheck> checks = examine(worker, workspacePath(arguments.workspace));
    Report report;
    Table table({{"check"}, {"state"}, {"found"}, {"what that means"}});
    for (const HealthCheck& check : checks) {
        report.records.push_back(recordOf(check));
        table.addRow({check.name, toText(check.health), check.found, check.meaning});
    }
    const int code = exitCodeOf(checks);
    report.document = {{"checks", report.records}, {"works", code == 0}};
    report.sections.push_back({"", "", table, healthVerdict(code)});
    addCollectors(report, worker);
    print(report, format, std::cout);
    return code;
}

} // namespace

void addDoctorCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command =
        app.add_subcommand("doctor", "Say what works on this machine, what is missing and what that means");
    const auto arguments = std::make_shared<DoctorArguments>();
    addWorkspaceOptions(*command, arguments->workspace);
    command
        ->add_option("--model", arguments->models,
            "list instead the ops of these models, in every kind of step, that the simulator has no rule for")
        ->type_name("M")
        ->delimiter(',');
    command->add_option("--device", arguments->device, "with --model: the simulated device")
        ->type_name("D")
        ->capture_default_str();
    addFormatOption(*command, arguments->format);
    command->footer(
        "Writes nothing. Exit codes: 0 everything that every run needs is there (a GPU is not needed), 3 the worker\n"
        "does not work, 5 the resources or the workspace cannot be used.");
    command->callback([arguments, &chosen] { chosen = [arguments] { return showHealth(*arguments); }; });
}

} // namespace headroom::cli
