// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/results/RoomyStyle.h"
#include "ui/results/TrialsDelegate.h"
#include "ui/results/TrialsFilterModel.h"
#include "ui/session/Selection.h"

#include <QSet>
#include <QTableView>
#include <QVariantMap>

class QMenu;

namespace headroom::ui {

/// The table of trials: sorted by its headers, its columns chosen, moved and sized, its selection that of all views.
class TrialsTable : public QTableView {
    Q_OBJECT

public:
    TrialsTable(Theme& theme, Selection& selection, QWidget* parent = nullptr);

    void setResults(const Results& results);
    void setFilterText(const QString& text);
    const TrialsFilterModel& trials() const { return m_filtered; }

    /// The columns to choose from, checked where they are shown. Filled each time it is about to show.
    QMenu* columnsMenu() const { return m_columnsMenu; }
    void setColumnShown(const QString& key, bool isShown);

    /// What is on the screen as a table of its own: the columns that are shown, and the rows that are selected; all
    /// that the filter lets through where none is. The kind, measured or predicted, is part of it in any case.
    report::ReportTable shownTable() const;

    /// Columns, their order and widths, sorting.
    QVariantMap state() const;
    void restore(const QVariantMap& state);

protected:
    bool viewportEvent(QEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

private:
    void setUpHeader();
    void fillColumnsMenu();
    void layOutColumns();
    void orderColumns();
    /// That shows the longest text.
    int naturalWidth(int column) const;
    QString keyOf(int column) const;
    void showSelection();
    void takeSelection();
    void showHover();
    std::vector<int> rowsToCopy() const;
    std::vector<int> columnsToCopy() const;

    TrialsModel m_trials;
    TrialsFilterModel m_filtered;
    RoomyStyle m_style;
    TrialsDelegate m_delegate;
    Selection& m_selection;
    QMenu* m_columnsMenu;
    bool m_isSyncing = false; ///< the selection changes by the program, not by the user
    bool m_isLayingOut = false;
    QSet<QString> m_hidden; ///< column keys, of columns too that are not here now
    QStringList m_order; ///< column keys
    QHash<QString, int> m_widths; ///< that the user gave, by column key
    QString m_sortKey;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace headroom::ui
