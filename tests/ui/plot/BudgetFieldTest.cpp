// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/BudgetField.h"

#include "tests/ui/UiTest.h"

#include <QLocale>

namespace headroom::ui {

class BudgetFieldTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aBudgetIsWrittenAsOtherNumbersAreAndTypedAsPeopleDo()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German));
        BudgetField field;
        QLocale::setDefault(before);
        field.show();
        field.showBudget(kGiB * 79 + kGiB / 2);
        QCOMPARE(field.text(), QStringLiteral("79.50 GiB"));
        for (const char* typed : {"12,5", "12.5"}) {
            field.showBudget(kGiB);
            field.selectAll();
            QTest::keyClicks(&field, QLatin1String(typed));
            QTest::keyClick(&field, Qt::Key_Return);
            QCOMPARE(field.budget(), std::optional<Bytes>(kGiB * 25 / 2));
        }
    }
};

HEADROOM_UI_TEST(BudgetFieldTest)

} // namespace headroom::ui

#include "BudgetFieldTest.moc"
