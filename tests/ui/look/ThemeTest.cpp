// SPDX-License-Identifier: Apache-2.0
#include "ui/look/Theme.h"

#include "tests/ui/UiTest.h"

#include <QApplication>
#include <QSignalSpy>

#include <cmath>

namespace headroom::ui {
namespace {

double luminance(const QColor& colour)
{
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

// The contrast ratio of WCAG 2.1.
double contrast(const QColor& a, const QColor& b)
{
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

} // namespace

class ThemeTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void textCanBeReadInBothSchemes_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::newRow("light") << static_cast<int>(ColourScheme::Light);
        QTest::newRow("dark") << static_cast<int>(ColourScheme::Dark);
    }

    void textCanBeReadInBothSchemes()
    {
        QFETCH(int, scheme);
        Theme theme;
        theme.setScheme(static_cast<ColourScheme>(scheme));
        const QPalette palette = QApplication::palette();
        const auto ratio = [&](QPalette::ColorRole text, QPalette::ColorRole ground) {
            return contrast(palette.color(text), palette.color(ground));
        };
        QVERIFY(ratio(QPalette::WindowText, QPalette::Window) >= 4.5);
        QVERIFY(ratio(QPalette::Text, QPalette::Base) >= 4.5);
        QVERIFY(ratio(QPalette::ButtonText, QPalette::Button) >= 4.5);
        QVERIFY(ratio(QPalette::HighlightedText, QPalette::Highlight) >= 4.5);
        QVERIFY(ratio(QPalette::PlaceholderText, QPalette::Base) >= 4.5);
        QVERIFY(ratio(QPalette::Link, QPalette::Window) >= 4.5);
        QVERIFY(contrast(theme.alarm(), palette.color(QPalette::Window)) >= 4.5);
    }

    void aChangeIsSaidAndTakenBack()
    {
        Theme theme;
        const QSignalSpy changes(&theme, &Theme::changed);
        theme.setScheme(ColourScheme::Dark);
        QVERIFY(theme.isDark());
        theme.setScheme(ColourScheme::Light);
        QVERIFY(!theme.isDark());
        QCOMPARE(changes.count(), 2);
    }
};

HEADROOM_UI_TEST(ThemeTest)

} // namespace headroom::ui

#include "ThemeTest.moc"
