// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/PictureDesk.h"

#include "experiments/report/formats/Caption.h"
#include "ui/figures/SheetExport.h"
#include "ui/look/FileDialog.h"
#include "ui/pictures/ViewPicture.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMainWindow>
#include <QMimeData>
#include <QStatusBar>

#include <array>
#include <memory>

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

PictureDesk::PictureDesk(
    QMainWindow& window, Selection& selection, std::function<QWidget*()> viewInFront, const QList<QWidget*>& ofSelected)
    : QObject(&window)
    , m_window(window)
    , m_selection(selection)
    , m_viewInFront(std::move(viewInFront))
    , m_ofSelected(ofSelected)
    , m_files(QStringLiteral("pictures"))
{
    connect(&selection, &Selection::changed, this, &PictureDesk::showCaptions);
}

void PictureDesk::setResults(const Results& results)
{
    m_results = results;
    showCaptions();
}

QWidget* PictureDesk::subject() const
{
    QWidget* focused = QApplication::focusWidget();
    const bool isOfAPlot = focused != nullptr && focused->objectName() == QLatin1String("figureTable");
    if (qobject_cast<QAbstractItemView*>(focused) != nullptr && !isOfAPlot && !pictureSheet(*focused).isEmpty())
        return focused;
    for (QWidget* at = focused; at != nullptr; at = at->parentWidget())
        if (const auto* dock = qobject_cast<QDockWidget*>(at);
            dock != nullptr && !pictureSheet(*dock->widget()).isEmpty())
            return dock->widget();
    return m_viewInFront();
}

// A view of some trials says what these are, the others what the experiment is.
void PictureDesk::showCaptions()
{
    setPictureCaption(
        m_window, m_results ? QString::fromStdString(report::captionOf(m_results->content())) : QString());
    for (QWidget* view : m_ofSelected)
        setPictureCaption(*view, captionOfSelected());
}

QString PictureDesk::captionOfSelected() const
{
    if (!m_results)
        return {};
    std::vector<const report::ReportTrial*> trials;
    for (const QString& id : m_selection.trials())
        if (const report::ReportTrial* trial = m_results->find(id.toStdString()))
            trials.push_back(trial);
    return QString::fromStdString(report::captionOf(m_results->content(), trials));
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
    dialog->selectFile(FileDialog::nameOf(QString::fromStdString(sheet.caption)));
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
        [this, path] { say(QStringLiteral("Written: %1").arg(path)); },
        [this](const QString& message) { say(message); });
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
