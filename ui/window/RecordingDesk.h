// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/recordings/RecordingImporter.h"
#include "ui/window/Services.h"
#include "ui/window/WindowViews.h"

#include <QObject>

class QStatusBar;

namespace headroom::ui {

class SpecFiles;

/// Opens what other programs recorded: each becomes an experiment of the open workspace, which is shown with its
/// timeline. Also decides, by content, what a file is that was dropped on the window.
class RecordingDesk : public QObject {
    Q_OBJECT

public:
    RecordingDesk(Services& services, WindowViews& views, SpecFiles& specs, QStatusBar& bar, QWidget& window);
    ~RecordingDesk() override;

    void choose();
    void open(const QString& file);
    /// An experiment, a model, a recording or a workspace.
    void openDropped(const QString& file);

    RecordingImporter& importer() { return m_importer; }

Q_SIGNALS:
    void said(const QString& message);
    void refused(const QString& why);
    /// It is in the workspace.
    void opened(const QString& file);

private:
    void takeSort(const QString& file, FileSort sort);
    void takeImported(const ImportedFile& imported);
    void showWanted();
    void refuse(const QString& file, const QString& message);

    Services& m_services;
    WindowViews& m_views;
    SpecFiles& m_specs;
    QWidget& m_window;
    RecordingImporter m_importer;
    std::optional<ImportedFile> m_wanted; ///< to be shown as soon as the workspace has been read again
};

} // namespace headroom::ui
