// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/SpecSession.h"
#include "tests/support/TextFiles.h"
#include "tests/ui/FileBytes.h"
#include "tests/ui/UiTest.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace headroom::ui {
namespace {

// Behind it a comment, a key that no form shows and a table of its own: what must not be lost.
const std::string kSpec = "# about this\nname = \"mine\" # short\n\n[model]\nname = \"ffn-stack-tiny\" # small\n\n"
                          "[techniques]\nsplit_ffn = \"off\" # for now\n\n[[exclude]]\nsplit_ffn = \"4\"\n"
                          "reason = \"known\"\n\n# the end\n";

bool isPlanned(const SpecSession& session)
{
    return !session.isPlanning();
}

std::string labelsOf(const Plan& plan)
{
    std::string labels;
    for (const auto& trial : plan.trials)
        labels += trial.label + "\n";
    return labels;
}

} // namespace

class SpecSessionTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aNewSpecCanBeRun();
    void settingAValueChangesTextAndPlan();
    void undoAndRedoGiveTheTextBackByteForByte();
    void typingInOneFieldIsUndoneAtOnce();
    void typingInTwoFieldsIsUndoneOneByOne();
    void aPresetIsSavedWithItsComments();
    void whatChangesAfterASaveIsSaidToBeUnsaved();
    void aFailedSaveLosesNothing();
    void aFailedOpenLosesNothing();
    void aFileThatIsNoTextIsRefused();
    void aFileWithAMistakeIsKeptAndItsLineNamed();
    void aTextThatIsNoTomlIsKept();
    void unknownKeysAreToldAndTheRestIsRead();
    void aModelFileThatIsNotThereIsAProblemOfTheModel();
    void anotherExperimentHasAnotherNumber();
    void conflictsAreCountedByTechnique();
    void aHopelessValueIsAProblemAtItsPathAndItsConflict();
    void editsGoToTheChosenPart();
    void theNewestPlanWins();
    void theEstimateCountsWhatIsKnown();
    void cataloguesAreReadInTheBackground();
};

void SpecSessionTest::aNewSpecCanBeRun()
{
    SpecSession session;
    QTRY_VERIFY(isPlanned(session));
    QVERIFY(session.plan()->problems.empty());
    QCOMPARE(session.plan()->trials.size(), std::size_t(1));
    QVERIFY(session.plan()->parts.at(0).facts->parameters > 0);
    QVERIFY(!session.isModified());
    QVERIFY(session.path().isEmpty());
}

void SpecSessionTest::settingAValueChangesTextAndPlan()
{
    SpecSession session;
    session.loadText(kSpec, QStringLiteral("mine"));
    session.set(QStringLiteral("techniques.split_ffn"), QStringLiteral("[\"off\", \"2\"]"));
    QVERIFY(session.text().find("split_ffn = [\"off\", \"2\"] # for now\n") != std::string::npos);
    QVERIFY(session.isModified());
    QTRY_VERIFY(isPlanned(session));
    QCOMPARE(labelsOf(*session.plan()), std::string("baseline\nsplit_ffn 2\n"));
}

void SpecSessionTest::undoAndRedoGiveTheTextBackByteForByte()
{
    SpecSession session;
    session.loadText(kSpec, QStringLiteral("mine"));
    session.set(QStringLiteral("techniques.split_ffn"), QStringLiteral("\"2\""));
    session.set(QStringLiteral("workload.batch"), QStringLiteral("[1, 2]"));
    session.clear(QStringLiteral("techniques.split_ffn"));
    const std::string edited = session.text();
    QCOMPARE(session.undoStack()->count(), 3);
    QCOMPARE(session.undoStack()->text(0), QStringLiteral("split_ffn: off \u2192 2"));
    QCOMPARE(session.undoStack()->text(1), QStringLiteral("batch: 2 \u2192 1, 2"));
    QCOMPARE(session.undoStack()->text(2), QStringLiteral("split_ffn: 2 \u2192 default"));
    session.undoStack()->setIndex(0);
    QCOMPARE(session.text(), kSpec);
    QVERIFY(!session.isModified());
    session.undoStack()->setIndex(3);
    QCOMPARE(session.text(), edited);
}

