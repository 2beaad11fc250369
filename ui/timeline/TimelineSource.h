// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/timeline/TimelineWindow.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace headroom::ui {

class TraceArchive;

/// Reads timelines from the workspace on its own threads and connections. Requests of one kind for one slot (a place on
/// the screen) replace each other: the newest wins. The cost of a window depends on its number of bins, not on the
/// length of the trace.
class TimelineSource : public QObject {
    Q_OBJECT

public:
    explicit TimelineSource(QObject* parent = nullptr);
    ~TimelineSource() override;

    void readWindow(int slot, const TimelineRequest& request);
    /// Reads the contents of the peak and the peaks of the phases, which takes all events up to the peak.
    void readSummary(int slot, const TimelineRequest& request);
    void readCursor(int slot, const TimelineRequest& request, std::int64_t timeNs);
    void readRange(int slot, const TimelineRequest& request, const figures::TimeWindow& range);

    bool isIdle() const;

Q_SIGNALS:
    void windowRead(int slot, const headroom::ui::TimelineWindowPtr& window);
    void summaryRead(int slot, const headroom::ui::TimelineSummary& summary);
    void cursorRead(int slot, qint64 timeNs, const std::vector<headroom::ui::CursorValues>& values);
    void rangeRead(
        int slot, const headroom::figures::TimeWindow& range, const std::vector<headroom::ui::RangeValues>& values);
    /// The slot has nothing to show; `message` explains why in a sentence.
    void failed(int slot, const headroom::ui::TimelineSubject& subject, const QString& message);

private:
    FailureHandler failing(int slot, const TimelineRequest& request);

    using Archive = std::shared_ptr<std::unique_ptr<TraceArchive>>; ///< its contents belong to its thread

    Archive m_archive;
    JobThread m_windows;
    Archive m_closerArchive;
    JobThread m_closer; ///< for requests that may take longer than a window
};

} // namespace headroom::ui
