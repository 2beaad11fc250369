// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/plan/PredictedFit.h"
#include "ui/answer/FitModel.h"
#include "ui/jobs/JobThread.h"

#include <QLabel>
#include <QList>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QWidget>

#include <memory>
#include <utility>

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

/// Settings to change: spec paths with values in TOML syntax, such as ("techniques.checkpointing", "\"every:4\"").
using SettingValues = QList<std::pair<QString, QString>>;

/// Searches for the smallest changes that make a trial fit and lists them; one of them can be applied.
class FitPanel : public QWidget {
    Q_OBJECT

public:
    explicit FitPanel(QWidget* parent = nullptr);

    /// Opens and searches for the trial of the prediction, whose verdict must be tight or worse. Results appear as they
    /// are found and can be applied while the search goes on.
    void search(const Prediction& asked);
    /// Ends a search and hides the panel.
    void dismiss();
    const FitModel& model() const { return *m_model; }
    bool isSearching() const { return m_finder.isSearching(); }

Q_SIGNALS:
    void changeChosen(const headroom::ui::SettingValues& values);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildHeader();
    void buildTable();
    void showProgress(const experiments::FitProgress& progress);
    void showResult(const experiments::FitSearchResult& result);
    void showChanges(const std::vector<experiments::FittingChange>& changes);
    bool isShown(const std::vector<experiments::FittingChange>& changes) const;
    void showMessage(const QString& message);
    int heightOfRows() const;
    void addApplyButtons();
    void apply(int row);

    FitFinder m_finder;
    FitModel* m_model;
    QLabel* m_message;
    QProgressBar* m_progress;
    QPushButton* m_end; ///< cancels, then closes
    QTableView* m_table;
    Prediction m_asked;
};

} // namespace headroom::ui
