// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QtTest>

#include <functional>
#include <memory>

namespace headroom::ui {

/// What every test of the desktop program derives from: a Qt warning fails the test that it comes up in.
/// A class that has an `init` or `initTestCase` of its own calls the one here first.
///
///   class SelectionTest : public UiTest {
///       Q_OBJECT
///   private Q_SLOTS:
///       void aTrialIsSelectedOnce();
///   };
///   HEADROOM_UI_TEST(SelectionTest)
///   #include "SelectionTest.moc"
class UiTest : public QObject {
    Q_OBJECT

protected Q_SLOTS:
    void initTestCase();
    void init();
};

/// Makes the class known to the executable's main function, which runs those that its command line names, or all.
struct UiTestRegistration {
    UiTestRegistration(const char* name, std::function<std::unique_ptr<QObject>()> make);
};

} // namespace headroom::ui

#define HEADROOM_UI_TEST(Class)                                                                                        \
    static const headroom::ui::UiTestRegistration k##Class##Registration(                                              \
        #Class, [] { return std::unique_ptr<QObject>(new Class); });
