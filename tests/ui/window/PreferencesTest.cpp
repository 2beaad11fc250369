// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "ui/window/DesktopProgram.h"
#include "ui/window/PreferencesDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace headroom::ui {
namespace {

Preferences sample()
{
    Preferences preferences;
    preferences.scheme = ColourScheme::Dark;
    preferences.tracing = TraceHabit::Leave;
    preferences.timeoutSeconds = 12.5;
    preferences.spec = QStringLiteral("/data/a, b.toml");
    preferences.workspace = QStringLiteral("/data/über uns.db");
    preferences.recentSpecs = {QStringLiteral("/a.toml"), QStringLiteral("/b, c.toml")};
    preferences.recentWorkspaces = {QStringLiteral("/one.db")};
    preferences.recentModels = {QStringLiteral("/models/a, b.pt2"), QStringLiteral("/config.json")};
    preferences.geometry = QByteArray("\x00\x01\xff", 3);
    preferences.layout = QByteArray("layout");
    preferences.views[QStringLiteral("tradeoff")] = QVariantMap{{QStringLiteral("memory"), 2}};
    return preferences;
}

} // namespace

class PreferencesTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void whatIsSavedIsLoadedAtTheNextStart()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("made/desktop.ini"));
        {
            PreferencesStore store(file);
            store.save(Preferences{});
            store.save(sample());
        }
        PreferencesStore store(file);
        std::optional<Preferences> loaded;
        store.load(this, [&](const Preferences& preferences) { loaded = preferences; });
        QTRY_VERIFY(loaded.has_value());
        QVERIFY(*loaded == sample());
    }

    void withoutAFileThereAreDefaults()
    {
        const QTemporaryDir folder;
        PreferencesStore store(folder.filePath(QStringLiteral("none.ini")));
        std::optional<Preferences> loaded;
        store.load(this, [&](const Preferences& preferences) { loaded = preferences; });
        QTRY_VERIFY(loaded.has_value());
        QVERIFY(*loaded == Preferences{});
    }

    void aDamagedFileGivesDefaults()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("damaged.ini"));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("\x00\xff[[[headroom=@Variant(\x01", 24));
        file.close();
        PreferencesStore store(name);
        std::optional<Preferences> loaded;
        store.load(this, [&](const Preferences& preferences) { loaded = preferences; });
        QTRY_VERIFY(loaded.has_value());
        QVERIFY(*loaded == Preferences{});
    }

    void aFileThatCannotBeWrittenIsSaid()
    {
        PreferencesStore store(QStringLiteral("/dev/null/desktop.ini"));
        const QSignalSpy failures(&store, &PreferencesStore::failed);
        store.save(sample());
        QTRY_COMPARE(failures.count(), 1);
    }

    void theLayoutOfAnotherVersionIsNotRestored()
    {
        QVariantMap values = toVariant(sample());
        values[QStringLiteral("version")] = 99;
        const Preferences preferences = preferencesFrom(values);
        QVERIFY(preferences.layout.isEmpty());
        QVERIFY(preferences.views.isEmpty());
        QCOMPARE(preferences.workspace, sample().workspace);
    }

    void recentFilesAreNewestFirstWithoutDoubles()
    {
        QStringList recent;
        for (int i = 0; i < 15; ++i)
            remember(recent, QString::number(i % 12));
        QCOMPARE(recent.size(), Preferences::kMostRecent);
        QCOMPARE(recent.first(), QStringLiteral("2"));
        QCOMPARE(recent.count(QStringLiteral("1")), 1);
    }

    void theDialogShowsAndChangesThem()
    {
        PreferencesDialog dialog(sample(), nullptr);
        QVERIFY(dialog.preferences() == sample());
        dialog.findChild<QComboBox*>(QStringLiteral("scheme"))->setCurrentIndex(1);
        dialog.findChild<QCheckBox*>(QStringLiteral("tracing"))->click();
        dialog.findChild<QDoubleSpinBox*>(QStringLiteral("timeout"))->setValue(90);
        QCOMPARE(dialog.preferences().scheme, ColourScheme::Light);
        QCOMPARE(dialog.preferences().tracing, TraceHabit::Record);
        QCOMPARE(dialog.preferences().timeoutSeconds, 90.0);
        dialog.findChild<QCheckBox*>(QStringLiteral("hasTimeout"))->click();
        QVERIFY(!dialog.preferences().timeoutSeconds);
        QCOMPARE(dialog.preferences().workspace, sample().workspace);
    }

    void numbersAreWrittenAlikeInEveryLocale()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const PreferencesDialog dialog(sample(), nullptr);
        auto* timeout = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("timeout"));
        QCOMPARE(timeout->text(), QStringLiteral("12.5 s"));
        timeout->setValue(90.5);
        QCOMPARE(timeout->text(), QStringLiteral("90.5 s"));
        QLocale::setDefault(before);
    }
};

HEADROOM_UI_TEST(PreferencesTest)

} // namespace headroom::ui

#include "PreferencesTest.moc"
