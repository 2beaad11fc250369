// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PredictedFit.h"
#include "ui/jobs/JobThread.h"

#include <memory>

namespace headroom::ui {

class PredictionEngine;

/// Searches in the background for changes that make a trial fit, with a worker of its own, so that answers to what is
/// changed meanwhile are not held up.
class FitFinder : public QObject {
    Q_OBJECT

public:
    explicit FitFinder(QObject* parent = nullptr);
    ~FitFinder() override;

    /// Searches for the trial, whose device is simulated, in the place of what was searched for before.
    void search(const config::Trial& trial);
    /// Ends the search; `finished` still comes, with what was found.
    void cancel();
    bool isSearching() const { return m_isSearching; }

Q_SIGNALS:
    /// After each simulation; what was found so far is in it.
    void progressed(const headroom::experiments::FitProgress& progress);
    void finished(const headroom::experiments::FitSearchResult& result);
    void failed(const QString& message);

private:
    void report(int search, const experiments::FitProgress& progress);

    std::shared_ptr<PredictionEngine> m_engine; ///< touched on the job's thread only
    std::stop_source m_cancel;
    int m_search = 0; ///< counts searches, to know what is of an earlier one
    bool m_isSearching = false;
    JobThread m_jobs; ///< last: ends first
};

} // namespace headroom::ui
