// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/plan/PlanFinder.h"
#include "ui/plan/PlanInquiry.h"
#include "ui/plan/PlanTableModel.h"

#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QAction;
class QTableView;

namespace headroom::ui {

class ChoicePanel;
class FigurePlot;
class PlanHead;
class PlotAndTable;
class Veil;

/// The plan for one trial: the fastest combination that fits its card, the front of memory against speed, and why any
/// other one loses. Results appear as they are found; the search can be cancelled.
class PlannerView : public QWidget {
    Q_OBJECT

public:
    explicit PlannerView(Theme& theme, QWidget* parent = nullptr);

    /// Plans for this trial, whose device must be simulated, in place of an earlier one.
    void search(const config::Trial& trial);
    /// What a search may cost, from the next one on.
    void setOptions(const experiments::PlanOptions& options) { m_options = options; }
    bool isSearching() const { return m_finder.isSearching(); }
    /// Ends a search; what was found stays.
    void cancel() { m_finder.cancel(); }
    /// Another experiment was begun since: nobody is to take the plan for its own. It is dimmed, and nothing can be
    /// done with it, until it is of the experiment again or the next search begins.
    void setOutdated(bool isOutdated);
    bool isOutdated() const { return m_isOutdated; }
    /// The trial that was asked about; none before the first search.
    const std::optional<config::Trial>& asked() const { return m_asked; }
    /// Null before the end of the search.
    const FoundPlan& plan() const { return m_plan; }

    FigurePlot& plot() { return *m_plot; }
    ChoicePanel& panel() { return *m_panel; }
    const PlanTableModel& model() const { return *m_model; }
    QString sentence() const;
    QAction* searchAction() const { return m_searchAction; }

Q_SIGNALS:
    /// The settings of the combination are to be put into the experiment.
    void formWanted(const headroom::experiments::PlannedChoice& choice);
    void runWanted(const headroom::experiments::PlannedChoice& choice);
    /// The answer and another combination are to be run, and their peaks compared.
    void comparisonWanted(
        const headroom::experiments::PlannedChoice& answer, const headroom::experiments::PlannedChoice& choice);
    void finished();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildTable();
    void buildLayout();
    void connectParts();
    void showIdle();
    void begin(const config::Trial& trial);
    void showProgress(const experiments::PlanStatus& status);
    void showPlan(const FoundPlan& plan);
    void showFailure(const QString& message);
    void endSearch();
    void showRows(std::vector<PlanRow> rows, std::vector<experiments::PlannedChoice> choices);
    void chooseRow(int row);
    void chooseMark(const QString& id);
    void choose(const experiments::PlannedChoice& choice);
    void markChosen();
    void findLargest(const QString& axis);
    void showLargest(const LargestFit& fit);
    void setDetailed(bool isDetailed);
    int heightOfRows() const;
    QWidget* firstOfAnswer() const;

    experiments::PlanOptions m_options{.patience = PlanInquiry::kPatience};
    std::optional<config::Trial> m_asked;
    int m_effort = 1; ///< of the search, in times of the options
    bool m_isHigh = true; ///< high enough for all details
    bool m_isOutdated = false;
    FoundPlan m_plan;
    std::vector<experiments::PlannedChoice> m_choices; ///< those of the plot
    std::optional<experiments::PlannedChoice> m_raised; ///< whose size is being raised
    PlanFinder m_finder;
    PlanInquiry m_inquiry;
    PlanTableModel* m_model;
    PlanHead* m_head;
    QAction* m_searchAction;
    FigurePlot* m_plot;
    QTableView* m_table;
    PlotAndTable* m_both;
    QAction* m_details;
    ChoicePanel* m_panel;
    std::array<Veil*, 2> m_veils;
};

} // namespace headroom::ui
