// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/look/DecimalField.h"

#include <QAbstractSpinBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QTableView>

namespace headroom::ui {
namespace {

// A comma before one or two digits: three of them are thousands, "7,392 tokens".
bool hasDecimalComma(const QString& text)
{
    static const QRegularExpression comma(QStringLiteral("\\d,\\d{1,2}(?!\\d)"));
    return text.contains(comma);
}

constexpr int kTypingPatienceMs = 20'000;

// As they are painted.
QStringList cellsOf(const QTableView& table)
{
    QStringList cells;
    const auto* painter = qobject_cast<const QStyledItemDelegate*>(table.itemDelegate());
    for (int row = 0; painter != nullptr && table.model() != nullptr && row < table.model()->rowCount(); ++row)
        for (int column = 0; column < table.model()->columnCount(); ++column)
            cells.append(painter->displayText(table.model()->index(row, column).data(), table.locale()));
    return cells;
}

} // namespace

/// Where the system's language has decimal commas, the window is as it is elsewhere.
class LanguageTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        UiTest::initTestCase();
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        m_open = std::make_unique<OpenWindow>();
        m_open->showSixTrials();
    }

    void cleanupTestCase()
    {
        m_open.reset();
        QLocale::setDefault(QLocale::c());
    }

    void noNumberHasADecimalComma()
    {
        QStringList found;
        const auto look = [&](const QWidget& widget, const QString& text) {
            if (hasDecimalComma(text))
                found.append(widget.objectName() + QStringLiteral(": ") + text);
        };
        for (const auto* field : window().findChildren<QAbstractSpinBox*>())
            look(*field, field->text());
        for (const auto* label : window().findChildren<QLabel*>())
            look(*label, label->text());
        for (const auto* table : window().findChildren<QTableView*>())
            for (const QString& text : cellsOf(*table))
                look(*table, text);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }

    void aCommaThatIsTypedIsADecimalPoint()
    {
        const QList<DecimalField*> fields = window().findChildren<DecimalField*>();
        QVERIFY(fields.size() >= 2);
        for (DecimalField* field : fields) {
            field->setEnabled(true);
            const auto typed = [field] { // the first answer that arrives shows the card's memory as the budget
                field->setValue(2);
                field->selectAll();
                QTest::keyClicks(field, QStringLiteral("1,5"));
                field->interpretText();
                return field->value() == 1.5;
            };
            QVERIFY2(QTest::qWaitFor(typed, kTypingPatienceMs), qPrintable(field->objectName() + field->text()));
        }
        for (const QDoubleSpinBox* field : window().findChildren<QDoubleSpinBox*>())
            QVERIFY2(qobject_cast<const DecimalField*>(field) != nullptr, qPrintable(field->objectName()));
    }

    void buttonsOfDialogsAreEnglishAsTheRest()
    {
        const QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::Close);
        QCOMPARE(box.button(QDialogButtonBox::Cancel)->text().remove(QLatin1Char('&')), QStringLiteral("Cancel"));
    }

private:
    MainWindow& window() { return m_open->window(); }

    std::unique_ptr<OpenWindow> m_open;
};

HEADROOM_UI_TEST(LanguageTest)

} // namespace headroom::ui

#include "LanguageTest.moc"
