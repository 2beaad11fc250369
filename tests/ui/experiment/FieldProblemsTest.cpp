// SPDX-License-Identifier: Apache-2.0
#include "tests/support/Checkout.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/experiment/DockFixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace headroom::ui {

// Mistakes and conflicts: where they are said, and how they are mended.
class FieldProblemsTest : public UiTest, private DockFixture {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        open();
    }

    void cleanup() { close(); }

private Q_SLOTS:
    void aConflictIsShownAtItsFieldOnceWithItsRepair()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n");
        find<QCheckBox>("technique.casting.toggle")->click();
        settle();
        QVERIFY(!session().plan()->problems.empty());
        QCOMPARE(timesSaid(QStringLiteral("no optimizer can update")), 1);
        QVERIFY(find<QLabel>("techniques.casting.note")->text().contains(QStringLiteral("no optimizer can update")));
        QCOMPARE(dock().fieldName("techniques.casting"), QStringLiteral("Layerwise casting"));
        auto* repair = dock().findChild<QPushButton*>(QStringLiteral("repair.techniques.trainable"));
        QVERIFY(repair != nullptr && repair->isVisibleTo(&dock()));
        QCOMPARE(repair->text(), QStringLiteral("Train LoRA adapters"));
        repair->click();
        settle();
        QVERIFY(textHolds("trainable = \"lora:16\""));
        QVERIFY(session().plan()->problems.empty());
        QCOMPARE(timesSaid(QStringLiteral("no optimizer can update")), 0);
        QTRY_VERIFY(dock().findChild<QPushButton*>(QStringLiteral("repair.techniques.trainable")) == nullptr);

        load("[model]\nname = \"ffn-stack-tiny\"\n[techniques]\nsplit_ffn = [\"2\", \"7\"]\n");
        session().set(QStringLiteral("model.dim"), QStringLiteral("[64, 56]"));
        settle();
        QVERIFY(
            find<QLabel>("techniques.split_ffn.note")->text().startsWith(QStringLiteral("In 1 of 4 trials, which")));
    }

    void whyAModelFileIsRefusedIsSaidOnce()
    {
        const std::string models = checkout("tests/reference/imported").string();
        const QString why = QStringLiteral("and a simulated device has none");
        load("[model]\nname = \"" + models + "/by-value.pt2\"\n[device]\nname = \"sim:rtx4090\"\n");
        QCOMPARE(timesSaid(why), 1);
        QVERIFY(find<QLabel>("device.name.note")->text().contains(why));
        load("[model]\nname = \"" + models + "/by-value.pt2\"\n[device]\nname = \"cpu\"\n");
        QCOMPARE(timesSaid(why), 1); // of others than this experiment
        QVERIFY(find<QLabel>("model.remarks")->text().contains(QStringLiteral("Not simulated: ")));
        load("[model]\nname = \"" + models + "/evaluation.pt2\"\n[workload]\nstep = \"train\"\n");
        QCOMPARE(timesSaid(QStringLiteral("exported in evaluation mode")), 1);
    }

    void anArchiveThatMapsAFileIsRefusedAtTheModel()
    {
        const std::string file = checkout("tests/fuzz/corpus/archive/from_file.pt2").string();
        load("[model]\nname = \"" + file + "\"\n[device]\nname = \"cpu\"\n");
        QVERIFY(!session().plan()->problems.empty());
        QCOMPARE(session().plan()->problems.front().path, std::string("model.name"));
        QCOMPARE(timesSaid(QStringLiteral("torch.ops.aten.from_file.default")), 1);
        QVERIFY(!QFile::exists(QStringLiteral("made-by-an-archive")));
    }

    void aShapeThatCannotWorkSaysWhichWould()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n");
        type("workload.frames.editor", QStringLiteral("120"));
        settle();
        const auto* note = find<QLabel>("workload.frames.note");
        QCOMPARE(note->text(), QStringLiteral("Frames = 120 is not one more than a multiple of 8. Valid: 113 or 121."));
        QCOMPARE(note->palette().color(QPalette::WindowText), theme().alarm());
        QCOMPARE(timesSaid(QStringLiteral("one more than a multiple")), 1);
        const auto buttons = find<QWidget>("workload.frames")->findChildren<QPushButton*>();
        QCOMPARE(buttons.size(), 2);
        QCOMPARE(buttons[1]->text(), QStringLiteral("Use 121"));
        buttons[1]->click();
        settle();
        QVERIFY(textHolds("frames = 121"));
        QVERIFY(note->text().isEmpty());
        // A field that is folded away comes to sight.
        session().set(QStringLiteral("model.cross_attention_dim"), QStringLiteral("9"));
        settle();
        QVERIFY(find<QLabel>("model.cross_attention_dim.note")->isVisibleTo(&dock()));
        QCOMPARE(timesSaid(QStringLiteral("differs from num_attention_heads")), 1);
    }

    void aMemoryLimitIsReadAndWrittenInGiB()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n[device]\nname = \"sim:rtx4090\"\n"
             "memory_limit_bytes = 8589934592\n");
        const auto* line = find<QLineEdit>("device.memory_limit_bytes.editor");
        QCOMPARE(line->text(), QStringLiteral("8"));
        const std::pair<const char*, const char*> typed[] = {{"7.5", "8053063680"}, {"24 GiB", "25769803776"},
            {"0.1", "107374182"}, {"16, 24", "[17179869184, 25769803776]"}};
        for (const auto& [text, bytes] : typed) {
            type("device.memory_limit_bytes.editor", QString::fromLatin1(text));
            settle();
            QVERIFY2(textHolds((std::string("memory_limit_bytes = ") + bytes).c_str()), text);
        }
        for (const char* wrong : {"0", "-3", "much"}) {
            type("device.memory_limit_bytes.editor", QString::fromLatin1(wrong));
            QVERIFY2(
                find<QLabel>("device.memory_limit_bytes.note")->text().contains(QStringLiteral("24 or 7.5")), wrong);
            QVERIFY(textHolds("[17179869184, 25769803776]"));
        }
        load("[model]\nname = \"ltx-video-tiny\"\n[device]\nmemory_limit_bytes = 8589934593\n");
        type("device.memory_limit_bytes.editor", find<QLineEdit>("device.memory_limit_bytes.editor")->text());
        settle();
        QVERIFY(textHolds("memory_limit_bytes = 8589934593")); // to the byte
    }

    void fieldsSayWhatTheyCountAndWhatItAmountsTo()
    {
        load("[model]\nname = \"ltx-video-2b\"\n");
        QCOMPARE(labelOf("workload.height"), QStringLiteral("Height (px)"));
        QCOMPARE(labelOf("workload.batch"), QStringLiteral("Batch (videos)"));
        QCOMPARE(labelOf("workload.frames"), QStringLiteral("Frames"));
        QCOMPARE(labelOf("workload.text_tokens"), QStringLiteral("Text tokens"));
        const auto* heading = find<QWidget>("section.workload")->findChild<QToolButton*>(QStringLiteral("heading"));
        QVERIFY2(heading->text().contains(QStringLiteral(" tokens")), qPrintable(heading->text()));
    }

    void theRankOfAdaptersIsAFieldOfItsOwn()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n");
        auto* number = find<QWidget>("techniques.trainable.number");
        QVERIFY(!number->isVisibleTo(&dock()));
        find<QCheckBox>("technique.trainable.toggle")->click();
        settle();
        QVERIFY(textHolds("trainable = \"lora:16\""));
        QVERIFY(number->isVisibleTo(&dock()));
        QCOMPARE(number->findChild<QLabel*>()->text(), QStringLiteral("Rank"));
        auto* rank = number->findChild<QSpinBox*>();
        QCOMPARE(rank->value(), 16);
        rank->setValue(32);
        settle();
        QVERIFY(textHolds("trainable = \"lora:32\""));
        session().set(QStringLiteral("techniques.trainable"), QStringLiteral("[\"lora:8\", \"lora:16\"]"));
        settle();
        QVERIFY(!number->isVisibleTo(&dock())); // an axis has several
        QCOMPARE(timesSaid(QStringLiteral("Rank")), 0);
    }

    void togglesBeginWithTheUsualChoice()
    {
        load("[model]\nname = \"ltx-video-2b\"\n[workload]\nstep = \"train\"\n");
        const std::pair<const char*, const char*> firsts[] = {
            {"trainable", "lora:16"}, {"optimizer", "adamw"}, {"checkpointing", "all"}, {"split_ffn", "2"}};
        for (const auto& [technique, first] : firsts) {
            dock().findChild<QCheckBox*>(QStringLiteral("technique.%1.toggle").arg(QLatin1String(technique)))->click();
            settle();
            const std::string line = std::string(technique) + " = \"" + first + "\"";
            QVERIFY2(textHolds(line.c_str()), session().text().c_str());
        }
    }

    void anUnknownKeyIsMarkedAndTheRestOfTheFormLives()
    {
        dock().showText();
        auto* edit = find<QPlainTextEdit>("specText");
        QCOMPARE(edit->toPlainText().toStdString(), session().text());
        edit->setFocus();
        QTest::keyClicks(edit, QStringLiteral("modle = 1 "));
        settle();
        QVERIFY(session().text().starts_with("modle = 1 # mine\n"));
        QCOMPARE(edit->extraSelections().size(), 1);
        QCOMPARE(edit->extraSelections().at(0).cursor.blockNumber(), 0);
        QVERIFY(find<QLabel>("specText.problem")->text().contains(QStringLiteral("Line 1")));
        QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(edit->extraSelections().isEmpty());
        QVERIFY(edit->toPlainText().startsWith(QStringLiteral("# mine\n")));

        dock().showForm();
        load("modle = 1\n[model]\nname = \"ltx-video-tiny\"\nnum_layres = 4\n[techniques]\nchekpointing = \"all\"\n"
             "[workload]\nbatch = 3\nframes = 120\n");
        const auto* problem = find<QLabel>("form.problem");
        for (const char* key : {"\"modle\"", "\"num_layres\"", "\"chekpointing\""}) {
            QCOMPARE(problem->text().count(QLatin1String(key)), 1);
            QCOMPARE(timesSaid(QLatin1String(key)), 1);
        }
        QVERIFY(find<QWidget>("workload.batch")->isEnabled());
        QCOMPARE(find<QComboBox>("model.name.editor")->currentText(), QStringLiteral("ltx-video-tiny"));
        QVERIFY(find<QLabel>("model.facts")->isVisibleTo(&dock()) == false); // frames = 120 has none
        QVERIFY(find<QLabel>("workload.frames.note")->text().contains(QStringLiteral("113 or 121")));
        type("workload.frames.editor", QStringLiteral("121"));
        settle();
        QVERIFY(textHolds("frames = 121"));
        QVERIFY(find<QLabel>("model.facts")->isVisibleTo(&dock()));
        QVERIFY(session().plan()->trials.empty()); // nothing is run before they are gone
    }

private:
    QString labelOf(const char* row) const { return find<QWidget>(row)->findChild<QLabel*>()->text(); }
};

HEADROOM_UI_TEST(FieldProblemsTest)

} // namespace headroom::ui

#include "FieldProblemsTest.moc"
