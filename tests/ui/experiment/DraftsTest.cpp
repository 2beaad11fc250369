// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/experiment/DockFixture.h"

#include <QComboBox>
#include <QFile>
#include <QTemporaryDir>
#include <QToolButton>

namespace headroom::ui {

// What is typed into a field and is not valid.
class DraftsTest : public UiTest, private DockFixture {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        open();
    }

    void cleanup() { close(); }

private Q_SLOTS:
    void whatIsNotTakenIsRedFromTheStart()
    {
        for (const ColourScheme scheme : {ColourScheme::Light, ColourScheme::Dark}) {
            theme().setScheme(scheme);
            type("workload.batch.editor", QStringLiteral("2"));
            settle();
            const auto ink = [&] { return find<QLabel>("workload.batch.note")->palette().color(QPalette::WindowText); };
            type("workload.batch.editor", QStringLiteral("max"));
            QVERIFY(find<QLabel>("workload.batch.note")->text().startsWith(QStringLiteral("Not applied yet")));
            QCOMPARE(ink(), theme().alarm());
        }
    }

    void aDraftDiesWithItsExperiment_data()
    {
        QTest::addColumn<QString>("end");
        for (const char* end : {"new", "open", "example", "undo", "menu", "arrow", "text"})
            QTest::newRow(end) << QString::fromLatin1(end);
    }

    void aDraftDiesWithItsExperiment()
    {
        QFETCH(QString, end);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("other.toml"));
        session().set(QStringLiteral("workload.batch"), QStringLiteral("3"));
        settle();
        const std::string text = session().text();
        type("model.name.line", QStringLiteral("mistralai/Mistral-7B"));
        type("workload.batch.editor", QStringLiteral("max"));
        QCOMPARE(session().text(), text);
        QCOMPARE(session().drafts().size(), 2);
        QCOMPARE(session().drafts().value(QStringLiteral("model.name")).held, QStringLiteral("ffn-stack-tiny"));
        QString model = QStringLiteral("ffn-stack-tiny");
        QString batch = QStringLiteral("3");
        auto* line = find<QLineEdit>("workload.batch.editor");
        if (end == QLatin1String("undo"))
            QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        else if (end == QLatin1String("menu"))
            session().undo();
        else if (end == QLatin1String("arrow"))
            for (const char* arrow : {"model.name.reset", "workload.batch.reset"})
                find<QToolButton>(arrow)->click();
        else if (end == QLatin1String("text"))
            session().setText(QString::fromStdString(text + "# more\n"));
        else {
            if (end == QLatin1String("new"))
                session().newSpec();
            else if (end == QLatin1String("example"))
                session().loadPreset(QStringLiteral("ltx-checkpointing"));
            else {
                QFile written(file);
                QVERIFY(written.open(QIODevice::WriteOnly));
                written.write("[model]\nname = \"ltx-video-2b\"\n");
                written.close();
                session().open(file);
            }
            model = QStringLiteral("ltx-video-2b");
            batch = QStringLiteral("1");
        }
        QTRY_VERIFY(session().drafts().isEmpty() && session().isIdle());
        settle();
        QTRY_COMPARE(find<QComboBox>("model.name.editor")->currentText(), model);
        QCOMPARE(find<QLineEdit>("workload.batch.editor")->text(), batch);
        QVERIFY(find<QLabel>("model.name.note")->text().isEmpty());
        QVERIFY(find<QLabel>("workload.batch.note")->text().isEmpty());
        if (batch == QLatin1String("3"))
            QVERIFY(session().text().starts_with(text)); // nothing else was taken back
    }

    void undoTakesADraftBackBeforeAnEdit()
    {
        type("workload.batch.editor", QStringLiteral("12"));
        settle();
        type("workload.batch.editor", QStringLiteral("12x"));
        QVERIFY(session().canUndo());
        auto* line = find<QLineEdit>("workload.batch.editor");
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(line->text(), QStringLiteral("12"));
        QVERIFY(textHolds("batch = 12"));
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(line->text(), QStringLiteral("2"));
    }

    void aModelIsANameOrAFile()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("config.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"_class_name\": \"LTXVideoTransformer3DModel\", \"num_layers\": 7}");
        file.close();
        type("model.name.line", QStringLiteral("mistralai/Mistral-7B"));
        const QString note = find<QLabel>("model.name.note")->text();
        QVERIFY2(note.contains(QStringLiteral("config.json")), qPrintable(note));
        QVERIFY2(note.size() < 150, qPrintable(note)); // no list of all there are
        QVERIFY(!find<QToolButton>("model.name.reset")->isHidden());
        session().newSpecOf(path);
        settle();
        QVERIFY(session().plan()->problems.empty());
        QCOMPARE(find<QComboBox>("model.name.editor")->currentText(), path);
        QCOMPARE(find<QLineEdit>("model.num_layers.editor")->text(), QStringLiteral("7"));
        QVERIFY(find<QLabel>("model.facts")->isVisibleTo(&dock()));
        QVERIFY(find<QWidget>("workload.frames") != nullptr);
        // There is no model to go back to.
        QVERIFY(find<QToolButton>("model.name.reset")->isHidden());
        session().newSpecOf(folder.filePath(QStringLiteral("none.json")));
        settle();
        QCOMPARE(timesSaid(QStringLiteral("none.json")), 1);
        QVERIFY(find<QLabel>("model.name.note")->text().contains(QStringLiteral("there is no")));
    }
};

HEADROOM_UI_TEST(DraftsTest)

} // namespace headroom::ui

#include "DraftsTest.moc"
