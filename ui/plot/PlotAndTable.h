// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSplitter>

class QAction;

namespace headroom::ui {

/// A plot and below it the table that belongs to it, as high as its rows, as far as the plot keeps its share of the
/// view (PlotShare.h). Where that leaves no room for a table, it is folded, and takes the plot's place when it is asked
/// for.
class PlotAndTable : public QSplitter {
    Q_OBJECT

public:
    /// `view` is what the plot has its share of: the widget that has this one in its layout.
    PlotAndTable(QWidget* plot, QWidget* table, QWidget& view);

    /// Checked while the table is shown; a switch for the view's bar.
    QAction* tableAction() const { return m_tableAction; }
    /// Whether there is a table to show at all. At first there is none.
    void setTableThere(bool isThere);
    /// What all of its rows would take, in px.
    void setTableHeight(int px);
    /// Room for both?
    bool hasRoomForBoth() const { return m_hasRoom; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void look();
    void showParts();
    void shareOut();

    QWidget* m_plot;
    QWidget* m_table;
    QWidget& m_view;
    QAction* m_tableAction;
    int m_tableHeight = 0;
    bool m_isThere = false;
    bool m_hasRoom = true;
    bool m_hasOwnSizes = false; ///< the user has moved the border
};

} // namespace headroom::ui
