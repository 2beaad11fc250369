// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineStack.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr double kBinsPerPx = 2; ///< what is read has at least half of them
constexpr std::size_t kMostBins = 16'000;
constexpr double kAround = 0.1; ///< margin on each side of what is centred, as a share of it

figures::TimeWindow around(const figures::TimeWindow& window)
{
    const auto by = static_cast<std::int64_t>(kAround * static_cast<double>(window.lengthNs())) + 1;
    return {window.beginNs - by, window.endNs + by};
}

std::int64_t middle(const figures::TimeWindow& window)
{
    return window.beginNs + window.lengthNs() / 2;
}

} // namespace

TimelineStack::TimelineStack(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_lanes(new LaneColumn(theme, m_navigator))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_lanes);
    connect(&m_navigator, &TimelineNavigator::windowChanged, this, &TimelineStack::moveLanes);
    connect(m_lanes, &LaneColumn::cursorMoved, this, &TimelineStack::setCursor);
    connect(m_lanes, &LaneColumn::cursorStepped, this, &TimelineStack::stepCursor);
    connect(m_lanes, &LaneColumn::rangeChanged, this, &TimelineStack::setRange);
    connect(m_lanes, &LaneColumn::cleared, this, &TimelineStack::clearMarks);
    connectSource();
}

void TimelineStack::connectSource()
{
    connect(&m_source, &TimelineSource::windowRead, this, &TimelineStack::take);
    connect(&m_source, &TimelineSource::failed, this,
        [this](int index, const TimelineSubject& subject, const QString& message) {
            if (TimelineSlot* slot = slotAt(index, subject))
                say(*slot, message);
        });
    connect(&m_source, &TimelineSource::summaryRead, this, [this](int index, const TimelineSummary& summary) {
        if (index >= static_cast<int>(m_slots.size()) || m_slots[index].subject.trialId != summary.trialId)
            return;
        m_slots[index].summary = summary;
        m_slots[index].requested.reset(); // to read it again with the peaks of its phases
        readWhatIsMissing();
        Q_EMIT shownChanged();
    });
    connect(&m_source, &TimelineSource::cursorRead, this,
        [this](int index, qint64 timeNs, const std::vector<CursorValues>& values) {
            if (index >= static_cast<int>(m_slots.size()) || !m_cursorNs
                || *m_cursorNs + m_slots[index].shiftNs != timeNs)
                return;
            m_slots[index].cursor = values;
            Q_EMIT marksChanged();
        });
    connect(&m_source, &TimelineSource::rangeRead, this,
        [this](int index, const figures::TimeWindow& range, const std::vector<RangeValues>& values) {
            if (index >= static_cast<int>(m_slots.size()) || !m_range || m_slots[index].own(*m_range) != range)
                return;
            m_slots[index].range = values;
            Q_EMIT marksChanged();
        });
}

void TimelineStack::setSubjects(const std::vector<TimelineSubject>& subjects)
{
    std::deque<TimelineSlot> before = std::exchange(m_slots, {});
    const bool keepsSome = std::ranges::any_of(
        before, [&](const TimelineSlot& slot) { return std::ranges::find(subjects, slot.subject) != subjects.end(); });
    for (const TimelineSubject& subject : subjects) {
        const auto known = std::ranges::find(before, subject, &TimelineSlot::subject);
        if (known != before.end())
            m_slots.push_back(std::exchange(*known, {}));
        else
            m_slots.emplace_back().subject = subject;
    }
    for (TimelineSlot& slot : before)
        m_lanes->setCount(slot.lanes, 0);
    if (!keepsSome) {
        clearMarks();
        m_navigator.restart({0, 1});
    }
    for (int i = 0; i < static_cast<int>(m_slots.size()); ++i) {
        if (m_slots[i].window)
            continue;
        m_lanes->setCount(m_slots[i].lanes, 1);
        m_slots[i].lanes.front()->setText(
            QString::fromStdString(m_slots[i].subject.title), QStringLiteral("Reading the timeline…"));
        readWhole(i);
    }
    arrangeLanes();
    updateWhole();
    shareMemoryAxes();
    Q_EMIT shownChanged();
}

TimelineSlot* TimelineStack::slotAt(int index, const TimelineSubject& subject)
{
    return index < static_cast<int>(m_slots.size()) && m_slots[index].subject == subject ? &m_slots[index] : nullptr;
}

// Replaces the current figure, and moves it if the view has moved on in the meantime.
void TimelineStack::take(int index, const TimelineWindowPtr& window)
{
    TimelineSlot* slot = slotAt(index, window->request.subject);
    if (slot == nullptr)
        return;
    const bool isFirst = !slot->window || slot->window->repeat != window->repeat;
    slot->window = window;
    if (!window->missing.empty())
        return say(*slot, QString::fromStdString(window->missing));
    if (!slot->requested)
        slot->requested = window->window;
    m_lanes->setCount(slot->lanes, window->lanes.size());
    updateWhole();
    for (std::size_t i = 0; i < slot->lanes.size(); ++i)
        slot->lanes[i]->setData(window->lanes[i], *window, m_navigator.window());
    shareMemoryAxes();
    if (!isFirst)
        return;
    slot->summary.reset();
    m_source.readSummary(index, slot->request());
    arrangeLanes();
    readWhatIsMissing();
    Q_EMIT shownChanged();
}

