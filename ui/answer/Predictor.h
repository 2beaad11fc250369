// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/TrialPredictor.h"
#include "ui/answer/Card.h"
#include "ui/answer/Prediction.h"
#include "ui/jobs/JobThread.h"

#include <chrono>
#include <functional>
#include <memory>

namespace headroom::ui {

class PredictionEngine;

/// Predicts trials on simulated cards in the background, with a worker of its own. The constructor starts reading the
/// cards.
class Predictor : public QObject {
    Q_OBJECT

public:
    /// `patience`: how long one prediction may take before it is given up.
    explicit Predictor(
        QObject* parent = nullptr, std::chrono::duration<double> patience = experiments::TrialPredictor::kPatience);
    ~Predictor() override;

    /// Starts the worker, so that the first answer is as quick as the others.
    void warmUp();

    /// Empty until `cardsLoaded`.
    const CardList& cards() const { return m_cards; }

    /// Passes the trial's answer to `receive`, or a sentence to `fail`. Calls neither if a newer prediction has been
    /// requested or the receiver is gone. The trial's device must be simulated.
    void predict(
        const config::Trial& trial, QObject* receiver, std::function<void(const Answer&)> receive, FailureHandler fail);

Q_SIGNALS:
    void cardsLoaded();
    void warmedUp();
    /// The cards cannot be read, or there is no worker.
    void failed(const QString& message);

private:
    std::shared_ptr<PredictionEngine> m_engine; ///< used on the job's thread only
    CardList m_cards;
    JobThread m_jobs; ///< last member, so that it is destroyed first
};

} // namespace headroom::ui
