// SPDX-License-Identifier: Apache-2.0
#include "experiments/plan/TrialPredictor.h"

#include "core/base/Statistics.h"
#include "core/config/Installation.h"

namespace headroom::experiments {
namespace {

using protocol::SimulationAim;

bool endedByItself(const protocol::RepeatResult& result)
{
    return result.outcome == Outcome::Completed || result.outcome == Outcome::OutOfMemory;
}

} // namespace

std::optional<double> TrialPrediction::stepSeconds() const
{
    return median(need ? need->stepSeconds : result.stepSeconds);
}

bool TrialPrediction::isWhole() const
{
    return endedByItself(result) && (!need || endedByItself(*need)) && remark.empty();
}

const simulator::ProfileCatalogue& TrialPredictor::profiles()
{
    if (!m_profiles)
        m_profiles.emplace(config::resourceDirectory());
    return *m_profiles;
}

TrialPrediction TrialPredictor::predict(const config::Trial& trial, const std::stop_token& stop)
{
    TrialPrediction prediction = predictOnCard(trial, stop);
    if (prediction.result.outcome == Outcome::OutOfMemory) {
        prediction.need = simulate(trial, SimulationAim::Need, stop);
        judge(prediction);
    }
    return prediction;
}

TrialPrediction TrialPredictor::predictOnCard(const config::Trial& trial, const std::stop_token& stop)
{
    profiles().simulatedDevice(trial); // throws for an unknown device before a worker is started
    TrialPrediction prediction;
    prediction.trial = trial;
    prediction.result = simulateOrReplace(prediction, SimulationAim::Answer, stop);
    judge(prediction);
    return prediction;
}

TrialPrediction TrialPredictor::predictUnlimited(const config::Trial& trial, const std::stop_token& stop)
{
    profiles().simulatedDevice(trial); // as above
    TrialPrediction prediction;
    prediction.trial = trial;
    prediction.result = simulateOrReplace(prediction, SimulationAim::Need, stop);
    return prediction;
}

void TrialPredictor::judge(TrialPrediction& prediction)
{
    const config::Trial& trial = prediction.trial;
    if (const auto& card = profiles().parseSimulatedDevice(trial.device.notation(), "device.name").device.memory)
        prediction.verdict = judgeFit(trial, *card, prediction.result, prediction.need);
}

// If the worker was killed from outside, the trial is not to blame and is tried once more.
protocol::RepeatResult TrialPredictor::simulateOrReplace(
    TrialPrediction& prediction, SimulationAim aim, const std::stop_token& stop)
{
    protocol::RepeatResult result = simulate(prediction.trial, aim, stop);
    if (m_session->isUsable() || stop.stop_requested())
        return result;
    if (result.outcome == Outcome::TimedOut) {
        prediction.remark = "The prediction took too long and was given up; the next one starts afresh.";
        return result;
    }
    prediction.remark = "The worker that predicts had ended unexpectedly and was started again.";
    return simulate(prediction.trial, aim, stop);
}

protocol::RepeatResult TrialPredictor::simulate(
    const config::Trial& trial, SimulationAim aim, const std::stop_token& stop, const std::filesystem::path& spool)
{
    requireWorker();
    const protocol::WorkerRequest request{.kind = protocol::RequestKind::Simulate,
        .id = ++m_lastId,
        .trial = trial,
        .spoolPath = spool.string(),
        .aim = aim};
    return m_session->carryOut(request, {.timeout = m_patience, .cancel = stop}, {});
}

void TrialPredictor::requireWorker()
{
    if (m_session == nullptr || !m_session->isUsable())
        m_session = std::make_unique<WorkerSession>(config::workerProgram());
}

} // namespace headroom::experiments
