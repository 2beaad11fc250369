// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/ChoiceField.h"
#include "ui/timeline/PeakTreeModel.h"

#include <QAction>
#include <QToolButton>
#include <QTreeView>
#include <QWidget>

namespace headroom::ui {

/// The owners of the memory at the peak, as a tree grouped by module, category, technique or phase.
class PeakTreeView : public QWidget {
    Q_OBJECT

public:
    explicit PeakTreeView(Theme& theme, QWidget* parent = nullptr);

    /// Null clears the view.
    void setTrees(const PeakTreesPtr& trees);
    const PeakTreeModel& model() const { return *m_model; }
    /// "module", "category", ...: the user's choice, kept while it is not on offer.
    QString grouping() const { return m_grouping->wish(); }
    void setGrouping(const QString& grouping) { m_grouping->setWish(grouping); }
    /// Lets the rows of these categories stand out.
    void setPointed(const Categories& categories);

Q_SIGNALS:
    /// What the row holds at which the pointer is, or the keyboard; empty: at no row, or at the peak.
    void pointed(const headroom::ui::Categories& categories);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void linkRows();
    void point(const QModelIndex& index);
    void addActions();
    void regroup();
    /// Expands the rows that hold much, so that large rows are visible at once.
    void openLarge(const QModelIndex& index);
    void copy();

    PeakTreeModel* m_model;
    ChoiceField* m_grouping;
    QToolButton* m_copyButton;
    QTreeView* m_tree;
};

} // namespace headroom::ui
