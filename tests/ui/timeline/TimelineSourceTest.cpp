// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineSource.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/timeline/TracedWorkspace.h"
#include "ui/timeline/TraceArchive.h"

#include <QFile>

#include <random>

namespace headroom::ui {
namespace {

using figures::TimeWindow;

/// What arrives, slot by slot.
class Inbox : public QObject {
public:
    explicit Inbox(TimelineSource& source)
    {
        connect(&source, &TimelineSource::windowRead, this,
            [this](int, const TimelineWindowPtr& window) { windows.append(window); });
        connect(&source, &TimelineSource::summaryRead, this,
            [this](int, const TimelineSummary& summary) { summaries.append(summary); });
        connect(&source, &TimelineSource::cursorRead, this,
            [this](int, qint64, const std::vector<CursorValues>& values) { cursors.append(values.front()); });
        connect(&source, &TimelineSource::rangeRead, this,
            [this](int, const TimeWindow&, const std::vector<RangeValues>& values) { ranges.append(values.front()); });
        connect(&source, &TimelineSource::failed, this,
            [this](int, const TimelineSubject&, const QString& message) { failures.append(message); });
    }

    QList<TimelineWindowPtr> windows;
    QList<TimelineSummary> summaries;
    QList<CursorValues> cursors;
    QList<RangeValues> ranges;
    QStringList failures;
};

/// The same figure, from the events themselves. Bins of the source are aligned to the trace's stored clock.
figures::Figure expected(const TracedWorkspace& workspace, const TimelineWindow& window, std::int64_t originNs)
{
    figures::TimelineInput input;
    input.id = window.request.subject.trialId;
    input.title = window.request.subject.title;
    input.phases = workspace.phases(0);
    input.endNs = workspace.lengthNs(0);
    input.window = window.window;
    for (const trace::Counter counter : {trace::Counter::Allocated, trace::Counter::Reserved}) {
        figures::MemorySeries series{std::string(trace::counterName(counter)), {}};
        const auto range = trace::BinRange::covering(
            window.window.beginNs + originNs, window.window.endNs + originNs, window.request.bins);
        for (std::size_t i = 0; i < range.count; ++i) {
            const trace::Bucket bin = range.bucket(i);
            const std::int64_t begin = bin.beginNs - originNs;
            // The value that a bin comes in with counts, and each change inside.
            Bytes least = workspace.timeline(0).at(begin - 1).of(counter);
            Bytes most = least;
            for (std::int64_t at = begin; at < bin.endNs - originNs; ++at) {
                const auto exact = workspace.timeline(0).query(counter, at, at + 1, 2);
                least = std::min(least, exact.front().min);
                most = std::max(most, exact.front().max);
            }
            series.bins.push_back({std::max(begin, window.window.beginNs), least, most});
        }
        const trace::Peak peak = workspace.timeline(0).peak(counter);
        series.peak = figures::MemoryPeak{peak.bytes, peak.timeNs};
        input.series.push_back(std::move(series));
    }
    return figures::timelineFigure(input);
}

} // namespace

class TimelineSourceTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void aWindowIsTheFoldOfItsEvents();
    void theNewestWindowWins();
    void valuesAtATimeAreThoseOfTheEvents();
    void aRangeHasTheStatisticsOfItsEvents();
    void thePartsOfAPeakSumToIt();
    void aTrialWithoutATraceSaysHowToGetOne();
    void aWorkspaceThatVanishesIsASentence();
    void aWindowBeyondTheTraceIsCutToIt();
    void whatNobodyOwnsIsNotStacked();
    void theStackReachesUpToTheLineAboveIt();
    void categoriesAtATimeAreThoseOfTheEvents();
    void everyTreeOfThePeakSumsToIt();
    void eachWitnessHasALaneOfItsOwn();
    void aWitnessSaysWhatItToldAtATime();
};

void TimelineSourceTest::aWindowIsTheFoldOfItsEvents()
{
    const TracedWorkspace workspace;
    TimelineSource source;
    Inbox inbox(source);
    std::mt19937_64 random(11);
    for (int round = 0; round < 25; ++round) {
        TimelineRequest request = workspace.request(0);
        const std::int64_t length = 300 + static_cast<std::int64_t>(random() % 3'000);
        const auto from =
            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(workspace.lengthNs(0) - length));
        request.window = TimeWindow{from, from + length};
        request.bins = 20 + random() % 200;
        source.readWindow(0, request);
        QTRY_COMPARE(inbox.windows.size(), round + 1);
        const figures::Figure figure = expected(workspace, *inbox.windows.last(), workspace.originNs(0));
        QCOMPARE(inbox.windows.last()->lanes.size(), std::size_t(1));
        QVERIFY(inbox.windows.last()->lanes[0].figure->lines == figure.lines);
        QVERIFY(inbox.windows.last()->lanes[0].figure->bands == figure.bands);
    }
}

