// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/FigurePlot.h"

#include "experiments/figures/FigureScale.h"
#include "ui/figures/SheetExport.h"
#include "ui/jobs/JobThread.h"
#include "ui/look/FileDialog.h"
#include "ui/plot/FigureTableModel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMimeData>
#include <QScrollArea>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

/// Holds a canvas that fills it, and scrolls one that needs more height.
class FigureScroll : public QScrollArea {
public:
    explicit FigureScroll(FigureCanvas* canvas, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    FigureCanvas* m_canvas;
};

FigureScroll::FigureScroll(FigureCanvas* canvas, QWidget* parent)
    : QScrollArea(parent)
    , m_canvas(canvas)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setWidget(canvas);
}

QSize FigureScroll::sizeHint() const
{
    return {720, 480};
}

void FigureScroll::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    m_canvas->setRoom({static_cast<double>(viewport()->width()), static_cast<double>(viewport()->height())});
}

constexpr double kKeyStep = 1.5;
constexpr double kPanShare = 0.2; ///< of the plot's width

using figures::AxisName;
using figures::Scale;

Scale scaleOf(bool logarithmic)
{
    return logarithmic ? Scale::Logarithmic : Scale::Linear;
}

std::optional<Scale> scaleIn(const QVariantMap& state, const QString& key)
{
    return state.contains(key) ? std::optional(scaleOf(state.value(key).toBool())) : std::nullopt;
}

} // namespace

FigurePlot::FigurePlot(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_figure(std::make_shared<const figures::Figure>())
    , m_canvas(new FigureCanvas(theme))
    , m_navigator(new PlotNavigator(*m_canvas))
    , m_gestures(new FigureGestures(*m_canvas, *m_navigator))
    , m_model(new FigureTableModel(this))
    , m_table(new QTableView)
    , m_pages(new QStackedWidget)
    , m_showAll(new QToolButton(m_canvas))
    , m_actions(*this)
{
    m_table->setObjectName(QStringLiteral("figureTable"));
    m_table->setModel(m_model);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->verticalHeader()->hide();
    m_pages->addWidget(new FigureScroll(m_canvas));
    m_pages->addWidget(m_table);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_pages);
    setFocusProxy(m_canvas);
    connect(m_gestures, &FigureGestures::hovered, this, &FigurePlot::hovered);
    connect(m_gestures, &FigureGestures::clicked, this, &FigurePlot::clicked);
    connect(m_gestures, &FigureGestures::activated, this, &FigurePlot::activated);
    connect(m_gestures, &FigureGestures::lassoed, this, &FigurePlot::lassoed);
    connect(m_navigator, &PlotNavigator::changed, this, &FigurePlot::updateActions);
    connectActions();
    connectSwitches();
    makeWayBack();
    describe();
    updateActions();
}

FigurePlot::~FigurePlot() = default;

void FigurePlot::connectActions()
{
    const auto on = [this](QAction* action, auto&& act) {
        connect(action, &QAction::triggered, this, std::forward<decltype(act)>(act));
    };
    const auto pan = [this](double direction) {
        m_navigator->pan({direction * kPanShare * m_canvas->scene().layout.plot.width, 0});
        m_canvas->settle();
    };
    on(m_actions.zoomIn, [this] { m_navigator->zoomAtMiddle(kKeyStep); });
    on(m_actions.zoomOut, [this] { m_navigator->zoomAtMiddle(1 / kKeyStep); });
    on(m_actions.fit, [this] { m_navigator->fit(); });
    on(m_actions.back, [this] { m_navigator->back(); });
    on(m_actions.forward, [this] { m_navigator->forward(); });
    on(m_actions.panLeft, [pan] { pan(1); });
    on(m_actions.panRight, [pan] { pan(-1); });
    on(m_actions.copy, [this] { copy(); });
    on(m_actions.save, [this] { askForFile(); });
}

void FigurePlot::connectSwitches()
{
    connect(m_actions.lasso, &QAction::toggled, this,
        [this](bool on) { m_gestures->setDragMode(on ? DragMode::Lasso : DragMode::Zoom); });
    connect(m_actions.table, &QAction::toggled, this, &FigurePlot::showTable);
    connect(m_actions.logX, &QAction::triggered, this, [this](bool on) {
        m_scaleX = scaleOf(on);
        useScales();
    });
    connect(m_actions.logY, &QAction::triggered, this, [this](bool on) {
        m_scaleY = scaleOf(on);
        useScales();
    });
}

