// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/ProcessFiles.h"

#include <QDir>
#include <QFile>

namespace headroom::ui {

std::string readAll(const QString& file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll().toStdString() : std::string();
}

std::set<pid_t> childProcesses()
{
    std::set<pid_t> found;
    for (const QString& task : QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        for (const QString& pid :
            QString::fromStdString(readAll(QStringLiteral("/proc/self/task/%1/children").arg(task)))
                .split(QLatin1Char(' '), Qt::SkipEmptyParts))
            found.insert(pid.toInt());
    return found;
}

} // namespace headroom::ui
