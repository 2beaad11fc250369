// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/DesktopArguments.h"
#include "core/config/Installation.h"
#include "ui/window/DesktopProgram.h"

#include <QApplication>
#include <QIcon>

#include <clocale>
#include <csignal>

int main(int argc, char** argv)
{
    const headroom::desktop::Start start = headroom::desktop::readArguments(argc, argv);
    if (start.exitCode)
        return *start.exitCode;
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a full disk, and no reason to end without a word
    QApplication application(argc, argv);
    // Files and the worker's protocol write numbers with a decimal point, whatever the user's language.
    std::setlocale(LC_NUMERIC, "C");
    QApplication::setApplicationName(QStringLiteral("headroom"));
    QApplication::setApplicationDisplayName(QStringLiteral("Headroom"));
    QApplication::setApplicationVersion(QString::fromStdString(headroom::config::version()));
    QApplication::setDesktopFileName(QStringLiteral("headroom"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/headroom.svg")));
    headroom::ui::DesktopProgram program(start.options);
    program.start();
    return QApplication::exec();
}
