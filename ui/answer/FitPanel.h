// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/FitFinder.h"
#include "ui/answer/FitModel.h"

#include <QLabel>
#include <QList>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QWidget>

#include <utility>

namespace headroom::ui {

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
