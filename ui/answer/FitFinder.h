// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PredictedFit.h"
#include "ui/jobs/JobThread.h"

#include <memory>

namespace headroom::ui {

class PredictionEngine;

/// Searches in the background for changes that make a trial fit. It has a worker of its own, so that predictions for
/// later edits do not have to wait.
class FitFinder : public QObject {
    Q_OBJECT

public:
    explicit FitFinder(QObject* parent = nullptr);
    ~FitFinder() override;

    /// Searches for this trial, whose device must be simulated, and replaces an earlier search.
    void search(const config::Trial& trial);
    /// Ends the search; `finished` is still emitted, with what was found.
    void cancel();
    bool isSearching() const { return m_isSearching; }

Q_SIGNALS:
    /// Emitted after each simulation, with what has been found so far.
    void progressed(const headroom::experiments::FitProgress& progress);
    void finished(const headroom::experiments::FitSearchResult& result);
    void failed(const QString& message);

private:
    void report(int search, const experiments::FitProgress& progress);

    std::shared_ptr<PredictionEngine> m_engine; ///< used on the job's thread only
    std::stop_source m_cancel;
    int m_search = 0; ///< counts searches, to recognise results of an earlier one
    bool m_isSearching = false;
    JobThread m_jobs; ///< last member, so that it is destroyed first
};

} // namespace headroom::ui
