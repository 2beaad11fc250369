// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/Predictor.h"

#include "ui/answer/PredictionEngine.h"

namespace headroom::ui {

Predictor::Predictor(QObject* parent, std::chrono::duration<double> patience)
    : QObject(parent)
    , m_engine(std::make_shared<PredictionEngine>(patience))
    , m_jobs(QStringLiteral("prediction"))
{
    m_jobs.setCleanup([engine = m_engine] { engine->end(); });
    m_jobs.run(
        this, [engine = m_engine](std::stop_token) { return engine->cards(); },
        [this](CardList cards) {
            m_cards = std::move(cards);
            Q_EMIT cardsLoaded();
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

Predictor::~Predictor() = default;

void Predictor::warmUp()
{
    m_jobs.run(
        this, [engine = m_engine](std::stop_token stop) { engine->warmUp(std::move(stop)); },
        [this] { Q_EMIT warmedUp(); }, [this](const QString& message) { Q_EMIT failed(message); });
}

void Predictor::predict(
    const config::Trial& trial, QObject* receiver, std::function<void(const Answer&)> receive, FailureHandler fail)
{
    m_jobs.runNewest(
        QStringLiteral("predict"), receiver,
        [engine = m_engine, trial](std::stop_token stop) { return engine->predict(trial, std::move(stop)); },
        std::move(receive), std::move(fail));
}

} // namespace headroom::ui
