// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/TrialPredictor.h"
#include "experiments/plan/fill/FillSearch.h"
#include "ui/jobs/JobThread.h"
#include "ui/plan/PlanFinder.h"

#include <chrono>
#include <string>

namespace headroom::ui {

/// The largest value of an axis with which a combination fits, and what it then needs.
struct LargestFit {
    experiments::FilledTrial filled;
    std::string axis; ///< "batch"
    experiments::TrialPrediction prediction{}; ///< with that value, if there is one
};

/// Answers questions about combinations of a plan in the background: why one loses, how far one can be raised. Of each
/// kind the newest question counts.
class PlanInquiry : public QObject {
    Q_OBJECT

public:
    explicit PlanInquiry(QObject* parent = nullptr);
    ~PlanInquiry() override;

    void explain(const FoundPlan& plan, const experiments::PlannedChoice& choice);
    void findLargest(const config::Trial& trial, const std::string& axis);
    /// Ends both; nothing more is heard of them.
    void cancel();

    /// For one prediction; a busy machine takes many times longer than an idle one.
    static constexpr std::chrono::minutes kPatience{5};

Q_SIGNALS:
    void explained(const QString& text);
    /// "batch 12 fits": after each simulation.
    void raised(const QString& text);
    void largestFound(const headroom::ui::LargestFit& fit);
    void failed(const QString& message);

private:
    int m_explanation = 0; ///< counts questions, so that answers to earlier ones are dropped
    int m_largest = 0;
    JobThread m_reasons;
    JobThread m_sizes; ///< the threads last, so that they are destroyed first
};

} // namespace headroom::ui