void FigurePlot::describe()
{
    m_canLogX = figures::canBeLogarithmic(*m_figure, AxisName::X);
    m_canLogY = figures::canBeLogarithmic(*m_figure, AxisName::Y);
    m_model->setFigure(m_figure);
    if (showsTable())
        m_table->resizeColumnsToContents();
    setAccessibleName(m_figure->title.empty() ? QStringLiteral("Plot") : QString::fromStdString(m_figure->title));
    setAccessibleDescription(QString::fromStdString(m_figure->description));
    m_canvas->setAccessibleName(accessibleName());
    m_canvas->setAccessibleDescription(accessibleDescription());
    m_table->setAccessibleName(QStringLiteral("%1, as a table").arg(accessibleName()));
}

void FigurePlot::setFigure(FigurePtr figure, FigureCanvas::Keep keep)
{
    m_figure = std::move(figure);
    describe();
    useWindow(keep);
    updateActions();
}

void FigurePlot::setFigure(FigurePtr figure, const figures::Window& window)
{
    m_figure = std::move(figure);
    describe();
    m_canvas->setFigure(m_figure, window);
    updateActions();
}

void FigurePlot::setNavigation(Navigation navigation)
{
    m_navigation = navigation;
    for (QAction* action : {m_actions.zoomIn, m_actions.zoomOut, m_actions.fit, m_actions.back, m_actions.forward,
             m_actions.panLeft, m_actions.panRight, m_actions.lasso, m_actions.logX, m_actions.logY})
        action->setVisible(navigation == Navigation::Own);
    updateActions();
}

// The figure with the axes that were chosen for it.
FigurePtr FigurePlot::withScales() const
{
    if (!m_scaleX && !m_scaleY)
        return m_figure;
    figures::Figure changed = *m_figure;
    if (m_scaleX)
        changed = figures::scaled(std::move(changed), AxisName::X, *m_scaleX);
    if (m_scaleY)
        changed = figures::scaled(std::move(changed), AxisName::Y, *m_scaleY);
    return std::make_shared<const figures::Figure>(std::move(changed));
}

void FigurePlot::useWindow(FigureCanvas::Keep keep)
{
    const figures::Figure& before = *m_canvas->scene().whole;
    const FigurePtr after = withScales();
    const bool sameScales = before.x.scale == after->x.scale && before.y.scale == after->y.scale;
    m_canvas->setFigure(after, sameScales ? keep : FigureCanvas::Keep::Nothing);
    if (keep == FigureCanvas::Keep::Nothing || !m_navigator->canFit())
        m_navigator->restart();
}

void FigurePlot::useScales()
{
    setFigure(m_figure, FigureCanvas::Keep::Nothing);
}

void FigurePlot::updateActions()
{
    const PlotScene& scene = m_canvas->scene();
    const bool plotted = !scene.isEmpty() && !showsTable() && m_navigation == Navigation::Own;
    for (QAction* action : {m_actions.zoomIn, m_actions.zoomOut, m_actions.lasso})
        action->setEnabled(plotted);
    for (QAction* action : {m_actions.fit, m_actions.panLeft, m_actions.panRight})
        action->setEnabled(plotted && m_navigator->canFit());
    m_actions.back->setEnabled(plotted && m_navigator->canGoBack());
    m_actions.forward->setEnabled(plotted && m_navigator->canGoForward());
    m_actions.logX->setEnabled(plotted && m_canLogX);
    m_actions.logY->setEnabled(plotted && m_canLogY);
    m_actions.logX->setChecked(scene.x.scale == Scale::Logarithmic);
    m_actions.logY->setChecked(scene.y.scale == Scale::Logarithmic);
    m_actions.copy->setText(showsTable() ? QStringLiteral("&Copy table") : QStringLiteral("&Copy image"));
    placeWayBack();
}

void FigurePlot::makeWayBack()
{
    m_showAll->setObjectName(QStringLiteral("showAllOverlay"));
    m_showAll->setText(QStringLiteral("Show all"));
    m_showAll->setToolTip(m_actions.fit->toolTip());
    m_showAll->setAccessibleName(QStringLiteral("Show the whole plot"));
    m_showAll->setFocusPolicy(Qt::NoFocus); // keys have 0
    m_showAll->setCursor(Qt::ArrowCursor);
    m_showAll->setAutoFillBackground(true);
    m_showAll->hide();
    connect(m_showAll, &QToolButton::clicked, m_actions.fit, &QAction::trigger);
    m_canvas->installEventFilter(this);
}