void TimelineStack::say(TimelineSlot& slot, const QString& message)
{
    m_lanes->setCount(slot.lanes, 1);
    slot.lanes.front()->setText(QString::fromStdString(slot.subject.title), message);
    slot.requested.reset();
    Q_EMIT shownChanged();
}

QList<TimelineLane*> TimelineStack::lanes() const
{
    QList<TimelineLane*> lanes;
    for (const TimelineSlot& slot : m_slots)
        for (TimelineLane* lane : slot.lanes)
            lanes.append(lane);
    return lanes;
}

void TimelineStack::arrangeLanes()
{
    m_lanes->arrange(lanes());
    const QList<TimelineLane*> all = lanes();
    const auto own = std::ranges::count_if(all, [](const TimelineLane* lane) { return !lane->data().isWitness; });
    for (TimelineLane* lane : all) {
        lane->setCursorTime(m_cursorNs);
        lane->setRange(m_range);
        const bool isAlone = own == 1 && lane == all.front();
        const bool hasLegend = lane == all.front() || lane->data().isWitness;
        lane->setLabels({.notes = isAlone, .legend = hasLegend, .explained = m_explained});
    }
}

void TimelineStack::setExplained(const std::vector<std::string>& names)
{
    if (names == m_explained)
        return;
    m_explained = names;
    arrangeLanes();
}

void TimelineStack::readWhole(int index)
{
    TimelineRequest request = m_slots[index].request();
    request.bins = binsFor(m_slots[index], m_navigator.window());
    m_source.readWindow(index, request);
}

void TimelineStack::readWhatIsMissing()
{
    for (int i = 0; i < static_cast<int>(m_slots.size()); ++i) {
        const auto window = m_slots[i].missing(m_navigator.window());
        if (!window)
            continue;
        m_slots[i].requested = window;
        TimelineRequest request = m_slots[i].request();
        request.window = window;
        request.bins = binsFor(m_slots[i], *window);
        m_source.readWindow(i, request);
    }
}

std::size_t TimelineStack::binsFor(const TimelineSlot& slot, const figures::TimeWindow& window) const
{
    const double px = slot.lanes.empty() ? width() : slot.lanes.front()->plot().canvas().scene().layout.plot.width;
    const double share = static_cast<double>(window.lengthNs()) / static_cast<double>(m_navigator.window().lengthNs());
    return std::clamp<std::size_t>(static_cast<std::size_t>(kBinsPerPx * px * share), 500, kMostBins);
}

void TimelineStack::updateWhole()
{
    std::optional<figures::TimeWindow> whole;
    for (TimelineSlot& slot : m_slots)
        if (slot.hasTrace()) {
            slot.shiftNs = anchorOf(slot);
            for (TimelineLane* lane : slot.lanes)
                lane->setShift(slot.shiftNs);
            whole = whole ? united(*whole, slot.whole()) : slot.whole();
        }
    if (whole)
        m_navigator.setWhole(*whole);
}

// Gives the same track of several trials the same scale and unit, so that a higher curve means a higher need.
void TimelineStack::shareMemoryAxes()
{
    std::map<std::pair<std::string, std::string>, double> tops;
    const auto topOf = [&](const TimelineLane& lane) -> double& {
        return tops[{lane.data().track, lane.data().figure->y.label}];
    };
    for (const TimelineLane* lane : lanes())
        if (lane->hasData())
            topOf(*lane) = std::max(topOf(*lane), lane->data().figure->y.high);
    for (TimelineLane* lane : lanes())
        if (lane->hasData())
            lane->setTop(topOf(*lane));
    LaneColumn::alignPlots(lanes());
}

void TimelineStack::moveLanes()
{
    for (TimelineLane* lane : lanes())
        lane->setWindow(m_navigator.window());
    readWhatIsMissing();
}

std::int64_t TimelineStack::anchorOf(const TimelineSlot& slot) const
{
    const auto& phases = *slot.window->phases;
    const auto last = std::ranges::find(phases.rbegin(), phases.rend(), m_anchor, &trace::PhaseSpan::name);
    return last == phases.rend() ? 0 : last->beginNs;
}

void TimelineStack::alignAt(const std::string& phase)
{
    if (phase == m_anchor)
        return;
    m_anchor = phase;
    clearMarks();
    updateWhole();
    m_navigator.fit();
    moveLanes();
}

