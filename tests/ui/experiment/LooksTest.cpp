// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/experiment/DockFixture.h"

#include <QApplication>
#include <QCheckBox>
#include <QPlainTextEdit>
#include <QStyle>
#include <QStyleFactory>
#include <QTabWidget>

namespace headroom::ui {

// What changes how the experiment looks, and nobody's typing, changes no experiment.
class LooksTest : public UiTest, private DockFixture {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_palette = QApplication::palette();
        m_font = QApplication::font();
        open();
    }

    void cleanup()
    {
        close();
        QApplication::setPalette(m_palette);
        QApplication::setFont(m_font);
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }

private Q_SLOTS:
    void looksChangeNoExperiment_data()
    {
        QTest::addColumn<QString>("look");
        QTest::addColumn<QString>("page");
        for (const char* look : {"theme", "palette", "font", "style", "language", "direction", "polish", "dock", "tab"})
            for (const char* page : {"spec never seen", "spec seen before", "spec in front"})
                QTest::addRow("%s, %s", look, page) << QString::fromLatin1(look) << QString::fromLatin1(page);
    }

    void looksChangeNoExperiment()
    {
        QFETCH(QString, look);
        QFETCH(QString, page);
        if (page != QLatin1String("spec never seen"))
            dock().showText();
        if (page == QLatin1String("spec seen before"))
            dock().showForm();
        find<QCheckBox>("technique.optimizer.toggle")->click();
        settle();
        session().set(QStringLiteral("workload.batch"), QStringLiteral("3"));
        settle();
        type("model.name.line", QStringLiteral("nonsense"));
        const bool hasDraft = !session().drafts().isEmpty();
        const std::string text = session().text();
        const int edits = session().undoStack()->index();
        QCOMPARE(edits, 2);
        change(look);
        QCOMPARE(session().text(), text);
        QCOMPARE(session().undoStack()->index(), edits);
        QCOMPARE(session().undoStack()->count(), edits);
        QVERIFY(session().isModified());
        QCOMPARE(!session().drafts().isEmpty(), hasDraft);
        session().dropDrafts();
        session().undo();
        session().undo();
        QVERIFY(!session().isModified());
        dock().showText();
        QCOMPARE(find<QPlainTextEdit>("specText")->toPlainText(), QString::fromStdString(session().text()));
    }

    void whatIsTypedIntoTheTextAfterwardsIsTaken()
    {
        dock().showText();
        dock().showForm();
        session().set(QStringLiteral("workload.batch"), QStringLiteral("3"));
        theme().setScheme(ColourScheme::Dark);
        dock().showText();
        auto* edit = find<QPlainTextEdit>("specText");
        edit->moveCursor(QTextCursor::End);
        QTest::keyClicks(edit, QStringLiteral("batch = 7\n").trimmed());
        settle();
        QVERIFY(textHolds("batch = 7"));
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QCOMPARE(session().text(), std::string());
        session().undo();
        QVERIFY(textHolds("ffn-stack-tiny"));
    }

private:
    // And what comes of it later.
    void change(const QString& look)
    {
        QWidget& window = *dock().window();
        const auto send = [&](QEvent::Type type) {
            for (QWidget* widget : window.findChildren<QWidget*>()) {
                QEvent event(type);
                QApplication::sendEvent(widget, &event);
            }
        };
        if (look == QLatin1String("theme"))
            for (const ColourScheme scheme : {ColourScheme::Dark, ColourScheme::Light, ColourScheme::System})
                theme().setScheme(scheme);
        else if (look == QLatin1String("palette")) { // as the desktop's own, at sunset
            QApplication::setPalette(QPalette(Qt::darkGray));
            send(QEvent::PaletteChange);
            send(QEvent::ApplicationPaletteChange);
            send(QEvent::ThemeChange);
        } else if (look == QLatin1String("font")) {
            QFont larger = QApplication::font();
            larger.setPixelSize(20);
            QApplication::setFont(larger);
            for (QWidget* widget : window.findChildren<QWidget*>())
                widget->setFont(larger);
        } else if (look == QLatin1String("style")) {
            QApplication::setStyle(QStyleFactory::create(QStringLiteral("Windows")));
            send(QEvent::StyleChange);
        } else if (look == QLatin1String("language")) {
            send(QEvent::LanguageChange);
            send(QEvent::LocaleChange);
            window.setLocale(QLocale(QLocale::German));
        } else if (look == QLatin1String("direction"))
            window.setLayoutDirection(Qt::RightToLeft);
        else if (look == QLatin1String("polish"))
            for (QWidget* widget : window.findChildren<QWidget*>()) {
                widget->style()->unpolish(widget);
                widget->style()->polish(widget);
            }
        else if (look == QLatin1String("dock"))
            for (const bool isFloating : {true, false})
                dock().setFloating(isFloating);
        else
            for (const int index : {1, 0})
                find<QTabWidget>("experimentPages")->setCurrentIndex(index);
        QCoreApplication::processEvents();
        settle();
        QCoreApplication::processEvents();
    }

    QPalette m_palette;
    QFont m_font;
};

HEADROOM_UI_TEST(LooksTest)

} // namespace headroom::ui

#include "LooksTest.moc"
