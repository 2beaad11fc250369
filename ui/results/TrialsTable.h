// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/results/ColumnWidths.h"
#include "ui/results/RoomyStyle.h"
#include "ui/results/TrialsDelegate.h"
#include "ui/results/TrialsFilterModel.h"
#include "ui/session/Selection.h"

#include <QSet>
#include <QTableView>
#include <QVariantMap>

#include <functional>

class QMenu;

namespace headroom::ui {

/// The table of trials. It is sorted by its headers, its columns can be chosen, moved and resized, and it shares the
/// selection of all views.
class TrialsTable : public QTableView {
    Q_OBJECT

public:
    TrialsTable(Theme& theme, Selection& selection, QWidget* parent = nullptr);

    void setResults(const Results& results);
    void setFilterText(const QString& text);
    /// Shows only the trials on the front of their case.
    void setOnlyFront(bool isOn);
    const TrialsFilterModel& trials() const { return m_filtered; }

    /// A menu of the columns, checked if they are shown. It is filled each time before it opens.
    QMenu* columnsMenu() const { return m_columnsMenu; }
    void setColumnShown(const QString& key, bool isShown);

    /// The visible part as a table: the shown columns, and the selected rows, or all rows that the filter lets through
    /// if none is selected. The kind, measured or predicted, is always included.
    report::ReportTable shownTable() const;

    /// The columns, their order and widths, and the sorting.
    QVariantMap state() const;
    void restore(const QVariantMap& state);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

private:
    void setUpHeader();
    void fillColumnsMenu();
    void layOutColumns();
    void shareWidth();
    void wrapRows(bool isNeeded);
    void orderColumns();
    bool isColumnShown(int column) const;
    ColumnWish wishOf(int column) const;
    void changeRows(const std::function<void()>& change);
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
    bool m_isSyncing = false; ///< the program, not the user, is changing the selection
    bool m_isLayingOut = false;
    QSet<QString> m_hidden; ///< column keys, including those of columns that are not in the current table
    QSet<QString> m_shownLabels; ///< keys of label columns that the user wants beside the axes
    QStringList m_order; ///< column keys
    QHash<QString, int> m_widths; ///< set by the user, by column key
    QString m_sortKey;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace headroom::ui
