// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/LaneColumn.h"
#include "ui/timeline/TimelineNavigator.h"
#include "ui/timeline/TimelineSlot.h"
#include "ui/timeline/TimelineSource.h"

#include <QWidget>

#include <deque>

namespace headroom::ui {

/// The lanes of up to three trials, one below the other, with one time axis and one cursor.
class TimelineStack : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMostTrials = 3;

    explicit TimelineStack(Theme& theme, QWidget* parent = nullptr);

    /// At most kMostTrials. Those that are shown already stay as they are.
    void setSubjects(const std::vector<TimelineSubject>& subjects);
    const std::deque<TimelineSlot>& shown() const { return m_slots; }
    /// Null where nothing is shown: the one that peak and phases are of.
    const TimelineSlot* current() const { return m_slots.empty() ? nullptr : &m_slots.back(); }
    TimelineNavigator& navigator() { return m_navigator; }
    TimelineSource& source() { return m_source; }
    QList<TimelineLane*> lanes() const;

    /// Puts the last phase of that name of each trial at one place; none: the begin of each trace.
    void alignAt(const std::string& phase);
    const std::string& anchor() const { return m_anchor; }
    /// Names of phases that all shown trials have.
    std::vector<std::string> commonPhases() const;
    void showRepeat(std::int64_t repeat); ///< of the current trial

    const std::optional<std::int64_t>& cursor() const { return m_cursorNs; }
    void setCursor(std::int64_t timeNs);
    const std::optional<figures::TimeWindow>& range() const { return m_range; }
    void setRange(const figures::TimeWindow& range);
    void clearMarks();

    void stepCursor(int px);
    void jumpToPeak();
    /// The range or the phase at the cursor: in the middle, and where it is there already, as large as it can be.
    void centreSelection();
    enum class Way { Next, Previous };
    void stepPhase(Way way);

Q_SIGNALS:
    /// What the read-out says.
    void marksChanged();
    /// What is known of the shown trials.
    void shownChanged();

private:
    void connectSource();
    TimelineSlot* slotAt(int index, const TimelineSubject& subject);
    void take(int index, const TimelineWindowPtr& window);
    void say(TimelineSlot& slot, const QString& message);
    void arrangeLanes();
    void readWhole(int index);
    void readWhatIsMissing();
    std::size_t binsFor(const TimelineSlot& slot, const figures::TimeWindow& window) const;
    void updateWhole();
    void shareMemoryAxes();
    void moveLanes();
    std::int64_t anchorOf(const TimelineSlot& slot) const;
    std::optional<figures::TimeWindow> selected() const;

    TimelineSource m_source;
    TimelineNavigator m_navigator;
    LaneColumn* m_lanes;
    std::deque<TimelineSlot> m_slots;
    std::string m_anchor; ///< name of a phase
    std::optional<std::int64_t> m_cursorNs;
    std::optional<figures::TimeWindow> m_range;
};

} // namespace headroom::ui
