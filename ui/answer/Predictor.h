// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/Card.h"
#include "ui/answer/Prediction.h"
#include "ui/jobs/JobThread.h"

#include <functional>
#include <memory>

namespace headroom::ui {

class PredictionEngine;

/// Predicts trials on simulated cards in the background, with a worker of its own. Reads the cards when it is made.
class Predictor : public QObject {
    Q_OBJECT

public:
    explicit Predictor(QObject* parent = nullptr);
    ~Predictor() override;

    /// Starts the worker, so that the first answer is as quick as the others.
    void warmUp();

    /// Empty until `cardsLoaded`.
    const CardList& cards() const { return m_cards; }

    /// Hands the trial's answer to `receive`, or `fail` a sentence; neither where a newer prediction was asked for in
    /// the meantime or the receiver is gone. The trial's device has to be a simulated one.
    void predict(
        const config::Trial& trial, QObject* receiver, std::function<void(const Answer&)> receive, FailureHandler fail);

Q_SIGNALS:
    void cardsLoaded();
    void warmedUp();
    /// Cards cannot be read, or there is no worker.
    void failed(const QString& message);

private:
    std::shared_ptr<PredictionEngine> m_engine; ///< touched on the job's thread only
    CardList m_cards;
    JobThread m_jobs; ///< last: ends first
};

} // namespace headroom::ui