void SpecSessionTest::typingInOneFieldIsUndoneAtOnce()
{
    SpecSession session;
    session.loadText(kSpec, QStringLiteral("mine"));
    for (const char* typed : {"1", "12", "128"})
        session.set(QStringLiteral("workload.batch"), QLatin1String(typed), EditKind::Typing);
    QCOMPARE(session.undoStack()->count(), 1);
    QCOMPARE(session.undoStack()->text(0), QStringLiteral("batch: 2 \u2192 128"));
    session.endTyping();
    session.set(QStringLiteral("workload.batch"), QStringLiteral("64"), EditKind::Typing);
    QCOMPARE(session.undoStack()->count(), 2);
    session.undoStack()->undo();
    session.undoStack()->undo();
    QCOMPARE(session.text(), kSpec);
}

void SpecSessionTest::typingInTwoFieldsIsUndoneOneByOne()
{
    SpecSession session;
    session.loadText(kSpec, QStringLiteral("mine"));
    session.set(QStringLiteral("workload.batch"), QStringLiteral("2"), EditKind::Typing);
    session.set(QStringLiteral("workload.seed"), QStringLiteral("3"), EditKind::Typing);
    QCOMPARE(session.undoStack()->count(), 2);
}

void SpecSessionTest::aPresetIsSavedWithItsComments()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.toml"));
    SpecSession session;
    session.loadPreset(QStringLiteral("demo"));
    QTRY_COMPARE(session.title(), QStringLiteral("demo"));
    QVERIFY(session.path().isEmpty());
    const std::string preset = session.text();
    session.set(QStringLiteral("techniques.split_ffn"), QStringLiteral("\"4\""));
    QSignalSpy saved(&session, &SpecSession::saved);
    session.saveAs(path);
    QTRY_COMPARE(saved.count(), 1);
    QCOMPARE(session.path(), path);
    QVERIFY(!session.isModified());
    session.newSpec();
    session.open(path);
    QTRY_COMPARE(session.path(), path);
    std::string expected = preset;
    const std::string line = "checkpointing = [\"none\", \"all\", \"every:2\", \"every:4\"]\n";
    expected.insert(expected.find(line) + line.size(), "split_ffn = \"4\"\n");
    QCOMPARE(session.text(), expected);
}

void SpecSessionTest::whatChangesAfterASaveIsSaidToBeUnsaved()
{
    const QTemporaryDir folder;
    SpecSession session;
    session.loadText(kSpec, QStringLiteral("mine"));
    session.set(QStringLiteral("workload.batch"), QStringLiteral("4"));
    QSignalSpy saved(&session, &SpecSession::saved);
    session.saveAs(folder.filePath(QStringLiteral("mine.toml")));
    QTRY_COMPARE(saved.count(), 1);
    QSignalSpy modified(&session, &SpecSession::modifiedChanged);
    session.set(QStringLiteral("workload.batch"), QStringLiteral("8"));
    QCOMPARE(modified.count(), 1);
    QVERIFY(modified.takeFirst().at(0).toBool());
    session.undoStack()->undo();
    QCOMPARE(modified.count(), 1);
    QVERIFY(!modified.takeFirst().at(0).toBool());
}

void SpecSessionTest::aFailedSaveLosesNothing()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("kept.toml"));
    writeText(path.toStdString(), kSpec);
    SpecSession session;
    session.open(path);
    QTRY_COMPARE(session.path(), path);
    session.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
    QSignalSpy failed(&session, &SpecSession::failed);
    session.saveAs(folder.filePath(QStringLiteral("no/such/folder.toml")));
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.at(0).at(0).toString().contains(QStringLiteral("cannot be saved")));
    QCOMPARE(session.path(), path);
    QVERIFY(session.isModified());
    QCOMPARE(bytesOf(path), QByteArray::fromStdString(kSpec));
    session.newSpec();
    session.save();
    QCOMPARE(failed.count(), 2);
}

void SpecSessionTest::aFailedOpenLosesNothing()
{
    SpecSession session;
    session.loadText(kSpec, QStringLiteral("mine"));
    session.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
    const std::string text = session.text();
    QSignalSpy failed(&session, &SpecSession::failed);
    session.open(QStringLiteral("/no/such/file.toml"));
    session.loadPreset(QStringLiteral("dmeo"));
    QTRY_COMPARE(failed.count(), 2);
    QVERIFY(failed.at(1).at(0).toString().contains(QStringLiteral("did you mean \"demo\"")));
    QCOMPARE(session.text(), text);
    QCOMPARE(session.undoStack()->count(), 1);
}

