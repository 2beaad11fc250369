// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/LaneColumn.h"
#include "ui/timeline/TimelineNavigator.h"
#include "ui/timeline/TimelineSlot.h"
#include "ui/timeline/TimelineSource.h"

#include <QWidget>

#include <deque>

namespace headroom::ui {

/// The lanes of up to three trials, stacked, with one time axis and one cursor.
class TimelineStack : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMostTrials = 3;

    explicit TimelineStack(Theme& theme, QWidget* parent = nullptr);

    /// At most kMostTrials. Trials that are already shown are kept as they are.
    void setSubjects(const std::vector<TimelineSubject>& subjects);
    const std::deque<TimelineSlot>& shown() const { return m_slots; }
    /// The trial whose peak and phases are shown; null if there is none.
    const TimelineSlot* current() const { return m_slots.empty() ? nullptr : &m_slots.back(); }
    TimelineNavigator& navigator() { return m_navigator; }
    TimelineSource& source() { return m_source; }
    QList<TimelineLane*> lanes() const;

    /// Aligns the trials at their last phases of this name; if empty, at the beginning of each trace.
    void alignAt(const std::string& phase);
    const std::string& anchor() const { return m_anchor; }
    /// The names of phases that all shown trials have.
    std::vector<std::string> commonPhases() const;
    void showRepeat(std::int64_t repeat); ///< for the current trial

    /// Entries of the legend that are explained beside the plots, and need no room above them.
    void setExplained(const std::vector<std::string>& names);

    const std::optional<std::int64_t>& cursor() const { return m_cursorNs; }
    void setCursor(std::int64_t timeNs);
    const std::optional<figures::TimeWindow>& range() const { return m_range; }
    void setRange(const figures::TimeWindow& range);
    void clearMarks();

    void stepCursor(int px);
    void jumpToPeak();
    /// Centres the range or the phase at the cursor; if it is already centred, zooms in on it.
    void centreSelection();
    enum class Way { Next, Previous };
    void stepPhase(Way way);

Q_SIGNALS:
    /// What the readout shows has changed.
    void marksChanged();
    /// What is known about the shown trials has changed.
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
    std::vector<std::string> m_explained;
    std::optional<std::int64_t> m_cursorNs;
    std::optional<figures::TimeWindow> m_range;
};

} // namespace headroom::ui
