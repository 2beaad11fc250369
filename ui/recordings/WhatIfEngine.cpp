// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/WhatIfEngine.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/recordings/SettingSuggestions.h"
#include "experiments/recordings/StoredRecording.h"
#include "profiling/simulator/devices/Fit.h"

#include <algorithm>

namespace headroom::ui {
namespace {

using experiments::WhatIfAnswer;
using experiments::WhatIfQuestion;
using experiments::WhatIfRow;

std::vector<WhatIfCard> cardsOf(const simulator::ProfileCatalogue& catalogue)
{
    std::vector<WhatIfCard> cards;
    for (const simulator::DeviceProfile& card : catalogue.devices())
        if (card.kind != simulator::AllocatorKind::Exact && card.memory)
            cards.push_back({QString::fromStdString(card.name), QString::fromStdString(card.title),
                simulator::capacityOf(card).limitBytes});
    std::ranges::stable_sort(cards, {}, &WhatIfCard::capacityBytes);
    return cards;
}

WhatIfStart readStart(const WhatIfSubject& subject)
{
    WhatIfStart start;
    start.subject = subject;
    start.cards = cardsOf(simulator::ProfileCatalogue(config::resourceDirectory()));
    store::Workspace workspace = experiments::openForReading(subject.workspace);
    const auto rows = workspace.trials(subject.experiment);
    const auto row = std::ranges::find(rows, subject.trialId, &store::TrialRow::trialId);
    if (row == rows.end() || workspace.trace().tracks(subject.repeat).empty()) {
        start.missing = QStringLiteral("The trace of this trial is not in the workspace any more.");
        return start;
    }
    auto recording = std::make_shared<recordings::Recording>(
        experiments::storedRecording(workspace, *row, subject.repeat, config::resourceDirectory()));
    const recordings::DeviceRecording& device = recording->devices.front();
    if (!device.hasSegments)
        start.missing =
            QStringLiteral("This trace has no segments: its allocator has no settings that could be asked about.");
    start.toldCapacity = recordings::capacityTold(device, recording->owners);
    start.recording = std::move(recording);
    return start;
}

WhatIfQuestion questionOf(const WhatIfTerms& terms, std::vector<std::string> allocators)
{
    WhatIfQuestion question;
    question.allocators = std::move(allocators);
    question.capacityBytes = terms.capacityBytes;
    question.emptiesCache = terms.emptiesCache;
    return question;
}

// Errors lose their parts at the border of the thread.
WhatIfAnswer answerTo(
    const recordings::Recording& recording, const WhatIfQuestion& question, const std::stop_token& stop)
{
    try {
        return experiments::askWhatIf(
            recording, question, simulator::ProfileCatalogue(config::resourceDirectory()), stop);
    } catch (const UsageError& error) {
        throw Error(error.problem(), {}, error.valid());
    }
}

} // namespace

WhatIfEngine::WhatIfEngine(QObject* parent)
    : QObject(parent)
    , m_asking(QStringLiteral("what if"))
    , m_trying(QStringLiteral("settings"))
{
}

WhatIfEngine::~WhatIfEngine() = default;

void WhatIfEngine::begin(const WhatIfSubject& subject)
{
    end();
    m_asking.runNewest(
        QStringLiteral("begin"), this, [subject](const std::stop_token&) { return readStart(subject); },
        [this](const WhatIfStart& start) {
            m_recording = start.recording;
            m_toldCapacity = start.toldCapacity;
            Q_EMIT begun(start);
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

void WhatIfEngine::end()
{
    m_recording.reset();
    ++m_trial;
}

void WhatIfEngine::ask(const WhatIfTerms& terms)
{
    if (!m_recording)
        return;
    m_asking.runNewest(
        QStringLiteral("ask"), this,
        [recording = m_recording, terms](const std::stop_token& stop) {
            std::vector<std::string> allocators{experiments::recordedSettings(*recording)};
            if (terms.allocator != allocators.front())
                allocators.push_back(terms.allocator);
            return answerTo(*recording, questionOf(terms, allocators), stop);
        },
        [this, terms, recording = m_recording](const WhatIfAnswer& answer) {
            if (recording == m_recording) // else another trial is asked about by now
                Q_EMIT answered(terms, answer);
        },
        [this, recording = m_recording](const QString& message) {
            if (recording == m_recording)
                Q_EMIT failed(message);
        });
}

void WhatIfEngine::suggest(const WhatIfTerms& terms)
{
    ++m_trial;
    if (!m_recording)
        return;
    std::vector<std::string> left{experiments::recordedSettings(*m_recording)};
    for (const std::string& setting :
        experiments::sensibleSettings((terms.capacityBytes ? terms.capacityBytes : m_toldCapacity).has_value()))
        if (setting != left.front())
            left.push_back(setting);
    std::ranges::reverse(left);
    tryNext(terms, std::move(left), {});
}

void WhatIfEngine::tryNext(
    const WhatIfTerms& terms, std::vector<std::string> left, std::vector<experiments::WhatIfRow> rows)
{
    if (left.empty())
        return Q_EMIT suggested(experiments::bestSetting(rows));
    const std::string setting = left.back();
    left.pop_back();
    m_trying.runNewest(
        QStringLiteral("try"), this,
        [recording = m_recording, terms, setting](
            const std::stop_token& stop) { return answerTo(*recording, questionOf(terms, {setting}), stop); },
        [this, terms, left = std::move(left), rows = std::move(rows), trial = m_trial](
            const WhatIfAnswer& answer) mutable {
            if (trial != m_trial)
                return;
            for (const WhatIfRow& row : answer.rows) {
                rows.push_back(row);
                Q_EMIT tried(row);
            }
            tryNext(terms, std::move(left), std::move(rows));
        },
        [this, trial = m_trial](const QString& message) {
            if (trial == m_trial)
                Q_EMIT failed(message);
        });
}

} // namespace headroom::ui
