// SPDX-License-Identifier: Apache-2.0
#include "ui/results/WorkspaceService.h"

#include "profiling/store/ThreadWithoutFiles.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/results/WorkspaceFixture.h"

#include <QSignalSpy>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::ui {
namespace {

// A trial more for the newest experiment, by another connection, as a run in another process would.
void addTrial(const std::filesystem::path& path, const std::string& trialId)
{
    store::Workspace writer = store::Workspace::open(path, store::Access::ReadWrite);
    const store::ExperimentRow experiment = writer.experiments().front();
    store::TrialRow row = writer.trials(experiment.id).front();
    row.trialId = trialId;
    row.ordinal = 100;
    writer.addTrials(experiment.id, std::vector{row});
}

// SQLite holds this byte of the -shm file as long as a connection is open. Another process has to ask: a process does
// not see its own locks, and would lose them by closing the file.
constexpr off_t kLivenessByte = 128;

bool isHeld(const std::filesystem::path& sharedMemory)
{
    const std::string name = sharedMemory.string();
    const pid_t child = ::fork();
    if (child == 0) {
        struct flock lock{};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = kLivenessByte;
        lock.l_len = 1;
        const int file = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
        ::_exit(file >= 0 && ::fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return status == 0;
}

} // namespace

class WorkspaceServiceTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void anotherReferenceIsOfItsCaseAndIsTakenBack()
    {
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        const auto trial = [&](std::size_t i) { return &service.results()->content().trials[i]; };
        const auto referenceOf = [&](std::size_t i) {
            return service.results()->comparison().groupOf(*trial(i)).reference;
        };
        QCOMPARE(referenceOf(1), trial(0));
        QCOMPARE(referenceOf(3), trial(2));
        const QString second = QString::fromStdString(trial(1)->id());
        service.toggleReference(second);
        QTRY_COMPARE(referenceOf(0), trial(1));
        QCOMPARE(referenceOf(3), trial(2));
        QVERIFY(service.isReference(second));
        QVERIFY(service.results()->comparison().versus(*trial(0)).savedBytes.has_value());
        service.toggleReference(second);
        QTRY_COMPARE(referenceOf(1), trial(0));
    }

    void deletedTrialsAreGoneFromTheWorkspaceAndTheScreen()
    {
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        fixture.run(std::string("name = \"last\"\n"));
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        service.showExperiments({1, 2});
        QTRY_VERIFY(service.results()->isOfSeveral());
        QCOMPARE(service.results()->content().trials.size(), std::size_t(5));
        const auto id = [&](std::size_t i) {
            return QString::fromStdString(service.results()->content().trials[i].id());
        };
        QSignalSpy deleted(&service, &WorkspaceService::trialsDeleted);
        const QSignalSpy failed(&service, &WorkspaceService::failed);
        service.deleteTrials({id(1), id(4)}); // the second has no other trial
        QTRY_COMPARE(deleted.count(), 1);
        QCOMPARE(deleted.first().first().toLongLong(), 2);
        QTRY_COMPARE(service.results()->content().trials.size(), std::size_t(3));
        QCOMPARE(service.results()->experiments(), std::vector<std::int64_t>{1});
        QCOMPARE(service.experiments()->size(), std::size_t(1));
        QCOMPARE(failed.count(), 0);
        QCOMPARE(fixture.results()->content().trials.size(), std::size_t(3));
    }

    void theNewestExperimentIsShownAndNothingOnTheThreadOfTheUserInterfaceTouchesAFile()
    {
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        const store::ThreadWithoutFiles here;
        WorkspaceService service;
        const QSignalSpy opened(&service, &WorkspaceService::opened);
        const QSignalSpy failed(&service, &WorkspaceService::failed);
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        QCOMPARE(opened.count(), 1);
        QCOMPARE(failed.count(), 0);
        QCOMPARE(service.path(), fixture.text());
        QCOMPARE(service.results()->content().experiment, std::string("four"));
        QCOMPARE(service.results()->table().rows.size(), std::size_t(4));
        QCOMPARE(service.durations()->size(), std::size_t(4));

        const ExperimentEntry& entry = service.experiments()->front();
        QCOMPARE(entry.name, QStringLiteral("four"));
        QCOMPARE(entry.trials, 4);
        QCOMPARE(entry.reached, 4);
        QCOMPARE(entry.outcomes, QStringLiteral("4 completed"));
        QCOMPARE(entry.models, QStringLiteral("ffn-stack-tiny"));
        QCOMPARE(entry.devices, QStringLiteral("sim:t4"));
        QCOMPARE(entry.state, report::RunState::Finished);
        QVERIFY(entry.startedAt.secsTo(QDateTime::currentDateTime()) < 600);
    }

    void anotherExperimentIsShownAndKeptUntilTheNewestIsAskedFor()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"first\"\n");
        fixture.run("name = \"second\"\n");
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        QCOMPARE(service.results()->content().experiment, std::string("second"));
        service.showExperiment(service.experiments()->back().id);
        QTRY_COMPARE(service.results()->content().experiment, std::string("first"));

