// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/experiment/DockFixture.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QToolButton>

namespace headroom::ui {

// The button that makes a sweep axis of a field.
class SweepFieldTest : public UiTest, private DockFixture {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        open();
    }

    void cleanup() { close(); }

private Q_SLOTS:
    void theAxisButtonOpensAListAndAddsNothingByItself()
    {
        const std::string before = session().text();
        QListWidget* list = openList("model.name.axis");
        QVERIFY(list != nullptr && list->isVisible());
        settle();
        QCOMPARE(session().text(), before);
        QCOMPARE(list->count(), static_cast<int>(config::modelNames().size()));
        QCOMPARE(list->currentItem()->data(Qt::UserRole).toString(), QStringLiteral("ffn-stack-tiny"));
        QCOMPARE(list->currentItem()->checkState(), Qt::Checked);
        list->currentItem()->setCheckState(Qt::Unchecked); // the last one stays
        QCOMPARE(list->currentItem()->checkState(), Qt::Checked);
        QCOMPARE(session().text(), before);
        QTest::keyClick(list, Qt::Key_Escape);
        QTRY_VERIFY(dock().findChild<QListWidget*>(QStringLiteral("checklist")) == nullptr);

        list = openList("workload.dtype.axis");
        list->findItems(QStringLiteral("bfloat16"), Qt::MatchExactly).first()->setCheckState(Qt::Checked);
        settle();
        QCOMPARE(session().plan()->trials.size(), std::size_t(2));
        QVERIFY(textHolds("dtype = [\"float32\", \"bfloat16\"]"));
        QTRY_COMPARE(find<QLabel>("checklistOutcome")->text(), QStringLiteral("2 values, 2 trials"));
        list->findItems(QStringLiteral("bfloat16"), Qt::MatchExactly).first()->setCheckState(Qt::Unchecked);
        settle();
        QVERIFY(textHolds("dtype = \"float32\""));
        QCOMPARE(session().plan()->trials.size(), std::size_t(1));
        QTest::keyClick(list, Qt::Key_Escape);
        QTRY_VERIFY(dock().findChild<QListWidget*>(QStringLiteral("checklist")) == nullptr);

        list = openList("model.bias.axis"); // of two values, as of many
        QVERIFY(!textHolds("bias"));
        list->item(1)->setCheckState(Qt::Checked);
        settle();
        QVERIFY(textHolds("bias = [true, false]"));
    }

    void theAxisButtonOfANumberWaitsForTheNextOne()
    {
        find<QToolButton>("workload.batch.axis")->click();
        QVERIFY(find<QLabel>("workload.batch.note")->text().contains(QStringLiteral("behind the comma")));
        QTest::keyClicks(find<QLineEdit>("workload.batch.editor"), QStringLiteral("8"));
        settle();
        QVERIFY(textHolds("batch = [2, 8]"));
        find<QToolButton>("workload.batch.axis")->click();
        settle();
        QVERIFY(textHolds("batch = 2"));
    }

    // What a value so far makes of the experiment arrives while the user types on.
    void aListOfValuesCanBeTypedSlowly()
    {
        find<QCheckBox>("technique.ema.toggle")->click();
        settle();
        auto* line = find<QLineEdit>("techniques.ema.line");
        line->setFocus();
        line->selectAll();
        for (const QChar letter : QStringLiteral("off, device")) {
            QTest::keyClick(line, letter.toLatin1());
            settle();
        }
        QCOMPARE(line->text(), QStringLiteral("off, device"));
        QCOMPARE(session().plan()->trials.size(), std::size_t(2));
    }

    void eachChoiceHasItsOwnMeaning()
    {
        auto* combo = find<QComboBox>("techniques.casting.editor");
        const auto meaningOf = [combo](const char* value) {
            return combo->itemText(combo->findData(QLatin1String(value)));
        };
        QVERIFY2(meaningOf("e4m3").contains(QStringLiteral("448")), qPrintable(meaningOf("e4m3")));
        QVERIFY2(meaningOf("e5m2").contains(QStringLiteral("57344")), qPrintable(meaningOf("e5m2")));
    }

    void aListIsAsWideAsItsText()
    {
        auto* combo = find<QComboBox>("model.name.editor");
        int widest = 0;
        for (int i = 0; i < combo->count(); ++i)
            widest = std::max(widest, combo->fontMetrics().horizontalAdvance(combo->itemText(i)));
        QVERIFY(combo->view()->minimumWidth() >= widest);
    }

private:
    QListWidget* openList(const char* axis)
    {
        find<QToolButton>(axis)->click();
        return dock().findChild<QListWidget*>(QStringLiteral("checklist"));
    }
};

HEADROOM_UI_TEST(SweepFieldTest)

} // namespace headroom::ui

#include "SweepFieldTest.moc"