bool FigurePlot::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        placeWayBack();
    return QWidget::eventFilter(watched, event);
}

void FigurePlot::placeWayBack()
{
    constexpr int kInset = 6;
    const figures::Box& plot = m_canvas->scene().layout.plot;
    m_showAll->adjustSize();
    m_showAll->move(static_cast<int>(plot.right()) - m_showAll->width() - kInset, static_cast<int>(plot.y) + kInset);
    m_showAll->setVisible(m_navigation == Navigation::Own && m_actions.fit->isEnabled());
}

void FigurePlot::showTable(bool on)
{
    m_pages->setCurrentIndex(on ? 1 : 0);
    if (on)
        m_table->resizeColumnsToContents();
    setFocusProxy(on ? static_cast<QWidget*>(m_table) : m_canvas);
    setFocus(Qt::OtherFocusReason);
    updateActions();
}

QImage FigurePlot::picture(double scale) const
{
    const QString caption = pictureCaption(*this);
    return caption.isEmpty() ? pictureOf(*shown(), {.scale = scale})
                             : pictureOf(sheetOf(*shown(), caption), {.scale = scale});
}

// With a caption where the view has one; a table of numbers has none.
QByteArray FigurePlot::fileOfShown(
    const FigurePtr& figure, const QString& caption, FileKind kind, const ExportStyle& style)
{
    return caption.isEmpty() || kind == FileKind::Csv ? fileOf(*figure, kind, style)
                                                      : fileOf(sheetOf(*figure, caption), kind, style);
}

void FigurePlot::copy()
{
    if (showsTable())
        QGuiApplication::clipboard()->setText(QString::fromUtf8(fileOf(*m_figure, FileKind::Csv, {})));
    else
        QGuiApplication::clipboard()->setMimeData(clipboardOf(sheetOf(*shown(), pictureCaption(*this))).release());
}

void FigurePlot::exportTo(const QString& path, const ExportStyle& style)
{
    const auto kind = fileKindOf(path);
    if (!kind) {
        Q_EMIT exportFailed(
            QStringLiteral("\"%1\" has to end with .png, .pdf, .svg or .csv, which says how the plot is saved.")
                .arg(path));
        return;
    }
    if (!m_files)
        m_files = std::make_unique<JobThread>(QStringLiteral("plot files"));
    m_files->run(
        this,
        [path, style, kind = *kind, figure = shown(), caption = pictureCaption(*this)](
            const std::stop_token& stop) { writeFile(path, fileOfShown(figure, caption, kind, style), stop); },
        [this, path] { Q_EMIT exported(path); }, [this](const QString& message) { Q_EMIT exportFailed(message); });
}

void FigurePlot::askForFile()
{
    const std::array<std::pair<QString, double>, 6> kinds{
        {{QStringLiteral("PNG image (*.png)"), 1}, {QStringLiteral("PNG image, twice as fine (*.png)"), 2},
            {QStringLiteral("PNG image, four times as fine (*.png)"), 4}, {QStringLiteral("PDF page (*.pdf)"), 1},
            {QStringLiteral("SVG drawing (*.svg)"), 1}, {QStringLiteral("CSV table (*.csv)"), 1}}};
    auto* dialog = new FileDialog(this, QStringLiteral("Save plot"));
    dialog->setObjectName(QStringLiteral("savePlotDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    QStringList filters;
    for (const auto& [filter, scale] : kinds)
        filters.append(filter);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(FileDialog::nameOf(pictureCaption(*this)));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog, kinds](const QString& path) {
        double chosen = 1;
        for (const auto& [filter, scale] : kinds)
            if (filter == dialog->selectedNameFilter())
                chosen = scale;
        exportTo(path, {.scale = chosen});
    });
    dialog->open();
}

QVariantMap FigurePlot::state() const
{
    QVariantMap state;
    if (m_scaleX)
        state[QStringLiteral("logX")] = *m_scaleX == Scale::Logarithmic;
    if (m_scaleY)
        state[QStringLiteral("logY")] = *m_scaleY == Scale::Logarithmic;
    state[QStringLiteral("table")] = showsTable();
    return state;
}

void FigurePlot::restore(const QVariantMap& state)
{
    m_scaleX = scaleIn(state, QStringLiteral("logX"));
    m_scaleY = scaleIn(state, QStringLiteral("logY"));
    useScales();
    m_actions.table->setChecked(state.value(QStringLiteral("table")).toBool());
}

} // namespace headroom::ui
