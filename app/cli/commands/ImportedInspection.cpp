// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/ImportedInspection.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "core/config/catalogue/Configuration.h"
#include "experiments/run/WorkerSession.h"

#include <algorithm>
#include <array>
#include <set>

namespace headroom::cli {
namespace {

constexpr std::array kInspectedSteps{config::StepKind::Inference, config::StepKind::ForwardBackward};
constexpr const char* kInspectedDevice = "sim:h100-80gb";

config::Trial inspectedTrial(const config::ModelDescriptor& model, config::StepKind step)
{
    config::Trial trial;
    trial.configuration = config::defaultConfiguration(model.name, "models");
    trial.configuration.workload.step = step;
    trial.device = config::parseDevice(kInspectedDevice, "models");
    return trial;
}

class Inspector {
public:
    Inspector()
        : m_session(config::workerProgram())
    {
    }

    protocol::RepeatResult ask(protocol::RequestKind kind, const config::Trial& trial)
    {
        const protocol::WorkerRequest request{
            .kind = kind, .id = ++m_lastId, .trial = trial, .spoolPath = {}, .aim = protocol::SimulationAim::Need};
        return m_session.carryOut(request, {}, [](const protocol::WorkerEvent&) { });
    }

private:
    experiments::WorkerSession m_session;
    std::int64_t m_lastId = 0;
};

void requireAnswer(const protocol::RepeatResult& result, const std::string& model)
{
    if (result.outcome != Outcome::Completed)
        throw TrialError(result.reason, model);
}

ImportedInspection inspectedBy(Inspector& inspector, const config::ModelDescriptor& model)
{
    ImportedInspection inspection;
    const auto looked =
        inspector.ask(protocol::RequestKind::Inspect, inspectedTrial(model, config::StepKind::Inference));
    requireAnswer(looked, model.name);
    inspection.opsWithoutMeta = looked.opsWithoutMeta;
    std::set<std::string> withoutCost(looked.opsWithoutRule.begin(), looked.opsWithoutRule.end());
    for (const config::StepKind step : kInspectedSteps) {
        const config::Trial trial = inspectedTrial(model, step);
        if (!config::problemsOf(trial).empty())
            continue;
        const auto simulated = inspector.ask(protocol::RequestKind::Simulate, trial);
        if (simulated.outcome == Outcome::Completed)
            withoutCost.insert(simulated.opsWithoutRule.begin(), simulated.opsWithoutRule.end());
        else if (std::ranges::count(inspection.refusals, simulated.reason) == 0)
            inspection.refusals.push_back(simulated.reason);
    }
    inspection.opsWithoutCost.assign(withoutCost.begin(), withoutCost.end());
    return inspection;
}

} // namespace

ImportedInspection inspectImported(const config::ModelDescriptor& model)
{
    try {
        Inspector inspector;
        return inspectedBy(inspector, model);
    } catch (const Error& error) { // the archive itself can be described all the same
        ImportedInspection inspection;
        inspection.unknown = error.what();
        return inspection;
    }
}

} // namespace headroom::cli