void SpecSessionTest::aFileThatIsNoTextIsRefused()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("latin.toml"));
    writeText(path.toStdString(), "name = \"\xE9\"\n");
    SpecSession session;
    QSignalSpy failed(&session, &SpecSession::failed);
    session.open(path);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.at(0).at(0).toString().contains(QStringLiteral("UTF-8")));
}

void SpecSessionTest::aFileWithAMistakeIsKeptAndItsLineNamed()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("typo.toml"));
    const QByteArray text = "# mine\n[model]\nname = \"ffn-stack-tiny\"\nnum_layres = 4\n";
    writeText(path.toStdString(), text.toStdString());
    SpecSession session;
    session.open(path);
    QTRY_COMPARE(session.path(), path);
    QTRY_VERIFY(isPlanned(session));
    QCOMPARE(QByteArray::fromStdString(session.text()), text);
    const auto& problems = session.plan()->problems;
    QCOMPARE(problems.size(), std::size_t(1));
    QCOMPARE(problems[0].line, 4);
    QCOMPARE(problems[0].path, std::string("model.num_layres"));
    QVERIFY(QString::fromStdString(problems[0].message).contains(QStringLiteral("num_layers")));
    session.clear(QStringLiteral("model.num_layres"));
    QTRY_VERIFY(isPlanned(session));
    QVERIFY(session.plan()->problems.empty());
}

void SpecSessionTest::aTextThatIsNoTomlIsKept()
{
    SpecSession session;
    session.setText(QStringLiteral("[model]\nname = = 3\n"));
    QTRY_VERIFY(isPlanned(session));
    QVERIFY(!session.plan()->isReadable);
    QCOMPARE(session.plan()->problems.at(0).line, 2);
    QSignalSpy failed(&session, &SpecSession::failed);
    session.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
    QCOMPARE(failed.count(), 1);
    QCOMPARE(session.text(), std::string("[model]\nname = = 3\n"));
}

void SpecSessionTest::unknownKeysAreToldAndTheRestIsRead()
{
    SpecSession session;
    session.loadText("modle = 1\n[model]\nname = \"ffn-stack-tiny\"\nnum_layres = 4\n[techniques]\nsplit_fnn = "
                     "\"2\"\n[workload]\nbatch = 5\n[[part]]\n[[part]]\n",
        {});
    QTRY_VERIFY(isPlanned(session));
    const Plan& plan = *session.plan();
    QVERIFY(plan.isReadable);
    QCOMPARE(plan.document.settings.at("workload.batch").value, config::Value(5));
    QCOMPARE(plan.problems.size(), std::size_t(3)); // what both parts share is told once
    QCOMPARE(plan.problems[0].path, std::string("modle"));
    QCOMPARE(plan.problems[1].path, std::string("techniques.split_fnn"));
    QCOMPARE(plan.problems[2].path, std::string("model.num_layres"));
    QCOMPARE(plan.parts.size(), std::size_t(2));
    QVERIFY(plan.parts[0].facts.has_value());
    QVERIFY(plan.trials.empty());
}

void SpecSessionTest::aModelFileThatIsNotThereIsAProblemOfTheModel()
{
    SpecSession session;
    session.newSpecOf(QStringLiteral("/nowhere/config.json"));
    QTRY_VERIFY(isPlanned(session));
    QCOMPARE(session.plan()->problems.size(), std::size_t(1));
    QCOMPARE(session.plan()->problems[0].path, std::string("model.name"));
    QVERIFY(session.plan()->problems[0].message.find("/nowhere/config.json") != std::string::npos);
    session.set(QStringLiteral("model.name"), QStringLiteral("\"ffn-stack-tiny\""));
    QTRY_VERIFY(isPlanned(session));
    QVERIFY(session.plan()->problems.empty());
    session.loadText("[model]\nconfig = \"a.json\"\n", {});
    session.set(QStringLiteral("model.name"), QStringLiteral("\"ffn-stack-tiny\""));
    QTRY_VERIFY(isPlanned(session));
    QVERIFY(session.plan()->problems.empty());
}

void SpecSessionTest::anotherExperimentHasAnotherNumber()
{
    SpecSession session;
    QTRY_VERIFY(isPlanned(session));
    const int first = session.plannedDocument();
    session.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
    QTRY_VERIFY(isPlanned(session));
    QCOMPARE(session.plannedDocument(), first);
    session.newSpec();
    QTRY_VERIFY(isPlanned(session));
    QVERIFY(session.plannedDocument() != first);
}

