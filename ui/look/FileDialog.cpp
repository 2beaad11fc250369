// SPDX-License-Identifier: Apache-2.0
#include "ui/look/FileDialog.h"

#include <QAbstractFileIconProvider>
#include <QDir>
#include <QFileInfo>

namespace headroom::ui {
namespace {

// By the name alone.
class NamedFileIcons : public QAbstractFileIconProvider {
public:
    QIcon icon(const QFileInfo& file) const override
    {
        return QAbstractFileIconProvider::icon(file.isDir() ? IconType::Folder : IconType::File);
    }

    QString type(const QFileInfo& file) const override
    {
        if (file.isDir())
            return QStringLiteral("Folder");
        return file.suffix().isEmpty() ? QStringLiteral("File") : file.suffix() + QStringLiteral(" file");
    }
};

// Threads of a dialog may ask it for a moment longer than the dialog lives.
NamedFileIcons& namedFileIcons()
{
    static NamedFileIcons icons;
    return icons;
}

// Where the last dialog ended, for those that are told no folder.
QString& lastFolder()
{
    static QString folder = QDir::currentPath();
    return folder;
}

} // namespace

// Qt lists the folder that it is made with before it can be told how to: one without files of users.
FileDialog::FileDialog(QWidget* parent, const QString& title, const QString& folder, const QString& filter)
    : QFileDialog(parent, title, QDir::rootPath(), filter)
{
    setOption(DontUseNativeDialog);
    setIconProvider(&namedFileIcons());
    setDirectory(folder.isEmpty() ? lastFolder() : folder);
    connect(this, &QDialog::accepted, this, [this] { lastFolder() = directory().absolutePath(); });
}

} // namespace headroom::ui
