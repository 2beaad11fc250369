// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/AnswerLines.h"

#include "tests/ui/UiTest.h"
#include "ui/look/ElidedLabel.h"

#include <QHBoxLayout>
#include <QLabel>

namespace headroom::ui {

class AnswerLinesTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    // In the window's life words come after its size: a prediction is shown where there was none.
    void groupsAreBelowEachOtherOnceTheirWordsNeedTheRoom()
    {
        auto* first = new QHBoxLayout;
        auto* second = new QHBoxLayout;
        auto* verdict = new QLabel(QStringLiteral("Fits"));
        auto* card = new QLabel(QStringLiteral("a card"));
        first->addWidget(verdict);
        second->addWidget(card);
        QWidget window; // as wide as its user makes it, whatever the words need
        AnswerLines lines(first, second, &window);
        lines.setGeometry(0, 0, 400, 80);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto top = [&](const QLabel* label) { return label->mapTo(&lines, QPoint(0, 0)).y(); };
        QTRY_COMPARE(top(card), top(verdict));
        verdict->setText(QString(60, QLatin1Char('w')));
        QTRY_VERIFY(top(card) >= top(verdict) + verdict->fontMetrics().height());
        verdict->setText(QStringLiteral("Fits"));
        QTRY_COMPARE(top(card), top(verdict));
    }

    void whatFollowsAShortenedLineFollowsItAtOnce()
    {
        auto* first = new QHBoxLayout;
        auto* verdict = new ElidedLabel;
        auto* speed = new ElidedLabel;
        first->addWidget(verdict);
        first->addWidget(speed);
        first->addStretch(1);
        QWidget window;
        AnswerLines lines(first, new QHBoxLayout, &window);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        verdict->setLine(QStringLiteral("Does not fit: needs 83.4 GiB; first failed in backward for 2 GiB"));
        verdict->setShortLine(QStringLiteral("Does not fit: needs 83.4 GiB"));
        speed->setLine(QStringLiteral("Predicted 0.188 steps/s"));
        const auto between = [&] { return speed->x() - verdict->x(); };
        const auto widthOf = [&](const QString& text) { return verdict->fontMetrics().horizontalAdvance(text); };
        const int wholeLine = verdict->wholeWidth() + speed->wholeWidth() + 30;
        lines.setGeometry(0, 0, wholeLine, 80);
        QTRY_VERIFY(between() >= verdict->wholeWidth());
        lines.setGeometry(0, 0, wholeLine - 60, 80);
        const int shortOne = widthOf(QStringLiteral("Does not fit: needs 83.4 GiB"));
        QTRY_VERIFY2(between() >= shortOne && between() < shortOne + 30, qPrintable(QString::number(between())));
        lines.setGeometry(0, 0, wholeLine, 80);
        QTRY_VERIFY(between() >= verdict->wholeWidth());
    }
};

HEADROOM_UI_TEST(AnswerLinesTest)

} // namespace headroom::ui

#include "AnswerLinesTest.moc"
