// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/LogView.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/runs/QueueFixture.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTreeView>

namespace headroom::ui {
namespace {

LogLines lines(int count, const QString& trial = QStringLiteral("t1"))
{
    LogLines found;
    for (int i = 0; i < count; ++i)
        found += LogLine{QDateTime::currentDateTime(), LogSource::Worker, trial, QStringLiteral("trial ") + trial,
            QStringLiteral("line %1").arg(i)};
    return found;
}

} // namespace

class LogViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aModelKeepsTheNewestLines()
    {
        LogModel model(m_theme, 100);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.append(lines(60), 0);
        model.append(lines(60), 5);
        QCOMPARE(model.rowCount(), 100);
        QCOMPARE(model.dropped(), 25);
        QCOMPARE(model.index(0, LogModel::Text).data().toString(), QStringLiteral("line 20"));
        model.append(lines(250), 0);
        QCOMPARE(model.rowCount(), 100);
        QCOMPARE(model.dropped(), 275);
        QCOMPARE(model.index(99, LogModel::Text).data().toString(), QStringLiteral("line 249"));
        model.clear();
        QCOMPARE(model.dropped(), 0);
    }

    void aFilterIsAModelToo()
    {
        LogModel model(m_theme, 50);
        LogFilter filter;
        filter.setSourceModel(&model);
        const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.append(lines(30, QStringLiteral("a")), 0);
        model.append(lines(30, QStringLiteral("b")), 0);
        filter.setTrial(QStringLiteral("a"));
        QCOMPARE(filter.rowCount(), 20);
        filter.setText(QStringLiteral("LINE 29"));
        QCOMPARE(filter.rowCount(), 1);
        filter.setTrial({});
        QCOMPARE(filter.rowCount(), 2);
    }

    void linesOfWorkersAndRemarksAreShown()
    {
        QueueFixture fixture;
        LogView view(fixture.service, m_theme);
        fixture.script("talk@16");
        const int run = fixture.enqueue(kThree);
        QTRY_COMPARE(fixture.finished.size(), 1);
        QVERIFY(view.model().rowCount() >= 4);
        auto* onlySelected = view.findChild<QCheckBox*>(QStringLiteral("logOnlySelected"));
        view.setSelectedTrial(fixture.id(run, 1));
        onlySelected->setChecked(true);
        QCOMPARE(view.list().model()->rowCount(), 2);
        view.copy()->trigger();
        const QString copied = QGuiApplication::clipboard()->text();
        QCOMPARE(copied.count(u'\n'), 2);
        QVERIFY(copied.contains(QStringLiteral("\tsequence_length 16 | baseline\tfirst remark\n")));
    }

    void searchFindsAndSaysWhenNothingFits()
    {
        RunService service;
        LogView view(service, m_theme);
        Q_EMIT service.logAppended(lines(30), 0);
        auto* search = view.findChild<QLineEdit*>(QStringLiteral("logSearch"));
        search->setText(QStringLiteral("line 2"));
        QCOMPARE(view.list().model()->rowCount(), 11);
        QCOMPARE(counts(view), QStringLiteral("11 of 30 lines"));
        search->setText(QStringLiteral("nowhere"));
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("logEmpty"))->text().startsWith(QStringLiteral("No line")));
    }

    void itFollowsTheEndUnlessSomebodyScrolled()
    {
        RunService service;
        LogView view(service, m_theme);
        view.resize(600, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QScrollBar* bar = view.list().verticalScrollBar();
        Q_EMIT service.logAppended(lines(200), 0);
        QTRY_VERIFY(bar->maximum() > 0);
        QTRY_COMPARE(bar->value(), bar->maximum());
        view.list().verticalScrollBar()->setValue(10);
        Q_EMIT service.logAppended(lines(200), 0);
        QTRY_VERIFY(bar->maximum() > 300);
        QCOMPARE(bar->value(), 10);
    }

    void droppedLinesAreCounted()
    {
        RunService service;
        LogView view(service, m_theme);
        Q_EMIT service.logAppended(lines(20'500), 0);
        QVERIFY2(counts(view).endsWith(QStringLiteral("500 older lines dropped")), qPrintable(counts(view)));
        view.clear()->trigger();
        QCOMPARE(counts(view), QStringLiteral("0 lines"));
    }

private:
    static QString counts(const LogView& view) { return view.findChild<QLabel*>(QStringLiteral("logCounts"))->text(); }

    Theme m_theme;
};

HEADROOM_UI_TEST(LogViewTest)

} // namespace headroom::ui

#include "LogViewTest.moc"
