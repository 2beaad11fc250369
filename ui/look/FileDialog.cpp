// SPDX-License-Identifier: Apache-2.0
#include "ui/look/FileDialog.h"

#include <QAbstractFileIconProvider>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QStyle>

namespace headroom::ui {
namespace {

constexpr qsizetype kLongestName = 200; ///< bytes; file systems take 255, endings and temporary names included

// Chooses icons by name alone. The pixmaps are the style's; they are read once, on the thread that may use the style.
class NamedFileIcons : public QAbstractFileIconProvider {
public:
    QIcon icon(IconType type) const override
    {
        switch (type) {
        case IconType::File:
            return m_file;
        case IconType::Computer:
            return m_computer;
        default:
            return m_folder;
        }
    }

    QIcon icon(const QFileInfo& file) const override { return file.isDir() ? m_folder : m_file; }

    QString type(const QFileInfo& file) const override
    {
        if (file.isDir())
            return QStringLiteral("Folder");
        return file.suffix().isEmpty() ? QStringLiteral("File") : file.suffix() + QStringLiteral(" file");
    }

private:
    QIcon m_folder = QApplication::style()->standardIcon(QStyle::SP_DirIcon);
    QIcon m_file = QApplication::style()->standardIcon(QStyle::SP_FileIcon);
    QIcon m_computer = QApplication::style()->standardIcon(QStyle::SP_ComputerIcon);
};

// Static, as a dialog's threads may use it for a moment after the dialog has gone.
NamedFileIcons& namedFileIcons()
{
    static NamedFileIcons icons;
    return icons;
}

// The folder in which the last dialog ended, for dialogs that are given none.
QString& lastFolder()
{
    static QString folder = QDir::currentPath();
    return folder;
}

} // namespace

// Qt lists the initial folder before its options can be set, so the dialog is made with a folder without user files.
FileDialog::FileDialog(QWidget* parent, const QString& title, const QString& folder, const QString& filter)
    : QFileDialog(parent, title, QDir::rootPath(), filter)
{
    setOption(DontUseNativeDialog);
    setIconProvider(&namedFileIcons());
    setDirectory(folder.isEmpty() ? lastFolder() : folder);
    connect(this, &QDialog::accepted, this, [this] { lastFolder() = directory().absolutePath(); });
}

QString FileDialog::nameOf(const QString& words)
{
    QString name;
    for (const QChar c : words) {
        const bool isTaken = c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_');
        if (isTaken || !name.endsWith(QLatin1Char('-')))
            name += isTaken ? c : QLatin1Char('-');
    }
    while (name.endsWith(QLatin1Char('-')) || name.toUtf8().size() > kLongestName)
        name.chop(1);
    return name;
}

} // namespace headroom::ui
