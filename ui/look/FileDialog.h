// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileDialog>

namespace headroom::ui {

/// A dialog that lists files by name and never reads them. Desktop dialogs, and Qt's own with its default icons, open
/// each file of a folder within this process to find out its type. Closing a workspace again would then release the
/// locks that SQLite holds on it (profiling/store/OpenFiles.h). All file dialogs of the program are of this class.
class FileDialog : public QFileDialog {
    Q_OBJECT

public:
    explicit FileDialog(QWidget* parent, const QString& title, const QString& folder = {}, const QString& filter = {});

    /// A name that every file system takes, for what such words describe: "ltx-video-2b-sim-rtx4090-2026-03-01".
    static QString nameOf(const QString& words);
};

} // namespace headroom::ui
