// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/Planner.h"
#include "ui/jobs/JobThread.h"

#include <memory>
#include <stop_token>

namespace headroom::ui {

using FoundPlan = std::shared_ptr<const experiments::PlanResult>;

/// Searches in the background for the combination that fits a card and loses the least speed, as `headroom plan` does,
/// with workers of its own for every core.
class PlanFinder : public QObject {
    Q_OBJECT

public:
    explicit PlanFinder(QObject* parent = nullptr);
    ~PlanFinder() override;

    /// Plans for this trial, whose device must be simulated. An earlier search ends and nothing more is heard of it.
    void search(const config::Trial& trial, const experiments::PlanOptions& options);
    /// Ends the search; `finished` is still emitted, with what was found.
    void cancel();
    /// Ends the search, and nothing more is heard of it.
    void forget();
    bool isSearching() const { return m_isSearching; }

Q_SIGNALS:
    /// Emitted after each few simulations.
    void progressed(const headroom::experiments::PlanStatus& status);
    void finished(const headroom::ui::FoundPlan& plan);
    void failed(const QString& message);

private:
    void report(int search, const experiments::PlanStatus& status);

    std::stop_source m_cancel;
    int m_search = 0; ///< counts searches, to recognise what comes of an earlier one
    bool m_isSearching = false;
    JobThread m_jobs; ///< last member, so that it is destroyed first
};

} // namespace headroom::ui
