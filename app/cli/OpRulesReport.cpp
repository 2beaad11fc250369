// SPDX-License-Identifier: Apache-2.0
#include "app/cli/OpRulesReport.h"

#include "core/config/Catalogue.h"
#include "core/config/Error.h"
#include "core/config/Installation.h"
#include "experiments/WorkerSession.h"

#include <array>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;

constexpr std::array kSteps{config::StepKind::Inference, config::StepKind::ForwardBackward, config::StepKind::Train};

config::Trial trialOf(const std::string& model, const config::DeviceSpec& device, config::StepKind step)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration(model, "--model");
    trial.configuration.workload.step = step;
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

    std::vector<std::string> withoutRule(const config::Trial& trial)
    {
        const protocol::WorkerRequest request{.kind = protocol::RequestKind::Simulate,
            .id = ++m_lastId,
            .trial = trial,
            .aim = protocol::SimulationAim::Need};
        const protocol::RepeatResult result = m_session.carryOut(request, {}, [](const protocol::WorkerEvent&) { });
        if (result.outcome != protocol::Outcome::Completed)
            throw TrialError(
                result.reason, trial.configuration.model + ", " + toText(trial.configuration.workload.step));
        return result.opsWithoutRule;
    }

private:
    experiments::WorkerSession m_session;
    std::int64_t m_lastId = 0;
};

} // namespace

Report opRulesReport(const std::vector<std::string>& models, const std::string& device)
{
    const config::DeviceSpec simulated = simulatedDevice(device);
    for (const std::string& model : models)
        config::findModel(model, "--model");
    Survey survey;
    Report report;
    Table table({{"model"}, {"step"}, {"ops without a rule"}});
    bool isComplete = true;
    for (const std::string& model : models)
        for (const config::StepKind step : kSteps) {
            const std::vector<std::string> names = survey.withoutRule(trialOf(model, simulated, step));
            table.addRow({model, config::toText(step), names.empty() ? "none" : config::joined(names)});
            report.records.push_back({{"model", model}, {"step", config::toText(step)},
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

} // namespace headroom::cli