std::vector<std::string> TimelineStack::commonPhases() const
{
    std::vector<std::string> names;
    if (current() == nullptr || !current()->hasTrace())
        return names;
    for (const trace::PhaseSpan& phase : *current()->window->phases) {
        const bool isEverywhere = std::ranges::all_of(m_slots, [&](const TimelineSlot& slot) {
            return !slot.hasTrace()
                || std::ranges::find(*slot.window->phases, phase.name, &trace::PhaseSpan::name)
                != slot.window->phases->end();
        });
        if (isEverywhere && std::ranges::find(names, phase.name) == names.end())
            names.push_back(phase.name);
    }
    return names;
}

void TimelineStack::showRepeat(std::int64_t repeat)
{
    if (m_slots.empty() || m_slots.back().repeat == repeat)
        return;
    m_slots.back().repeat = repeat;
    m_slots.back().summary.reset();
    clearMarks();
    readWhole(static_cast<int>(m_slots.size()) - 1);
}

void TimelineStack::setCursor(std::int64_t timeNs)
{
    const std::int64_t time = std::clamp(timeNs, m_navigator.whole().beginNs, m_navigator.whole().endNs - 1);
    if (time == m_cursorNs)
        return;
    m_cursorNs = time;
    for (TimelineLane* lane : lanes())
        lane->setCursorTime(time);
    for (int i = 0; i < static_cast<int>(m_slots.size()); ++i)
        if (m_slots[i].hasTrace())
            m_source.readCursor(i, m_slots[i].request(), time + m_slots[i].shiftNs);
    Q_EMIT marksChanged();
}

void TimelineStack::setRange(const figures::TimeWindow& range)
{
    m_range = range;
    for (TimelineLane* lane : lanes())
        lane->setRange(range);
    for (int i = 0; i < static_cast<int>(m_slots.size()); ++i) {
        m_slots[i].range.clear();
        if (m_slots[i].hasTrace())
            m_source.readRange(i, m_slots[i].request(), m_slots[i].own(range));
    }
    Q_EMIT marksChanged();
}

void TimelineStack::clearMarks()
{
    m_cursorNs.reset();
    m_range.reset();
    for (TimelineSlot& slot : m_slots) {
        slot.cursor.clear();
        slot.range.clear();
    }
    for (TimelineLane* lane : lanes()) {
        lane->setCursorTime({});
        lane->setRange({});
    }
    Q_EMIT marksChanged();
}

void TimelineStack::stepCursor(int px)
{
    if (current() == nullptr || !current()->hasTrace())
        return;
    const TimelineLane& lane = *current()->lanes.front();
    const std::int64_t step = std::max<std::int64_t>(lane.timeAt(1) - lane.timeAt(0), 1);
    setCursor(m_cursorNs.value_or(middle(m_navigator.window())) + px * step);
    const figures::TimeWindow& window = m_navigator.window();
    if (*m_cursorNs < window.beginNs || *m_cursorNs >= window.endNs)
        m_navigator.centre(*m_cursorNs);
}

// Zooms in if the peak's phase would be too narrow to see the peak.
void TimelineStack::jumpToPeak()
{
    if (current() == nullptr || !current()->hasTrace())
        return;
    const std::int64_t peak = current()->window->lanes.front().peak.timeNs - current()->shiftNs;
    setCursor(peak);
    const trace::PhaseSpan* phase = current()->phaseAt(peak);
    if (phase == nullptr)
        return m_navigator.centre(peak);
    const auto wanted = around({phase->beginNs - current()->shiftNs, phase->endNs - current()->shiftNs});
    if (m_navigator.window().lengthNs() > 2 * wanted.lengthNs())
        m_navigator.show(wanted);
    else
        m_navigator.centre(peak);
}

std::optional<figures::TimeWindow> TimelineStack::selected() const
{
    if (m_range || !m_cursorNs || current() == nullptr)
        return m_range;
    const trace::PhaseSpan* phase = current()->phaseAt(*m_cursorNs);
    if (phase == nullptr)
        return std::nullopt;
    return figures::TimeWindow{phase->beginNs - current()->shiftNs, phase->endNs - current()->shiftNs};
}

void TimelineStack::centreSelection()
{
    const auto selection = selected();
    if (!selection)
        return;
    const figures::TimeWindow before = m_navigator.window();
    m_navigator.centre(middle(*selection));
    if (m_navigator.window() == before)
        m_navigator.show(around(*selection));
}

void TimelineStack::stepPhase(Way way)
{
    if (current() == nullptr || !current()->hasTrace())
        return;
    const std::int64_t from = m_cursorNs.value_or(m_navigator.window().beginNs) + current()->shiftNs;
    std::optional<std::int64_t> best;
    for (const trace::PhaseSpan& phase : *current()->window->phases) {
        const std::int64_t begin = phase.beginNs;
        if (way == Way::Next ? begin > from && (!best || begin < *best) : begin < from && (!best || begin > *best))
            best = begin;
    }
    if (!best)
        return;
    setCursor(*best - current()->shiftNs);
    const figures::TimeWindow& window = m_navigator.window();
    if (*m_cursorNs < window.beginNs || *m_cursorNs >= window.endNs)
        m_navigator.centre(*m_cursorNs);
}

} // namespace headroom::ui
