// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"

#include <QApplication>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStyleFactory>

#include <cstdio>
#include <string>
#include <vector>

namespace headroom::ui {
namespace {

struct Registered {
    std::string name;
    std::function<std::unique_ptr<QObject>()> make;
};

std::vector<Registered>& registered()
{
    static std::vector<Registered> tests;
    return tests;
}

// The offscreen platform says of each window with a least size, of each tooltip and of each popup that it has no use
// for that.
void failOnWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(
        "^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard))")));
}

} // namespace

UiTestRegistration::UiTestRegistration(const char* name, std::function<std::unique_ptr<QObject>()> make)
{
    registered().push_back({name, std::move(make)});
}

void UiTest::initTestCase()
{
    failOnWarnings();
}

void UiTest::init()
{
    failOnWarnings();
}

} // namespace headroom::ui

// test-ui-plot [CLASS [ARGUMENTS OF QTEST]]
int main(int argc, char** argv)
{
    using headroom::ui::registered;
    qputenv("QT_QPA_PLATFORM", qgetenv("QT_QPA_PLATFORM").isEmpty() ? "offscreen" : qgetenv("QT_QPA_PLATFORM"));
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("headroom-test"));
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setEffectEnabled(Qt::UI_AnimateMenu, false);
    QApplication::setEffectEnabled(Qt::UI_AnimateCombo, false);

    const std::string wanted = argc > 1 && argv[1][0] != '-' ? argv[1] : "";
    QStringList arguments = QApplication::arguments();
    if (!wanted.empty())
        arguments.removeAt(1);
    int failures = 0;
    int found = 0;
    for (const auto& test : registered())
        if (wanted.empty() || test.name == wanted) {
            ++found;
            failures += QTest::qExec(test.make().get(), arguments);
        }
    if (found == 0) {
        std::fprintf(stderr, "no test class \"%s\" here\n", wanted.c_str());
        return 2;
    }
    return failures > 0 ? 1 : 0;
}
