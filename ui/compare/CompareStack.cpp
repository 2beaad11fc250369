// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/CompareStack.h"

#include "core/base/Quantities.h"
#include "experiments/figures/memory/PhaseSpans.h"
#include "ui/compare/CompareTables.h"

#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr std::size_t kBins = 3'000; ///< of each trial: more than there are pixels
constexpr double kTooCoarse = 2.5; ///< times the visible window: what was read for more is read again
constexpr double kBeside = 0.5; ///< share of the visible window that is read on each side of it

figures::TimeWindow within(const figures::TimeWindow& window, const figures::TimeWindow& whole)
{
    const std::int64_t begin = std::clamp(window.beginNs, whole.beginNs, whole.endNs - 1);
    return {begin, std::clamp(window.endNs, begin + 1, whole.endNs)};
}

figures::TimeWindow grown(const figures::TimeWindow& window)
{
    const auto by = static_cast<std::int64_t>(kBeside * static_cast<double>(window.lengthNs()));
    return {window.beginNs - by, window.endNs + by};
}

std::vector<figures::MemoryBin> moved(const std::vector<figures::MemoryBin>& bins, const SharedTime& time)
{
    std::vector<figures::MemoryBin> result = bins;
    for (figures::MemoryBin& bin : result)
        bin.beginNs = time.of(bin.beginNs);
    return result;
}

const figures::MemoryBin* binAt(const std::vector<figures::MemoryBin>& bins, std::int64_t timeNs)
{
    const auto after = std::ranges::upper_bound(bins, timeNs, {}, &figures::MemoryBin::beginNs);
    return after == bins.begin() ? nullptr : &*std::prev(after);
}

} // namespace

CompareStack::CompareStack(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_column(new LaneColumn(theme, m_navigator))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_column);
    m_column->setCount(m_lanes, 2);
    m_column->arrange({m_lanes.front(), m_lanes.back()});
    m_column->setSizes({1'700, 1'000});
    m_column->setObjectName(QStringLiteral("compareLanes"));
    for (TimelineLane* lane : m_lanes) // the axes say it, too
        lane->plot().setTitleLines(figures::TitleLines::Hidden);
    curves().setLabels({.timeName = false}); // it is that of the difference below
    difference().setLabels({.notes = false, .legend = false});
    connect(&m_navigator, &TimelineNavigator::windowChanged, this, &CompareStack::showWindow);
    connect(m_column, &LaneColumn::cursorMoved, this, &CompareStack::setCursor);
    connect(m_column, &LaneColumn::cursorStepped, this, [this](int px) {
        const std::int64_t step = std::max<std::int64_t>(curves().timeAt(1) - curves().timeAt(0), 1);
        const figures::TimeWindow& window = m_navigator.window();
        setCursor(m_cursorNs.value_or(window.beginNs + window.lengthNs() / 2) + px * step);
    });
    connect(m_column, &LaneColumn::cleared, this, &CompareStack::clearCursor);
    connect(&m_source, &TimelineSource::windowRead, this, &CompareStack::take);
    connect(&m_source, &TimelineSource::summaryRead, this, [this](int index, const TimelineSummary& summary) {
        const auto place = static_cast<std::size_t>(index);
        if (place >= m_trials.size() || m_trials[place].subject.trialId != summary.trialId)
            return;
        m_trials[place].summary = summary;
        Q_EMIT peaksChanged();
    });
    connect(
        &m_source, &TimelineSource::failed, this, [this](int index, const TimelineSubject&, const QString& message) {
            curves().setText(QStringLiteral("Compare"), message);
            m_pending.erase(static_cast<std::size_t>(index));
        });
}

void CompareStack::setSubjects(std::vector<TimelineSubject> subjects)
{
    subjects.resize(std::min(subjects.size(), kMostTrials));
    const bool isSame = std::ranges::equal(m_trials, subjects, {}, &Compared::subject);
    if (isSame)
        return;
    std::vector<Compared> before = std::exchange(m_trials, {});
    for (TimelineSubject& subject : subjects) {
        const auto known = std::ranges::find(before, subject, &Compared::subject);
        m_trials.push_back(
            known != before.end() ? std::move(*known) : Compared{std::move(subject), {}, {}, SharedTime(), {}});
    }
    m_shown = {};
    m_pending.clear();
    m_isAligned = false;
    clearCursor();
    m_navigator.restart({0, 1});
    for (std::size_t i = 0; i < m_trials.size(); ++i)
        read(i, std::nullopt);
    curves().setText(QStringLiteral("Compare"), QStringLiteral("Reading the timelines…"));
    difference().setText({}, {});
    Q_EMIT shownChanged();
}

