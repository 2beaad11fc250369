// SPDX-License-Identifier: Apache-2.0
#include "ui/window/PictureDesk.h"

#include "experiments/report/Caption.h"
#include "ui/compare/CompareView.h"
#include "ui/figures/SheetExport.h"
#include "ui/look/FileDialog.h"
#include "ui/plot/TradeoffView.h"
#include "ui/results/DetailsView.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/ViewPicture.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMainWindow>
#include <QMimeData>
#include <QStatusBar>

#include <array>

namespace headroom::ui {
namespace {

constexpr int kPictureMessageMs = 6'000;

struct PictureKind {
    const char* filter;
    double scale;
};

constexpr std::array<PictureKind, 4> kPictureKinds{{{"PNG image, twice as fine (*.png)", 2}, {"PNG image (*.png)", 1},
    {"SVG drawing (*.svg)", 1}, {"PDF page (*.pdf)", 1}}};

} // namespace

PictureDesk::PictureDesk(QMainWindow& window, WindowViews& views, Services& services)
    : QObject(&window)
    , m_window(window)
    , m_views(views)
    , m_services(services)
    , m_files(QStringLiteral("pictures"))
{
    connect(&services.workspaces, &WorkspaceService::resultsChanged, this, &PictureDesk::showCaptions);
    connect(&services.selection, &Selection::changed, this, &PictureDesk::showCaptions);
}

QWidget* PictureDesk::subject() const
{
    QWidget* focused = QApplication::focusWidget();
    for (QDockWidget* dock : m_views.docks()) {
        if (focused == nullptr || !dock->isAncestorOf(focused))
            continue;
        const auto isTable = [](const QWidget* widget) { return qobject_cast<const QAbstractItemView*>(widget); };
        const bool isOfAPlot = focused->objectName() == QLatin1String("figureTable");
        if (isTable(focused) && !isOfAPlot)
            return focused;
        if (!pictureSheet(*dock->widget()).isEmpty())
            return dock->widget();
    }
    for (QWidget* view : std::initializer_list<QWidget*>{m_views.tradeoff, m_views.timeline, m_views.compare})
        if (!view->visibleRegion().isEmpty())
            return view;
    return m_views.tradeoff;
}

// A view of some trials says what these are, the others what the experiment is.
void PictureDesk::showCaptions()
{
    const Results& results = m_services.workspaces.results();
    setPictureCaption(m_window, results ? QString::fromStdString(report::captionOf(results->content())) : QString());
    for (QWidget* view : std::initializer_list<QWidget*>{m_views.timeline, m_views.compare, m_views.details})
        setPictureCaption(*view, captionOfSelected());
}

QString PictureDesk::captionOfSelected() const
{
    const Results& results = m_services.workspaces.results();
    if (!results)
        return {};
    std::vector<const report::ReportTrial*> trials;
    for (const QString& id : m_services.selection.trials())
        if (const report::ReportTrial* trial = results->find(id.toStdString()))
            trials.push_back(trial);
    return QString::fromStdString(report::captionOf(results->content(), trials));
}

void PictureDesk::copy()
{
    const figures::Sheet sheet = pictureSheet(*subject());
    if (!hasSomething(sheet))
        return;
    QGuiApplication::clipboard()->setMimeData(clipboardOf(sheet).release());
    say(QStringLiteral("A picture of the view, with its caption, is on the clipboard."));
}

void PictureDesk::copySvg()
{
    const figures::Sheet sheet = pictureSheet(*subject());
    if (!hasSomething(sheet))
        return;
    const QByteArray svg = fileOf(sheet, FileKind::Svg, {});
    auto data = std::make_unique<QMimeData>();
    data->setText(QString::fromUtf8(svg));
    data->setData(QStringLiteral("image/svg+xml"), svg);
    QGuiApplication::clipboard()->setMimeData(data.release());
    say(QStringLiteral("The view as SVG, with its caption, is on the clipboard."));
}

void PictureDesk::save()
{
    const figures::Sheet sheet = pictureSheet(*subject());
    if (!hasSomething(sheet))
        return;
    auto* dialog = new FileDialog(&m_window, QStringLiteral("Save picture"));
    dialog->setObjectName(QStringLiteral("savePictureDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    QStringList filters;
    for (const PictureKind& kind : kPictureKinds)
        filters.append(QLatin1String(kind.filter));
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog, sheet](const QString& path) {
        double scale = 1;
        for (const PictureKind& kind : kPictureKinds)
            if (dialog->selectedNameFilter() == QLatin1String(kind.filter))
                scale = kind.scale;
        write(path, scale, sheet);
    });
    dialog->open();
}

void PictureDesk::write(const QString& path, double scale, const figures::Sheet& sheet)
{
    const auto kind = fileKindOf(path);
    if (!kind)
        return say(
            QStringLiteral("\"%1\" has to end with .png, .pdf, .svg or .csv, which says how it is saved.").arg(path));
    m_files.run(
        this,
        [path, scale, sheet, kind = *kind](
            const std::stop_token& stop) { writeFile(path, fileOf(sheet, kind, {.scale = scale}), stop); },
        [this, path] { say(QStringLiteral("Written: %1").arg(path)); }, [this](const QString& message) { say(message); });
}

bool PictureDesk::hasSomething(const figures::Sheet& sheet)
{
    if (sheet.isEmpty())
        say(QStringLiteral("There is nothing to make a picture of: choose a plot or a table."));
    return !sheet.isEmpty();
}

void PictureDesk::say(const QString& message)
{
    m_window.statusBar()->showMessage(message, kPictureMessageMs);
}

} // namespace headroom::ui