void SpecSessionTest::conflictsAreCountedByTechnique()
{
    SpecSession session;
    session.loadText("[model]\nname = \"ffn-stack-tiny\"\n[techniques]\nsplit_ffn = [\"off\", \"2\", \"7\"]\n", {});
    QTRY_VERIFY(isPlanned(session));
    session.set(QStringLiteral("model.dim"), QStringLiteral("[64, 56]"));
    QTRY_VERIFY(isPlanned(session));
    const Plan& plan = *session.plan();
    QVERIFY2(plan.problems.empty(), plan.problems.empty() ? "" : plan.problems[0].message.c_str());
    QCOMPARE(plan.trials.size(), std::size_t(6));
    QCOMPARE(plan.skippedTrials, std::size_t(1));
    QCOMPARE(plan.skipped.at(0).trials, std::size_t(1));
    QCOMPARE(plan.conflicts.at("techniques.split_ffn").at(0).trials, std::size_t(1));
}

void SpecSessionTest::aHopelessValueIsAProblemAtItsPathAndItsConflict()
{
    SpecSession session;
    session.loadText("[model]\nname = \"ffn-stack-tiny\"\n[techniques]\nsplit_ffn = \"7\"\n", {});
    QTRY_VERIFY(isPlanned(session));
    QCOMPARE(session.plan()->problems.at(0).path, std::string("techniques.split_ffn"));
    QCOMPARE(session.plan()->problems.at(0).line, 4);
    const std::string& reason = session.plan()->conflicts.at("techniques.split_ffn").at(0).problem.text;
    QVERIFY(reason.find("does not divide") != std::string::npos);
}

void SpecSessionTest::editsGoToTheChosenPart()
{
    SpecSession session;
    session.loadPreset(QStringLiteral("demo"));
    QTRY_COMPARE(session.title(), QStringLiteral("demo"));
    QTRY_VERIFY(isPlanned(session));
    QCOMPARE(session.plan()->parts.size(), std::size_t(2));
    session.choosePart(1);
    session.set(QStringLiteral("workload.frames"), QStringLiteral("49"));
    QTRY_VERIFY(isPlanned(session));
    QCOMPARE(session.plan()->document.parts[1].at("workload.frames").value, config::Value(49));
    QCOMPARE(session.plan()->document.parts[0].at("workload.frames").value, config::Value(33));
    session.newSpec();
    QCOMPARE(session.part(), -1);
}

void SpecSessionTest::theNewestPlanWins()
{
    SpecSession session;
    QTRY_VERIFY(isPlanned(session));
    QString many = QStringLiteral("[1");
    for (int batch = 2; batch <= 60'000; ++batch)
        many += QStringLiteral(", %1").arg(batch);
    QSignalSpy planned(&session, &SpecSession::planChanged);
    session.set(QStringLiteral("workload.batch"), many + QStringLiteral("]"));
    session.set(QStringLiteral("workload.batch"), QStringLiteral("3"));
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(session), 30'000);
    QCOMPARE(session.plan()->trials.size(), std::size_t(1));
    QCOMPARE(planned.count(), 1);
}

void SpecSessionTest::theEstimateCountsWhatIsKnown()
{
    SpecSession session;
    session.loadText("[model]\nname = \"ffn-stack-tiny\"\n[device]\nname = [\"cpu\", \"sim:t4\"]\n[workload]\nbatch = "
                     "[1, 2]\n[protocol]\nrepeats = 3\n",
        {});
    QTRY_VERIFY(isPlanned(session));
    QCOMPARE(inWords(session.estimate()), std::string("time not known yet"));
    Durations durations;
    durations.secondsPerSimulatedTrial = 0.5;
    durations.secondsPerRepeat[session.plan()->trials[0].trialId] = 13;
    session.setDurations(durations);
    QTRY_COMPARE(inWords(session.estimate()), std::string("about 40 s, not counting 1 trial that never ran"));
}

void SpecSessionTest::cataloguesAreReadInTheBackground()
{
    SpecSession session;
    QSignalSpy read(&session, &SpecSession::cataloguesChanged);
    QTRY_COMPARE(read.count(), 1);
    QVERIFY(session.presets().size() >= 5);
    QCOMPARE(session.devices().front().notation, QStringLiteral("cpu"));
    QVERIFY(session.devices().size() >= 9);
}

HEADROOM_UI_TEST(SpecSessionTest)

} // namespace headroom::ui

#include "SpecSessionTest.moc"