void CompareStack::read(std::size_t index, const std::optional<figures::TimeWindow>& window)
{
    TimelineRequest request;
    request.subject = m_trials[index].subject;
    request.window = window;
    request.bins = kBins;
    m_trials[index].requested = window;
    m_pending.insert(index);
    m_source.readWindow(static_cast<int>(index), request);
}

void CompareStack::take(int index, const TimelineWindowPtr& window)
{
    const auto place = static_cast<std::size_t>(index);
    if (place >= m_trials.size() || m_trials[place].subject != window->request.subject)
        return;
    m_trials[place].window = window;
    answered(place);
}

// Drawn once for all that was requested together, rather than once for each of the trials.
void CompareStack::answered(std::size_t place)
{
    m_pending.erase(place);
    const bool areAllRead =
        std::ranges::all_of(m_trials, [](const Compared& trial) { return trial.window != nullptr; });
    if (!areAllRead || !m_pending.empty())
        return;
    if (m_isAligned)
        return showCurves();
    alignTrials();
    readPeaks();
}

void CompareStack::readPeaks()
{
    for (std::size_t i = 0; i < m_trials.size(); ++i)
        if (m_trials[i].hasTrace() && !m_trials[i].summary) {
            TimelineRequest request;
            request.subject = m_trials[i].subject;
            m_source.readSummary(static_cast<int>(i), request);
        }
}

std::vector<std::optional<TimelineSummary>> CompareStack::peaks() const
{
    std::vector<std::optional<TimelineSummary>> peaks;
    for (const Compared& trial : m_trials)
        peaks.push_back(trial.summary);
    return peaks;
}

void CompareStack::align(Alignment alignment, const std::string& phase)
{
    m_alignment = alignment;
    m_phase = phase;
    clearCursor();
    if (m_isAligned) // else as soon as all are read
        alignTrials();
}

const CompareStack::Compared* CompareStack::first() const
{
    const auto found = std::ranges::find_if(m_trials, &Compared::hasTrace);
    return found == m_trials.end() ? nullptr : &*found;
}

void CompareStack::alignTrials()
{
    m_isAligned = true;
    std::optional<figures::TimeWindow> whole;
    const Alignment used = alignment();
    for (Compared& trial : m_trials) {
        if (!trial.hasTrace())
            continue;
        trial.time = timeOf(trial, used, m_phase).value_or(SharedTime());
        const figures::TimeWindow own = trial.time.of(trial.window->whole);
        whole = whole ? united(*whole, own) : own;
    }
    if (whole)
        m_navigator.restart(*whole);
    showCurves();
    Q_EMIT shownChanged();
}

std::optional<SharedTime> CompareStack::timeOf(
    const Compared& trial, Alignment alignment, const std::string& phase) const
{
    if (alignment == Alignment::Share)
        return figures::sharedByLength(trial.window->whole.lengthNs(), first()->window->whole.lengthNs());
    return figures::sharedTime(*trial.window->phases, *first()->window->phases, alignment, phase);
}

bool CompareStack::canAlign(Alignment alignment, const std::string& phase) const
{
    return first() != nullptr && std::ranges::all_of(m_trials, [&](const Compared& trial) {
        return !trial.hasTrace() || timeOf(trial, alignment, phase).has_value();
    });
}

// The same for all trials, so that a difference is one of the same moment.
Alignment CompareStack::alignment() const
{
    for (const Alignment next : {m_alignment, Alignment::Steps})
        if (canAlign(next, m_phase))
            return next;
    return Alignment::Start;
}

std::vector<std::string> CompareStack::commonPhases() const
{
    std::vector<std::string> names;
    if (first() == nullptr)
        return names;
    for (const trace::PhaseSpan& phase : *first()->window->phases) {
        if (std::ranges::find(names, phase.name) == names.end() && canAlign(Alignment::Phase, phase.name))
            names.push_back(phase.name);
    }
    return names;
}

std::size_t CompareStack::trialsWithTimeline() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_trials, &Compared::hasTrace));
}

