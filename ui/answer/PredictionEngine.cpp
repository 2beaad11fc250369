// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/PredictionEngine.h"

#include "core/config/Catalogue.h"
#include "core/config/Installation.h"
#include "core/protocol/TrialCodec.h"

#include <algorithm>

namespace headroom::ui {
namespace {

using protocol::Outcome;
using protocol::RepeatResult;
using protocol::SimulationAim;

/// Many times what the largest trial takes: whoever has not answered by then hangs.
constexpr std::chrono::seconds kTimeout{30};

config::ValueMap overlaid(config::ValueMap values, const config::ValueMap& others)
{
    for (const auto& [name, value] : others)
        values[name] = value;
    return values;
}

std::int64_t parametersOf(const config::ModelFamily& family, const config::ModelVariant& variant)
{
    return family.parameters(overlaid(family.fields.defaults(), variant.fields));
}

// One training step of the family's smallest member.
config::Trial smallTrial(const config::ModelFamily& family)
{
    const auto smallest = std::min_element(family.variants.begin(), family.variants.end(),
        [&](const auto& one, const auto& other) { return parametersOf(family, one) < parametersOf(family, other); });
    config::Trial trial;
    trial.configuration = config::defaultConfiguration(smallest->name, "model.name");
    trial.configuration.workload.step = config::StepKind::Train;
    trial.protocol.warmupSteps = 1;
    return trial;
}

bool isFinal(Outcome outcome)
{
    return outcome == Outcome::Completed || outcome == Outcome::OutOfMemory;
}

} // namespace

const simulator::ProfileCatalogue& PredictionEngine::profiles()
{
    if (!m_profiles)
        m_profiles.emplace(config::resourceDirectory());
    return *m_profiles;
}

CardList PredictionEngine::cards()
{
    CardList list;
    for (const simulator::DeviceProfile& device : profiles().devices())
        if (device.memory)
            list.cards.push_back({QString::fromStdString(device.name), QString::fromStdString(device.title),
                device.memory->usableBytes.value, device.memory->contextBytes.value});
    for (const simulator::RuntimeProfile& runtime : profiles().runtimes())
        list.runtimes.push_back({QString::fromStdString(runtime.name), QString::fromStdString(runtime.title)});
    return list;
}

void PredictionEngine::warmUp(std::stop_token stop)
{
    const auto& devices = profiles().devices();
    const auto card = std::find_if(devices.begin(), devices.end(), [](const auto& device) { return device.memory; });
    for (const config::ModelFamily& family : config::modelFamilies()) {
        if (stop.stop_requested() || card == devices.end())
            return;
        config::Trial trial = smallTrial(family);
        trial.device = config::parseDevice("sim:" + card->name, "device.name");
        predict(trial, stop);
    }
}

Answer PredictionEngine::predict(const config::Trial& trial, std::stop_token stop)
{
    const std::string id = protocol::trialId(trial);
    if (Answer answer = remembered(id))
        return answer;
    const auto& card = profiles().parseSimulatedDevice(trial.device.notation(), "device.name").device.memory;
    Prediction prediction;
    prediction.trial = trial;
    prediction.result = simulateOrReplace(prediction, stop);
    if (prediction.result.outcome == Outcome::OutOfMemory)
        prediction.need = simulate(trial, SimulationAim::Need, stop);
    if (card)
        prediction.verdict = experiments::judgeFit(trial, *card, prediction.result, prediction.need);
    const bool isWhole = isFinal(prediction.result.outcome) && (!prediction.need || isFinal(prediction.need->outcome));
    const bool isWorthKeeping = isWhole && prediction.remark.isEmpty();
    auto answer = std::make_shared<const Prediction>(std::move(prediction));
    if (isWorthKeeping)
        remember(id, answer);
    return answer;
}

// A worker that was killed from outside is no fault of the trial: it gets a second chance.
RepeatResult PredictionEngine::simulateOrReplace(Prediction& prediction, const std::stop_token& stop)
{
    RepeatResult result = simulate(prediction.trial, SimulationAim::Answer, stop);
    if (m_session->isUsable() || stop.stop_requested())
        return result;
    if (result.outcome == Outcome::TimedOut) {
        prediction.remark =
            QStringLiteral("The prediction took too long and was given up; the next one starts afresh.");
        return result;
    }
    prediction.remark = QStringLiteral("The worker that predicts had ended unexpectedly and was started again.");
    return simulate(prediction.trial, SimulationAim::Answer, stop);
}

RepeatResult PredictionEngine::simulate(const config::Trial& trial, SimulationAim aim, const std::stop_token& stop)
{
    requireWorker();
    const protocol::WorkerRequest request{
        .kind = protocol::RequestKind::Simulate, .id = ++m_lastId, .trial = trial, .spoolPath = {}, .aim = aim};
    return m_session->carryOut(request, {.timeout = kTimeout, .cancel = stop}, {});
}

void PredictionEngine::requireWorker()
{
    if (m_session == nullptr || !m_session->isUsable())
        m_session = std::make_unique<experiments::WorkerSession>(config::workerProgram());
}

Answer PredictionEngine::remembered(const std::string& trialId)
{
    const auto found = std::find_if(
        m_answers.begin(), m_answers.end(), [&](const Remembered& entry) { return entry.trialId == trialId; });
    if (found == m_answers.end())
        return nullptr;
    m_answers.splice(m_answers.begin(), m_answers, found);
    return m_answers.front().answer;
}

void PredictionEngine::remember(const std::string& trialId, const Answer& answer)
{
    m_answers.push_front({trialId, answer});
    if (m_answers.size() > kRememberedAnswers)
        m_answers.pop_back();
}

} // namespace headroom::ui
