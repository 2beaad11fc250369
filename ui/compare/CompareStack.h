// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/ComparisonFigure.h"
#include "experiments/figures/memory/SharedTime.h"
#include "ui/timeline/LaneColumn.h"
#include "ui/timeline/TimelineNavigator.h"
#include "ui/timeline/TimelineSource.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <set>
#include <vector>

namespace headroom::ui {

using figures::Alignment;
using figures::SharedTime;

/// The memory of several trials over each other, and below it how much more each holds than the first.
class CompareStack : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMostTrials = 6; ///< as many as there are colours of series

    explicit CompareStack(Theme& theme, QWidget* parent = nullptr);

    /// At most kMostTrials; the first is what the others are compared with.
    void setSubjects(std::vector<TimelineSubject> subjects);
    /// If the trials cannot be aligned phase by phase, their steps are, and if that is not possible, their beginnings.
    void align(Alignment alignment, const std::string& phase = {});
    /// How they are aligned.
    Alignment alignment() const;
    const std::string& alignedPhase() const { return m_phase; }
    bool canAlign(Alignment alignment, const std::string& phase = {}) const;
    /// Names of phases that all trials have.
    std::vector<std::string> commonPhases() const;

    TimelineNavigator& navigator() { return m_navigator; }
    TimelineLane& curves() { return *m_lanes.front(); }
    TimelineLane& difference() { return *m_lanes.back(); }
    const TimelineSource& source() const { return m_source; }
    const std::optional<std::int64_t>& cursor() const { return m_cursorNs; }
    /// What all trials hold at the cursor, in one line; empty without one.
    QString readout() const;
    std::size_t trialsWithTimeline() const;
    /// What is known of each trial's peak from its trace; nullopt where it is not known, or not yet.
    std::vector<std::optional<TimelineSummary>> peaks() const;

Q_SIGNALS:
    /// What is known about the trials has changed.
    void shownChanged();
    void cursorChanged();
    void peaksChanged();

private:
    struct Compared {
        TimelineSubject subject;
        TimelineWindowPtr window; ///< null before it has been read
        std::optional<figures::TimeWindow> requested; ///< in own time
        SharedTime time;
        std::optional<TimelineSummary> summary; ///< of its peak; read once

        bool hasTrace() const { return window && window->missing.empty(); }
    };

    void take(int index, const TimelineWindowPtr& window);
    void answered(std::size_t place);
    void alignTrials();
    void read(std::size_t index, const std::optional<figures::TimeWindow>& window);
    void readFiner();
    void showWindow();
    void showCurves();
    figures::ComparisonInput input() const;
    const Compared* first() const;
    std::optional<SharedTime> timeOf(const Compared& trial, Alignment alignment, const std::string& phase) const;
    void readPeaks();
    void setCursor(std::int64_t timeNs);
    void clearCursor();

    TimelineSource m_source;
    TimelineNavigator m_navigator;
    LaneColumn* m_column;
    std::vector<TimelineLane*> m_lanes; ///< the curves and the difference
    std::vector<Compared> m_trials;
    std::set<std::size_t> m_pending; ///< places in it that wait for what was requested
    bool m_isAligned = false; ///< since the trials were chosen
    Alignment m_alignment = Alignment::Stretched; ///< wanted
    std::string m_phase;
    figures::ComparisonInput m_shown;
    std::optional<std::int64_t> m_cursorNs;
};

} // namespace headroom::ui
