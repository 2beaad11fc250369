// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentSource.h"

#include "ui/segments/SegmentArchive.h"

namespace headroom::ui {
namespace {

// The first job makes the archive; it goes with its connection on the same thread.
SegmentArchive& openedSegments(const std::shared_ptr<std::unique_ptr<SegmentArchive>>& archive)
{
    if (!*archive)
        *archive = std::make_unique<SegmentArchive>();
    return **archive;
}

} // namespace

SegmentSource::SegmentSource(QObject* parent)
    : QObject(parent)
    , m_archive(std::make_shared<std::unique_ptr<SegmentArchive>>())
    , m_progress(std::make_shared<std::atomic<double>>(0))
    , m_jobs(QStringLiteral("segments"))
{
    m_jobs.setCleanup([archive = m_archive] { archive->reset(); });
}

SegmentSource::~SegmentSource() = default;

void SegmentSource::open(const SegmentSubject& subject)
{
    *m_progress = 0;
    m_jobs.runNewest(
        QStringLiteral("open"), this,
        [archive = m_archive, progress = m_progress, subject](const std::stop_token& stop) {
            return openedSegments(archive).open(subject, stop, [&](double share) { *progress = share; });
        },
        [this](const SegmentTracePtr& trace) {
            if (trace)
                Q_EMIT opened(trace);
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

// Where another trace has been asked for in the meantime, the moment is of no use any more.
template <typename Read> void SegmentSource::readMoment(const SegmentSubject& subject, Read read)
{
    m_jobs.runNewest(
        QStringLiteral("moment"), this,
        [archive = m_archive, subject, read](const std::stop_token& stop) -> SegmentMomentPtr {
            SegmentArchive& opened = openedSegments(archive);
            const SegmentTracePtr trace = opened.open(subject, stop, {});
            return trace && trace->missing.empty() ? read(opened) : nullptr;
        },
        [this](const SegmentMomentPtr& moment) {
            if (moment)
                Q_EMIT momentRead(moment);
        },
        [this](const QString& message) { Q_EMIT failed(message); });
}

void SegmentSource::readAfter(const SegmentSubject& subject, std::uint64_t events)
{
    readMoment(subject, [events](SegmentArchive& archive) { return archive.after(events); });
}

void SegmentSource::readAt(const SegmentSubject& subject, std::int64_t timeNs)
{
    readMoment(subject, [timeNs](SegmentArchive& archive) { return archive.at(timeNs); });
}

} // namespace headroom::ui
