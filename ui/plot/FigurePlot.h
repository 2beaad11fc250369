// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureExport.h"
#include "ui/plot/FigureCanvas.h"
#include "ui/plot/FigureGestures.h"
#include "ui/plot/PlotActions.h"
#include "ui/plot/PlotNavigator.h"

#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

#include <memory>

namespace headroom::ui {

class FigureTableModel;
class JobThread;

/// Any figure on the screen: the picture that reports have, to zoom, walk and select in, and its table in its place.
class FigurePlot : public QWidget {
    Q_OBJECT

public:
    explicit FigurePlot(Theme& theme, QWidget* parent = nullptr);
    ~FigurePlot() override;

    /// Keep::Window: what is zoomed to stays, where the new figure has such a place.
    void setFigure(FigurePtr figure, FigureCanvas::Keep keep = FigureCanvas::Keep::Nothing);
    /// The same through a window, of a figure that holds more than is seen.
    void setFigure(FigurePtr figure, const figures::Window& window);
    /// As it was set.
    const FigurePtr& figure() const { return m_figure; }
    /// The part that is seen, with the axes that were chosen: what files hold.
    FigurePtr shown() const { return m_canvas->scene().shown; }

    /// Outside: who shows several plots as one moves their windows; the plot's own actions for that, and for the scales
    /// of its axes, are taken away.
    enum class Navigation { Own, Outside };
    void setNavigation(Navigation navigation);
    void setZoomAxes(ZoomAxes axes) { m_navigator->setAxes(axes); }
    void setTitleLines(figures::TitleLines title) { m_canvas->setTitleLines(title); }
    void setSelected(const QStringList& trials) { m_canvas->setSelected(trials); }
    void setHovered(const QString& trial) { m_canvas->setHovered(trial); }

    FigureCanvas& canvas() { return *m_canvas; }
    PlotNavigator& navigator() { return *m_navigator; }
    FigureGestures& gestures() { return *m_gestures; }
    const PlotActions& actions() const { return m_actions; }

    /// Writes what is seen in the background; the ending says how: .png, .pdf, .svg, .csv.
    void exportTo(const QString& path, const ExportStyle& style = {});
    QImage picture(double scale) const;

    bool showsTable() const { return m_actions.table->isChecked(); }
    /// Which axes were chosen to be logarithmic.
    QVariantMap state() const;
    void restore(const QVariantMap& state);

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void hovered(const QString& trial); ///< empty: nothing
    void clicked(const QString& trial, Qt::KeyboardModifiers modifiers); ///< empty: beside everything
    void activated(const QString& trial); ///< double click, Shift+Enter
    void lassoed(const QStringList& trials, Qt::KeyboardModifiers modifiers);
    void exported(const QString& path);
    void exportFailed(const QString& message);

private:
    void describe();
    void connectActions();
    void connectSwitches();
    void useScales();
    void useWindow(FigureCanvas::Keep keep);
    FigurePtr withScales() const;
    void updateActions();
    void makeWayBack();
    void placeWayBack();
    void showTable(bool on);
    void copy();
    void askForFile();
    static QByteArray fileOfShown(
        const FigurePtr& figure, const QString& caption, FileKind kind, const ExportStyle& style);

    FigurePtr m_figure;
    bool m_canLogX = false;
    bool m_canLogY = false;
    Navigation m_navigation = Navigation::Own;
    std::optional<figures::Scale> m_scaleX; ///< as chosen; else the figure's own
    std::optional<figures::Scale> m_scaleY;
    FigureCanvas* m_canvas;
    PlotNavigator* m_navigator;
    FigureGestures* m_gestures;
    FigureTableModel* m_model;
    QTableView* m_table;
    QStackedWidget* m_pages;
    QToolButton* m_showAll; ///< over the plot as long as only a part of it is seen
    PlotActions m_actions;
    std::unique_ptr<JobThread> m_files; ///< made when first used
};

} // namespace headroom::ui
