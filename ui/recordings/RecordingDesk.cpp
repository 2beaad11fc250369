// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/RecordingDesk.h"

#include "ui/look/FileDialog.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QStatusBar>

namespace headroom::ui {
namespace {

constexpr int kSteps = 1'000;
constexpr int kBarLetters = 20;

} // namespace

ImportBar::ImportBar(RecordingImporter& importer, QWidget* parent)
    : QWidget(parent)
    , m_what(new QLabel)
    , m_progress(new QProgressBar)
    , m_cancel(new QToolButton)
{
    setObjectName(QStringLiteral("importBar"));
    m_what->setObjectName(QStringLiteral("importWhat"));
    m_progress->setObjectName(QStringLiteral("importProgress"));
    m_progress->setAccessibleName(QStringLiteral("How far the recording has been taken in"));
    m_progress->setRange(0, kSteps);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(kBarLetters * fontMetrics().averageCharWidth());
    m_progress->setMaximumHeight(fontMetrics().height());
    m_cancel->setObjectName(QStringLiteral("importCancel"));
    m_cancel->setText(QStringLiteral("Cancel"));
    m_cancel->setToolTip(QStringLiteral("Stop reading; nothing of the recording stays in the workspace"));
    m_cancel->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_what);
    layout->addWidget(m_progress);
    layout->addWidget(m_cancel);
    connect(m_cancel, &QToolButton::clicked, &importer, &RecordingImporter::cancel);
    connect(&importer, &RecordingImporter::busyChanged, this, [this, &importer] { setVisible(importer.isBusy()); });
    connect(&importer, &RecordingImporter::progressed, this, [this](const QString& what, double share) {
        m_what->setText(what);
        m_progress->setValue(static_cast<int>(share * kSteps));
    });
    hide();
}

RecordingDesk::RecordingDesk(WorkspaceService& workspaces, QStatusBar& bar, QWidget& window)
    : QObject(&window)
    , m_workspaces(workspaces)
    , m_window(window)
{
    bar.addPermanentWidget(new ImportBar(m_importer, &bar));
    connect(&m_importer, &RecordingImporter::sorted, this, [this](const QString& file, FileSort sort) {
        if (sort == FileSort::Recording)
            open(file);
        else
            Q_EMIT otherDropped(file);
    });
    connect(&m_importer, &RecordingImporter::imported, this, &RecordingDesk::takeImported);
    connect(&m_importer, &RecordingImporter::failed, this, &RecordingDesk::refuse);
    connect(&m_importer, &RecordingImporter::cancelled, this, [this](const QString& file) {
        Q_EMIT said(QStringLiteral("%1 was not opened: cancelled.").arg(QFileInfo(file).fileName()));
    });
    connect(&workspaces, &WorkspaceService::resultsChanged, this, &RecordingDesk::showWanted);
}

RecordingDesk::~RecordingDesk() = default;

void RecordingDesk::choose()
{
    auto* dialog = new FileDialog(&m_window, QStringLiteral("Open a recording"), {},
        QStringLiteral("Recordings: memory snapshots, profiler traces, Nsight Systems (*.pickle *.pkl *.pickle.gz "
                       "*.json *.json.gz *.html *.sqlite);;All files (*)"));
    dialog->setObjectName(QStringLiteral("openRecordingDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &RecordingDesk::open);
    dialog->open();
}

void RecordingDesk::open(const QString& file)
{
    const QString& workspace = m_workspaces.path();
    if (workspace.isEmpty())
        return refuse(file, QStringLiteral("A recording becomes part of a workspace: open or create one first."));
    m_importer.import(file, workspace);
}

void RecordingDesk::takeImported(const ImportedFile& imported)
{
    Q_EMIT opened(imported.file);
    Q_EMIT said(QStringLiteral("%1 is now the experiment \"%2\" of the workspace.%3")
            .arg(QFileInfo(imported.file).fileName(), imported.name,
                imported.remarks.isEmpty() ? QString() : QLatin1Char(' ') + imported.remarks.join(QLatin1Char(' '))));
    if (imported.workspace != m_workspaces.path())
        return; // another one has been opened in the meantime
    m_wanted = imported;
    m_workspaces.showExperiment(imported.experiment);
    showWanted();
}

void RecordingDesk::showWanted()
{
    const Results& results = m_workspaces.results();
    if (!m_wanted || !results || results->isOfSeveral() || results->content().number != m_wanted->experiment)
        return;
    const QString trial = std::exchange(m_wanted, std::nullopt)->trial;
    Q_EMIT trialShown(trial);
}

void RecordingDesk::refuse(const QString& file, const QString& message)
{
    auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("This file cannot be opened"),
        QStringLiteral("%1 cannot be opened.").arg(QFileInfo(file).fileName()), QMessageBox::Ok, &m_window);
    box->setObjectName(QStringLiteral("recordingRefused"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(message);
    box->open();
    Q_EMIT refused(message);
}

} // namespace headroom::ui
