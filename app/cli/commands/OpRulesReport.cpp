// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/OpRulesReport.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/run/WorkerSession.h"
#include "experiments/spec/ModelFiles.h"

#include <array>
#include <set>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;

// Some ops are of one type alone: clips of float16, casts of mixed types.
constexpr std::array kAskedDtypes{config::Dtype::Float32, config::Dtype::BFloat16, config::Dtype::Float16};
constexpr std::array kAskedSteps{
    config::StepKind::Inference, config::StepKind::ForwardBackward, config::StepKind::Train};

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

} // namespace

Report opRulesReport(const std::vector<std::string>& models, const std::string& device)
{
    const config::DeviceSpec simulated = simulatedDevice(device);
    std::vector<config::ModelDescriptor> descriptors;
    for (const std::string& model : models)
        descriptors.push_back(experiments::namedModel(model, "--model"));
    Survey survey;
    Report report;
    Table table({{"model"}, {"step"}, {"ops without a rule"}});
    bool isComplete = true;
    for (std::size_t i = 0; i < models.size(); ++i)
        for (const config::StepKind step : kAskedSteps) {
            std::set<std::string> found;
            for (const config::Dtype dtype : kAskedDtypes)
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

} // namespace headroom::cli
