// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/PeakBar.h"
#include "ui/timeline/PeakPartsModel.h"
#include "ui/timeline/PeakTreeView.h"
#include "ui/timeline/TimelineSlot.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QWidget>

namespace headroom::ui {

/// "At the peak": its time, phase and step, and the contents of memory at that time.
class PeakPanel : public QWidget {
    Q_OBJECT

public:
    explicit PeakPanel(Theme& theme, QWidget* parent = nullptr);

    /// Null if no trial is shown.
    void show(const TimelineSlot* slot);
    using QWidget::show;
    QSize sizeHint() const override;
    /// How the tree is grouped.
    QString grouping() const { return m_tree->grouping(); }
    void setGrouping(const QString& grouping) { m_tree->setGrouping(grouping); }
    PeakTreeView& tree() { return *m_tree; }

private:
    void describe(const TimelineSummary& summary);

    QLabel* m_heading;
    QLabel* m_sentence;
    PeakBar* m_bar;
    PeakPartsModel* m_model;
    QTableView* m_table;
    PeakTreeView* m_tree;
    QStackedWidget* m_pages;
    PeakTreesPtr m_trees;
    QLabel* m_note;
};

} // namespace headroom::ui
