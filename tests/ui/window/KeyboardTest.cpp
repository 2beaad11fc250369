// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/window/Keys.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/compare/CompareView.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/plot/TradeoffView.h"
#include "ui/results/TrialsView.h"
#include "ui/timeline/TimelineView.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QStatusBar>
#include <QTableView>
#include <QTreeView>

namespace headroom::ui {
namespace {

constexpr int kMostTabs = 60; ///< from the first field of the form to any other
constexpr int kPatienceOfKeysMs = 60'000;

// Takes Ctrl+E before any command, as text fields of X11 and Wayland do: the end of the line.
class GreedyField : public QWidget {
public:
    using QWidget::QWidget;

protected:
    bool event(QEvent* event) override
    {
        if (event->type() != QEvent::ShortcutOverride)
            return QWidget::event(event);
        event->accept();
        return true;
    }
};

} // namespace

// What can be done without a pointer: keys go where the focus is, and nowhere else.
class KeyboardTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_open = std::make_unique<OpenWindow>();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        m_open->load("[model]\nname = \"ffn-stack\"\n");
    }

    void cleanup() { m_open.reset(); }

    void anExperimentIsSetUpRunAndReadByKeysAlone()
    {
        setUp();
        key(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(trials() == 2 && !m_open->services().runs.isBusy(), kPatienceOfKeysMs);
        readTheTradeoff();
        readTheTimeline();
        readTheTable();
    }

    void everyViewBeginsWhereItsKeysWork()
    {
        m_open->load(kWindowSpec);
        key(Qt::Key_F5);
        QVERIFY(m_open->waitForTheEnd());
        QTRY_VERIFY_WITH_TIMEOUT(trials() == 6, kPatienceOfKeysMs);
        key(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(focus(), &views().tradeoff->plot().canvas());
        key(Qt::Key_3, Qt::ControlModifier);
        QTRY_VERIFY(views().timeline->stack().current() != nullptr);
        QTRY_COMPARE(focus(), &views().timeline->stack().lanes().front()->canvas());
        key(Qt::Key_4, Qt::ControlModifier);
        QCOMPARE(focus(), views().trials->table());
    }

    void textFieldsLeaveTheCommandsTheirKeys()
    {
        GreedyField field(&window());
        field.setFocusPolicy(Qt::StrongFocus);
        field.show();
        field.setFocus();
        QTest::keyClick(&field, Qt::Key_E, Qt::ControlModifier);
        QVERIFY2(window().statusBar()->currentMessage().contains(QStringLiteral("nothing to report")),
            qPrintable(window().statusBar()->currentMessage()));
    }

    void whatHasTheFocusHasAName()
    {
        key(Qt::Key_1, Qt::ControlModifier);
        QStringList nameless;
        for (int i = 0; i < kMostTabs; ++i, key(Qt::Key_Tab)) {
            const QWidget* widget = focus();
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool hasName =
                !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty());
            if (!hasName)
                nameless.append(
                    QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName());
        }
        nameless.removeDuplicates();
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
    }

private:
    MainWindow& window() { return m_open->window(); }
    WindowViews& views() { return window().views(); }
    static QWidget* focus() { return QApplication::focusWidget(); }
    std::size_t trials()
    {
        const Results& results = m_open->services().workspaces.results();
        return results ? results->content().trials.size() : 0;
    }

    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { Keys(window()).press(key, modifiers); }
    void tabTo(const char* name) { QVERIFY2(Keys(window()).tabTo(name), name); }

    void type(const char* field, const QString& text)
    {
        QVERIFY2(Keys(window()).type(field, text), field);
        QTRY_VERIFY(!m_open->services().spec.isPlanning());
    }

    void setUp()
    {
        key(Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(focus()->objectName(), QStringLiteral("model.name.editor"));
        type("model.name.editor", QStringLiteral("ffn-stack-tiny"));
        type("workload.batch.editor", QStringLiteral("2"));
        type("device.name.editor", QStringLiteral("cpu"));
        tabTo("technique.split_ffn.toggle");
        key(Qt::Key_Space);
        QTRY_VERIFY(!m_open->services().spec.isPlanning());
        type("techniques.split_ffn.editor", QStringLiteral("off, 2"));
        QTRY_COMPARE(m_open->services().spec.plan()->runnableTrials(), std::size_t(2));
    }

    // Arrows walk from mark to mark, Enter selects, C compares with the baseline.
    void readTheTradeoff()
    {
        key(Qt::Key_2, Qt::ControlModifier);
        QTRY_COMPARE(views().tradeoff->plot().figure()->marks.size(), 2U);
        QString split;
        for (const report::ReportTrial& trial : m_open->services().workspaces.results()->content().trials)
            if (!trial.result.isBaseline())
                split = QString::fromStdString(trial.id());
        for (int i = 0; i < 4 && m_open->services().selection.trials() != QStringList{split}; ++i) {
            key(i % 2 == 0 ? Qt::Key_Right : Qt::Key_Left);
            key(Qt::Key_Return);
        }
        QCOMPARE(m_open->services().selection.trials(), QStringList{split});
        key(Qt::Key_C);
        QCOMPARE(m_open->services().selection.trials().size(), 2);
        QTRY_VERIFY(views().compare->isAncestorOf(focus()));
        QTRY_COMPARE(views().compare->stack().trialsWithTimeline(), 2U);
    }

    void readTheTimeline()
    {
        key(Qt::Key_3, Qt::ControlModifier);
        TimelineStack& stack = views().timeline->stack();
        QTRY_VERIFY(stack.current() && stack.current()->summary);
        QTRY_VERIFY(views().timeline->isAncestorOf(focus()));
        key(Qt::Key_P);
        QTRY_VERIFY(stack.cursor().has_value());
        const std::int64_t peak = *stack.cursor();
        key(Qt::Key_Left);
        QVERIFY(*stack.cursor() < peak);
        QTRY_VERIFY(!views().timeline->readout().isEmpty());
    }

    void readTheTable()
    {
        key(Qt::Key_4, Qt::ControlModifier);
        key(Qt::Key_Home, Qt::ControlModifier);
        key(Qt::Key_Down);
        QCOMPARE(views().trials->table()->currentIndex().row(), 1);
    }

    std::unique_ptr<OpenWindow> m_open;
};

HEADROOM_UI_TEST(KeyboardTest)

} // namespace headroom::ui

#include "KeyboardTest.moc"
