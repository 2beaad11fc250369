// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileDialog>

namespace headroom::ui {

/// A dialog that names files and never looks into them. Dialogs of a desktop, and Qt's own with its usual icons, open
/// each file of a folder to find out its type, within this process: closing a workspace again would take away the locks
/// that SQLite holds on it (profiling/store/OpenFiles.h). All dialogs for files are made of this one.
class FileDialog : public QFileDialog {
    Q_OBJECT

public:
    explicit FileDialog(QWidget* parent, const QString& title, const QString& folder = {}, const QString& filter = {});
};

} // namespace headroom::ui