void TimelineSourceTest::theNewestWindowWins()
{
    const TracedWorkspace workspace;
    TimelineSource source;
    Inbox inbox(source);
    TimelineRequest request = workspace.request(0);
    for (int i = 1; i <= 200; ++i) {
        request.window = TimeWindow{i * 100, i * 100 + 50'000};
        source.readWindow(0, request);
    }
    QTRY_VERIFY(source.isIdle() && !inbox.windows.isEmpty() && inbox.windows.last()->window == *request.window);
    QVERIFY2(inbox.windows.size() < 200, "windows that nobody waits for are not read");
}

void TimelineSourceTest::valuesAtATimeAreThoseOfTheEvents()
{
    const TracedWorkspace workspace;
    TimelineSource source;
    Inbox inbox(source);
    for (int i = 0; i < 40; ++i) {
        const std::int64_t at = workspace.lengthNs(0) * i / 40;
        source.readCursor(0, workspace.request(0), at);
        QTRY_COMPARE(inbox.cursors.size(), i + 1);
        QCOMPARE(inbox.cursors.last().allocated, workspace.timeline(0).at(at).allocated);
        QCOMPARE(inbox.cursors.last().reserved, workspace.timeline(0).at(at).reserved);
    }
}

void TimelineSourceTest::aRangeHasTheStatisticsOfItsEvents()
{
    const TracedWorkspace workspace;
    TimelineSource source;
    Inbox inbox(source);
    const TimeWindow range{workspace.lengthNs(1) / 5, workspace.lengthNs(1) / 2};
    source.readRange(0, workspace.request(1), range);
    QTRY_COMPARE(inbox.ranges.size(), 1);
    QCOMPARE(
        inbox.ranges[0].max, workspace.timeline(1).peak(trace::Counter::Allocated, range.beginNs, range.endNs).bytes);
    QVERIFY(inbox.ranges[0].min < inbox.ranges[0].max);
    QVERIFY(inbox.ranges[0].mean > static_cast<double>(inbox.ranges[0].min));
    QVERIFY(inbox.ranges[0].mean < static_cast<double>(inbox.ranges[0].max));
}

void TimelineSourceTest::thePartsOfAPeakSumToIt()
{
    const TracedWorkspace workspace;
    TimelineSource source;
    Inbox inbox(source);
    source.readSummary(0, workspace.request(0));
    QTRY_COMPARE(inbox.summaries.size(), 1);
    const PeakContents& peak = inbox.summaries[0].peak;
    const trace::Peak exact = workspace.timeline(0).peak(trace::Counter::Allocated);
    QCOMPARE(peak.peak.bytes, exact.bytes);
    QCOMPARE(peak.peak.timeNs, exact.timeNs);
    Bytes sum = 0;
    for (const PeakPart& part : peak.parts)
        sum += part.bytes;
    QCOMPARE(sum, exact.bytes);
    QCOMPARE(peak.parts[0].name, std::string("Weights and buffers"));
    QCOMPARE(peak.parts[0].bytes, Bytes(30'000'000));
    QCOMPARE(peak.parts[1].name, std::string("Held since before this step"));
    QCOMPARE(peak.parts[1].bytes, Bytes(10'000'000));
    QCOMPARE(*peak.savedForBackward, Bytes(5'000'000));
    QCOMPARE(inbox.summaries[0].phasePeaks->at("device").size(), std::size_t(2));
}

void TimelineSourceTest::aTrialWithoutATraceSaysHowToGetOne()
{
    const TracedWorkspace workspace;
    TimelineSource source;
    Inbox inbox(source);
    source.readWindow(0, workspace.request(2));
    QTRY_COMPARE(inbox.windows.size(), 1);
    QVERIFY(inbox.windows[0]->missing.find("--trace") != std::string::npos);
    QVERIFY(inbox.windows[0]->lanes.empty());
}

void TimelineSourceTest::aWorkspaceThatVanishesIsASentence()
{
    const TracedWorkspace workspace;
    TimelineSource source;
    Inbox inbox(source);
    source.readWindow(0, workspace.request(0));
    QTRY_COMPARE(inbox.windows.size(), 1);
    QVERIFY(QFile::remove(QString::fromStdString(workspace.path())));
    source.readWindow(0, workspace.request(0));
    QTRY_COMPARE(inbox.failures.size(), 1);
    QVERIFY(inbox.failures[0].contains(QStringLiteral("not there any more")));
}

void TimelineSourceTest::aWindowBeyondTheTraceIsCutToIt()
{
    const TracedWorkspace workspace;
    TimelineSource source;
    Inbox inbox(source);
    TimelineRequest request = workspace.request(0);
    request.window = TimeWindow{-5'000, 4 * workspace.lengthNs(0)};
    source.readWindow(0, request);
    QTRY_COMPARE(inbox.windows.size(), 1);
    QCOMPARE(inbox.windows[0]->window.beginNs, std::int64_t(0));
    QCOMPARE(inbox.windows[0]->window.endNs, workspace.lengthNs(0));
}

void TimelineSourceTest::whatNobodyOwnsIsNotStacked()
{
    const TracedWorkspace workspace;
    TraceArchive archive;
    const TimelineWindowPtr window = archive.window(workspace.request(0));
    QCOMPARE(window->lanes.size(), std::size_t(1));
    QVERIFY(window->lanes[0].figure->layers.empty());
    QVERIFY(!archive.summary(workspace.request(0), {})->peak.trees);
    QVERIFY(!archive.valuesAt(workspace.request(0), 100)[0].categories);
}

void TimelineSourceTest::theStackReachesUpToTheLineAboveIt()
{
    const TracedWorkspace workspace(30'000, Told::OwnersAndRecords);
    TraceArchive archive;
    std::mt19937_64 random(3);
    for (int round = 0; round < 20; ++round) {
        TimelineRequest request = workspace.request(0);
        const std::int64_t length = 300 + static_cast<std::int64_t>(random() % 3'000'000);
        const auto from =
            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(workspace.lengthNs(0) - length));
        request.window = TimeWindow{from, from + length};
        request.bins = 20 + random() % 2'000;
        const TimelineWindowPtr window = archive.window(request);
        const figures::Figure& figure = *window->lanes[0].figure;
        QVERIFY(!figure.layers.empty());
        const auto& line = figure.bands[0].points;
        const auto& top = figure.layers.back().points;
        QCOMPARE(top.size(), line.size());
        for (std::size_t i = 0; i < line.size(); ++i)
            QVERIFY2(top[i].x == line[i].x && top[i].high == line[i].high,
                qPrintable(QStringLiteral("bin %1 of %2: %3 and %4 at %5 and %6")
                        .arg(i)
                        .arg(line.size())
                        .arg(top[i].high, 0, 'g', 15)
                        .arg(line[i].high, 0, 'g', 15)
                        .arg(top[i].x, 0, 'g', 15)
                        .arg(line[i].x, 0, 'g', 15)));
        for (std::size_t layer = 1; layer < figure.layers.size(); ++layer)
            for (std::size_t i = 0; i < line.size(); ++i)
                QCOMPARE(figure.layers[layer].points[i].low, figure.layers[layer - 1].points[i].high);
    }
}

void TimelineSourceTest::categoriesAtATimeAreThoseOfTheEvents()
{
    const TracedWorkspace workspace(30'000, Told::OwnersAndRecords);
    TraceArchive archive;
    for (int i = 1; i < 40; ++i) {
        const std::int64_t at = workspace.lengthNs(0) * i / 40;
        const CursorValues values = archive.valuesAt(workspace.request(0), at)[0];
        QVERIFY(values.categories.has_value());
        QCOMPARE(values.categories->total(), values.allocated);
        QVERIFY(*values.categories == workspace.categoriesAt(0, at));
    }
}

void TimelineSourceTest::everyTreeOfThePeakSumsToIt()
{
    const TracedWorkspace workspace(30'000, Told::OwnersAndRecords);
    TraceArchive archive;
    const auto summary = archive.summary(workspace.request(0), {});
    QVERIFY(summary && summary->peak.trees);
    QCOMPARE(summary->peak.trees->by.size(), std::size_t(4));
    const trace::CategoryBytes expected = workspace.categoriesAt(0, summary->peak.peak.timeNs);
    QVERIFY(summary->peak.trees->categories == expected);
    for (const auto& [grouping, tree] : summary->peak.trees->by)
        QVERIFY(tree.categories == expected);
    QCOMPARE(summary->peak.trees->by.at(trace::Grouping::Technique).rows.size(), std::size_t(2));
}

void TimelineSourceTest::eachWitnessHasALaneOfItsOwn()
{
    const TracedWorkspace workspace(30'000, Told::OwnersAndRecords);
    TraceArchive archive;
    const TimelineWindowPtr window = archive.window(workspace.request(0));
    QStringList tracks;
    for (const LaneWindow& lane : window->lanes)
        tracks.append(QString::fromStdString(lane.track));
    QCOMPARE(tracks.join(QStringLiteral("|")), QStringLiteral("device|host|device (NVML)|driver (CUPTI)|kernels"));
    QVERIFY(!window->lanes[0].isWitness && window->lanes[1].isWitness);
    QVERIFY(window->lanes[1].figure->notes.at(0).find("Sampled") != std::string::npos);
    QVERIFY(window->lanes[4].figure->description.find("busy for") != std::string::npos);
}

void TimelineSourceTest::aWitnessSaysWhatItToldAtATime()
{
    const TracedWorkspace workspace(30'000, Told::OwnersAndRecords);
    TraceArchive archive;
    const std::int64_t step = (workspace.lengthNs(0) - 10) / 100;
    const auto values = archive.valuesAt(workspace.request(0), 50 * step + step / 4);
    QCOMPARE(QString::fromStdString(values.at(1).told), QStringLiteral("resident 1.05 GiB, pinned 25.0 MiB"));
    QCOMPARE(QString::fromStdString(values.at(3).told), QStringLiteral("given out by the driver 64.0 MiB"));
    QCOMPARE(QString::fromStdString(values.at(4).told), QStringLiteral("busy"));
}

HEADROOM_UI_TEST(TimelineSourceTest)

} // namespace headroom::ui

#include "TimelineSourceTest.moc"
