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

/// Settings to make, as specs name them, with values in TOML syntax: ("techniques.checkpointing", "\"every:4\"").
using SettingValues = QList<std::pair<QString, QString>>;

/// Searches for the smallest changes that make a trial fit and lists them; one of them can be applied.
class FitPanel : public QWidget {
    Q_OBJECT

public:
    explicit FitPanel(QWidget* parent = nullptr);

    /// Opens and searches for the trial, whose verdict is tight or worse.
    void search(const config::Trial& trial, const experiments::FitVerdict& verdict);
    /// Ends a search and hides.
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
    void showResult(const experiments::FitSearchResult& result);
    void showMessage(const QString& message);
    int heightOfRows() const;
    void addApplyButtons();
    void apply(int row);
    QString summary(const experiments::FitSearchResult& result) const;

    FitFinder m_finder;
    FitModel* m_model;
    QLabel* m_message;
    QProgressBar* m_progress;
    QPushButton* m_end; ///< cancels, then closes
    QTableView* m_table;
    experiments::FitVerdict m_verdict;
};

} // namespace headroom::ui
