// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/ProcessFiles.h"

#include "tests/ui/FileBytes.h"

#include <QDir>

namespace headroom::ui {

std::set<pid_t> childProcesses()
{
    std::set<pid_t> found;
    for (const QString& task : QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        for (const QString& pid : QString::fromUtf8(bytesOf(QStringLiteral("/proc/self/task/%1/children").arg(task)))
                 .split(QLatin1Char(' '), Qt::SkipEmptyParts))
            found.insert(pid.toInt());
    return found;
}

} // namespace headroom::ui
