// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/recordings/RecordingImporter.h"
#include "ui/results/WorkspaceService.h"

#include <QLabel>
#include <QObject>
#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

class QStatusBar;

namespace headroom::ui {

/// How far a recording has been taken in, with a button that ends it. Hidden while there is none.
class ImportBar : public QWidget {
    Q_OBJECT

public:
    explicit ImportBar(RecordingImporter& importer, QWidget* parent = nullptr);

private:
    QLabel* m_what;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
};

/// Opens what other programs recorded: each becomes an experiment of the open workspace, which is then shown. Also
/// decides, by content, what a file is that was dropped on the window.
class RecordingDesk : public QObject {
    Q_OBJECT

public:
    /// `bar` shows how far an import is.
    RecordingDesk(WorkspaceService& workspaces, QStatusBar& bar, QWidget& window);
    ~RecordingDesk() override;

    void choose();
    void open(const QString& file);
    /// Opens it if it is a recording; else ends with `otherDropped`.
    void openDropped(const QString& file) { m_importer.sort(file); }

    RecordingImporter& importer() { return m_importer; }

Q_SIGNALS:
    void said(const QString& message);
    void refused(const QString& why);
    /// It is in the workspace.
    void opened(const QString& file);
    /// Its experiment is shown: this is the trial to look at.
    void trialShown(const QString& trial);
    /// What was dropped is no recording.
    void otherDropped(const QString& file);

private:
    void takeImported(const ImportedFile& imported);
    void showWanted();
    void refuse(const QString& file, const QString& message);

    WorkspaceService& m_workspaces;
    QWidget& m_window;
    RecordingImporter m_importer;
    std::optional<ImportedFile> m_wanted; ///< to be shown as soon as the workspace has been read again
};

} // namespace headroom::ui
