// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/PredictionEngine.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/protocol/TrialCodec.h"

#include <algorithm>

namespace headroom::ui {
namespace {

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

// One training step of the family's smallest variant.
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

} // namespace

CardList PredictionEngine::cards()
{
    CardList list;
    for (const simulator::DeviceProfile& device : m_predictor.profiles().devices())
        if (device.memory)
            list.cards.push_back({QString::fromStdString(device.name), QString::fromStdString(device.title),
                device.memory->usableBytes.value, device.memory->contextBytes.value});
    for (const simulator::RuntimeProfile& runtime : m_predictor.profiles().runtimes())
        list.runtimes.push_back({QString::fromStdString(runtime.name), QString::fromStdString(runtime.title)});
    return list;
}

void PredictionEngine::warmUp(std::stop_token stop)
{
    const auto& devices = m_predictor.profiles().devices();
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
    experiments::TrialPrediction predicted = m_predictor.predict(trial, stop);
    const bool isWorthKeeping = predicted.isWhole();
    auto answer = std::make_shared<const Prediction>(Prediction{std::move(predicted.trial), std::move(predicted.result),
        std::move(predicted.need), predicted.verdict, QString::fromStdString(predicted.remark)});
    if (isWorthKeeping)
        remember(id, answer);
    return answer;
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
