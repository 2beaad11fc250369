// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/ResultSet.h"
#include "ui/session/Selection.h"
#include "ui/timeline/PeakPanel.h"
#include "ui/timeline/TimelineReadout.h"
#include "ui/timeline/TimelineStack.h"

#include <QAction>
#include <QComboBox>
#include <QList>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QVariantMap>
#include <QWidget>

namespace headroom::ui {

/// The actions of the timeline view. Their shortcuts work while the view or a child has the focus. The view owns them;
/// menus may show them. Saving and copying apply to the lane that has the focus, or to the first.
struct TimelineActions {
    explicit TimelineActions(QWidget& view);

    QAction* zoomIn = nullptr;
    QAction* zoomOut = nullptr;
    QAction* panLeft = nullptr;
    QAction* panRight = nullptr;
    QAction* fit = nullptr;
    QAction* back = nullptr;
    QAction* forward = nullptr;
    QAction* peak = nullptr;
    QAction* centre = nullptr;
    QAction* previousPhase = nullptr;
    QAction* nextPhase = nullptr;
    QAction* contents = nullptr; ///< checkable: the panel at the side
    QAction* table = nullptr; ///< checkable: all lanes as tables
    QAction* copy = nullptr;
    QAction* save = nullptr;

    /// In the order of a menu, with separators.
    QList<QAction*> all;
};

/// Memory over time of the selected trials: up to three stacked, with one cursor, and the contents of the current
/// trial's peak.
class TimelineView : public QWidget {
    Q_OBJECT

public:
    TimelineView(Theme& theme, Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing. What was read from earlier results is read again.
    void setResults(Results results);

    TimelineStack& stack() { return *m_stack; }
    const TimelineReadout& readout() const { return *m_readout; }
    const TimelineActions& actions() const { return m_actions; }

    /// The layout of the view, without its contents.
    QVariantMap state() const;
    void restore(const QVariantMap& state);

Q_SIGNALS:
    void exported(const QString& path);
    void exportFailed(const QString& message);

private:
    QWidget* makeBar();
    void connectActions();
    void updateSubjects();
    void updateShown();
    void showReadout();
    void placeReadout();
    std::vector<std::string> explainedByPanel() const;
    void updateRepeats();
    void updateAnchors();
    void updateActions();
    std::optional<TimelineSubject> subjectOf(const QString& trial) const;
    FigurePlot* activePlot();
    void zoom(double factor);
    void pan(double share);

    Selection& m_selection;
    Results m_results;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QToolBar* m_bar;
    QComboBox* m_repeats;
    QAction* m_repeatsShown = nullptr;
    QComboBox* m_anchors;
    QAction* m_anchorsShown = nullptr;
    QSplitter* m_splitter;
    TimelineStack* m_stack;
    TimelineReadout* m_readout;
    PeakPanel* m_panel;
    TimelineActions m_actions;
};

} // namespace headroom::ui