        fixture.run("name = \"third\"\n");
        service.refresh();
        QTRY_COMPARE(service.experiments()->size(), std::size_t(3));
        QCOMPARE(service.results()->content().experiment, std::string("first"));
        service.showNewest();
        QTRY_COMPARE(service.results()->content().experiment, std::string("third"));
    }

    void whatOthersWriteIsSeenOnARefreshAndNothingElseIsReadAgain()
    {
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        const QSignalSpy changes(&service, &WorkspaceService::resultsChanged);
        addTrial(fixture.path(), "0123456789abcdef");
        for (int i = 0; i < 50; ++i)
            service.refresh();
        QTRY_COMPARE(service.results()->content().trials.size(), std::size_t(5));
        QCOMPARE(service.experiments()->front().trials, 5);
        QCOMPARE(service.experiments()->front().reached, 4);
        QVERIFY(!QTest::qWaitFor([&] { return changes.count() > 1; }, 700));
    }

    void newestWinsWhereSeveralAreAskedForAtOnce()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"first\"\n");
        fixture.run("name = \"second\"\n");
        fixture.run("name = \"third\"\n");
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        const auto ids = *service.experiments();
        const QSignalSpy changes(&service, &WorkspaceService::resultsChanged);
        service.showExperiment(ids[1].id);
        service.showNewest();
        service.showExperiment(ids[2].id);
        QTRY_COMPARE(service.results()->content().experiment, std::string("first"));
        QCOMPARE(changes.count(), 1);
    }

    void whatCannotBeOpenedIsSaidInASentenceAndLeavesTheOpenOne_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("said");
        QTest::newRow("missing") << QStringLiteral("missing.db") << QStringLiteral("There is no such workspace");
        QTest::newRow("text") << QStringLiteral("text.db") << QStringLiteral("not an SQLite database");
        QTest::newRow("newer") << QStringLiteral("newer.db") << QStringLiteral("newer Headroom");
        QTest::newRow("foreign") << QStringLiteral("foreign.db") << QStringLiteral("belongs to another program");
    }

    void whatCannotBeOpenedIsSaidInASentenceAndLeavesTheOpenOne()
    {
        QFETCH(QString, name);
        QFETCH(QString, said);
        const WorkspaceFixture fixture;
        fixture.run("name = \"first\"\n");
        fixture.folder().write("text.db", "what I did last summer");
        change(fixture.path("newer.db"), "PRAGMA user_version = 99");
        change(fixture.path("foreign.db"), "PRAGMA application_id = 1");
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        const QSignalSpy failed(&service, &WorkspaceService::failed);
        service.open(fixture.text(name.toStdString()));
        QTRY_COMPARE(failed.count(), 1);
        const QString message = failed.first().first().toString();
        QVERIFY2(message.contains(said), qPrintable(message));
        QVERIFY2(message.contains(name) && message.endsWith(QLatin1Char('.')), qPrintable(message));
        QVERIFY2(message.front().isUpper(), qPrintable(message));
        QCOMPARE(service.path(), fixture.text());
        QVERIFY(service.results());
        QVERIFY(!std::filesystem::exists(fixture.path("missing.db")));
    }

    void aNewWorkspaceIsMadeOnlyWhereNoFileIs()
    {
        const WorkspaceFixture fixture;
        WorkspaceService service;
        const QSignalSpy failed(&service, &WorkspaceService::failed);
        service.create(fixture.text("new.db"));
        QTRY_VERIFY(service.experiments());
        QVERIFY(service.experiments()->empty());
        QVERIFY(!service.results());
        QVERIFY(std::filesystem::exists(fixture.path("new.db")));
        fixture.folder().write("notes.db", "keep me");
        service.create(fixture.text("notes.db"));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(std::filesystem::file_size(fixture.path("notes.db")), std::uintmax_t(7));
    }

    void aFileThatWasDeletedIsReportedOnceAndReadAgainWhenThereIsANewOne()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"first\"\n");
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        const QSignalSpy failed(&service, &WorkspaceService::failed);
        for (const char* ending : {"", "-wal", "-shm"})
            std::filesystem::remove(fixture.path().string() + ending);
        service.refresh();
        QTRY_COMPARE(failed.count(), 1);
        service.refresh();
        QVERIFY(!QTest::qWaitFor([&] { return failed.count() > 1; }, 500));
        QVERIFY(service.results());
        fixture.run("name = \"again\"\n");
        service.refresh();
        QTRY_COMPARE(service.results()->content().experiment, std::string("again"));
    }

    void aFileThatTakesThePlaceOfTheOpenOneKeepsItsLocks()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"old\"\n");
        fixture.run("name = \"new\"\n", "other.db");
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        QVERIFY(isHeld(fixture.path("headroom.db-shm")));
        std::filesystem::rename(fixture.path("other.db"), fixture.path());
        service.refresh();
        QTRY_COMPARE(service.results()->content().experiment, std::string("new"));
        QVERIFY(isHeld(fixture.path("headroom.db-shm")));
        QCOMPARE(service.state(), WorkspaceState::Replaced);
    }

    void whatIsOpenIsSavedElsewhereAndNotTheFileInItsPlace()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"old\"\n");
        fixture.run("name = \"new\"\n", "other.db");
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        std::filesystem::rename(fixture.path("other.db"), fixture.path());
        service.saveElsewhere(fixture.text("elsewhere.db"), {});
        QTRY_COMPARE(service.path(), fixture.text("elsewhere.db"));
        QTRY_VERIFY(service.results());
        QCOMPARE(service.results()->content().experiment, std::string("old"));
    }

    void whatIsNoWorkspaceInThePlaceOfTheOpenOneLeavesThatOpen()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"old\"\n");
        fixture.folder().write("text.db", "what I did last summer");
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        const QSignalSpy failed(&service, &WorkspaceService::failed);
        std::filesystem::rename(fixture.path("text.db"), fixture.path());
        service.refresh();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("not an SQLite database")));
        service.saveElsewhere(fixture.text("elsewhere.db"), {});
        QTRY_COMPARE(service.path(), fixture.text("elsewhere.db"));
        QTRY_VERIFY(service.results());
        QCOMPARE(service.results()->content().experiment, std::string("old"));
    }

    void anExperimentThatIsNotThereIsRefusedAndTheShownOneStays()
    {
        const WorkspaceFixture fixture;
        fixture.run("name = \"first\"\n");
        WorkspaceService service;
        service.open(fixture.text());
        QTRY_VERIFY(service.results());
        const QSignalSpy failed(&service, &WorkspaceService::failed);
        service.showExperiment(77);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(service.isFollowingNewest());
        QCOMPARE(service.results()->content().experiment, std::string("first"));
    }

private:
    static void change(const std::filesystem::path& path, const std::string& sql)
    {
        store::Workspace::open(path, store::Access::Create);
        store::SqliteFile(path, store::Access::ReadWrite, store::workspaceSchema(), store::kDefaultBusyTimeout)
            .execute(sql);
    }
};

HEADROOM_UI_TEST(WorkspaceServiceTest)

} // namespace headroom::ui

#include "WorkspaceServiceTest.moc"
