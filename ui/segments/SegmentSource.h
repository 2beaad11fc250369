// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/segments/SegmentMoment.h"

#include <QObject>

#include <atomic>
#include <memory>

namespace headroom::ui {

class SegmentArchive;

/// Reads segments over time on a thread of its own; the newest request wins.
class SegmentSource : public QObject {
    Q_OBJECT

public:
    explicit SegmentSource(QObject* parent = nullptr);
    ~SegmentSource() override;

    /// Reads the trace once, which takes about a second for five million events. Ends with `opened` or `failed`.
    void open(const SegmentSubject& subject);
    /// Of a trace that has been opened; ends with `momentRead` or `failed`.
    void readAfter(const SegmentSubject& subject, std::uint64_t events);
    void readAt(const SegmentSubject& subject, std::int64_t timeNs);
    /// How much of the trace that is being opened has been read.
    double progress() const { return *m_progress; }
    bool isIdle() const { return m_jobs.isIdle(); }

Q_SIGNALS:
    void opened(const headroom::ui::SegmentTracePtr& trace);
    void momentRead(const headroom::ui::SegmentMomentPtr& moment);
    void failed(const QString& message);

private:
    template <typename Read> void readMoment(const SegmentSubject& subject, Read read);

    std::shared_ptr<std::unique_ptr<SegmentArchive>> m_archive; ///< its contents belong to its thread
    std::shared_ptr<std::atomic<double>> m_progress;
    JobThread m_jobs;
};

} // namespace headroom::ui