figures::ComparisonInput CompareStack::input() const
{
    figures::ComparisonInput input;
    input.title = "Allocated memory";
    std::optional<figures::TimeWindow> known;
    for (std::size_t i = 0; i < m_trials.size(); ++i) {
        const Compared& trial = m_trials[i];
        if (!trial.hasTrace() || trial.window->lanes.empty())
            continue;
        const LaneWindow& lane = trial.window->lanes.front();
        const trace::PhaseSpan* phase = trace::phaseAt(*trial.window->phases, lane.peak.timeNs);
        input.trials.push_back({trial.subject.trialId, trial.subject.title, trial.window->provenance,
            moved(lane.allocated, trial.time), {lane.peak.bytes, trial.time.of(lane.peak.timeNs)},
            phase != nullptr ? phase->name : std::string(), i, letterOf(i)});
        const figures::TimeWindow own = trial.time.of(trial.window->window);
        known = known ? united(*known, own) : own;
    }
    if (first() != nullptr)
        input.phases = *first()->window->phases;
    input.window = known.value_or(figures::TimeWindow{0, 1});
    const bool isStretched = alignment() != Alignment::Start && alignment() != Alignment::Phase;
    if (isStretched && input.trials.size() > 1)
        input.timeName = "Time of " + input.trials.front().letter;
    return input;
}

void CompareStack::showCurves()
{
    m_shown = input();
    if (m_shown.trials.empty())
        return curves().setText(QStringLiteral("Compare"),
            QStringLiteral("None of these trials has a timeline. "
                           "Run them with tracing on."));
    TimelineWindow window;
    window.whole = m_navigator.whole();
    window.window = m_shown.window;
    window.phases = std::make_shared<const std::vector<trace::PhaseSpan>>(m_shown.phases);
    const auto laneOf = [](figures::Figure figure) {
        LaneWindow lane;
        lane.figure = std::make_shared<const figures::Figure>(std::move(figure));
        return lane;
    };
    curves().setData(laneOf(figures::comparisonFigure(m_shown)), window, m_navigator.window());
    difference().setData(laneOf(figures::differenceFigure(m_shown)), window, m_navigator.window());
    LaneColumn::alignPlots({m_lanes.front(), m_lanes.back()});
    Q_EMIT cursorChanged();
}

void CompareStack::showWindow()
{
    for (TimelineLane* lane : m_lanes)
        lane->setWindow(m_navigator.window());
    readFiner();
}

void CompareStack::readFiner()
{
    const figures::TimeWindow& visible = m_navigator.window();
    for (std::size_t i = 0; i < m_trials.size(); ++i) {
        const Compared& trial = m_trials[i];
        if (!trial.hasTrace())
            continue;
        const figures::TimeWindow whole = trial.window->whole;
        const figures::TimeWindow needed = within(trial.time.own(visible), whole);
        const figures::TimeWindow read = trial.requested.value_or(whole);
        const bool isThere = read.beginNs <= needed.beginNs && read.endNs >= needed.endNs;
        const bool isFine = static_cast<double>(read.lengthNs()) <= kTooCoarse * static_cast<double>(needed.lengthNs());
        if (!isThere || !isFine)
            this->read(i, within(grown(needed), whole));
    }
}

void CompareStack::setCursor(std::int64_t timeNs)
{
    m_cursorNs = std::clamp(timeNs, m_navigator.whole().beginNs, m_navigator.whole().endNs - 1);
    for (TimelineLane* lane : m_lanes)
        lane->setCursorTime(m_cursorNs);
    Q_EMIT cursorChanged();
}

void CompareStack::clearCursor()
{
    m_cursorNs.reset();
    for (TimelineLane* lane : m_lanes)
        lane->setCursorTime({});
    Q_EMIT cursorChanged();
}

QString CompareStack::readout() const
{
    if (!m_cursorNs || m_shown.trials.empty())
        return {};
    QStringList words;
    const trace::PhaseSpan* phase = trace::phaseAt(m_shown.phases, *m_cursorNs);
    words.append(QString::fromStdString(
        timeText(*m_cursorNs) + (phase != nullptr ? ", " + figures::phaseTitle(*phase) : std::string())));
    const figures::MemoryBin* reference = binAt(m_shown.trials.front().bins, *m_cursorNs);
    for (std::size_t i = 0; i < m_shown.trials.size(); ++i) {
        const figures::MemoryBin* bin = binAt(m_shown.trials[i].bins, *m_cursorNs);
        if (bin == nullptr)
            continue;
        std::string text = m_shown.trials[i].letter + " " + sizeText(bin->max);
        if (i > 0 && reference != nullptr)
            text += " (" + signedSizeText(bin->max - reference->max) + ")";
        words.append(QString::fromStdString(text));
    }
    return words.join(QStringLiteral(" · "));
}

} // namespace headroom::ui
