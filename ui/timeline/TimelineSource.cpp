// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineSource.h"

#include "ui/timeline/TraceArchive.h"

#include <utility>

namespace headroom::ui {
namespace {

QString topic(const char* kind, int slot)
{
    return QStringLiteral("%1 %2").arg(QLatin1String(kind)).arg(slot);
}

// The first job creates the archive; it is destroyed with its connection on the same thread.
TraceArchive& opened(const std::shared_ptr<std::unique_ptr<TraceArchive>>& archive)
{
    if (!*archive)
        *archive = std::make_unique<TraceArchive>();
    return **archive;
}

} // namespace

TimelineSource::TimelineSource(QObject* parent)
    : QObject(parent)
    , m_archive(std::make_shared<std::unique_ptr<TraceArchive>>())
    , m_windows(QStringLiteral("timeline"))
    , m_closerArchive(std::make_shared<std::unique_ptr<TraceArchive>>())
    , m_closer(QStringLiteral("timeline facts"))
{
    m_windows.setCleanup([archive = m_archive] { archive->reset(); });
    m_closer.setCleanup([archive = m_closerArchive] { archive->reset(); });
}

TimelineSource::~TimelineSource() = default;

bool TimelineSource::isIdle() const
{
    return m_windows.isIdle() && m_closer.isIdle();
}

FailureHandler TimelineSource::failing(int slot, const TimelineRequest& request)
{
    return [this, slot, subject = request.subject](const QString& message) { Q_EMIT failed(slot, subject, message); };
}

void TimelineSource::readWindow(int slot, const TimelineRequest& request)
{
    m_windows.runNewest(
        topic("window", slot), this,
        [archive = m_archive, request](const std::stop_token&) { return opened(archive).window(request); },
        [this, slot](const TimelineWindowPtr& window) { Q_EMIT windowRead(slot, window); }, failing(slot, request));
}

void TimelineSource::readSummary(int slot, const TimelineRequest& request)
{
    m_closer.runNewest(
        topic("summary", slot), this,
        [archive = m_closerArchive, request](
            const std::stop_token& stop) { return opened(archive).summary(request, stop); },
        [this, slot](const std::optional<TimelineSummary>& summary) {
            if (summary)
                Q_EMIT summaryRead(slot, *summary);
        },
        failing(slot, request));
}

void TimelineSource::readCursor(int slot, const TimelineRequest& request, std::int64_t timeNs)
{
    m_windows.runNewest(
        topic("cursor", slot), this,
        [archive = m_archive, request, timeNs](
            const std::stop_token&) { return opened(archive).valuesAt(request, timeNs); },
        [this, slot, timeNs](const std::vector<CursorValues>& values) { Q_EMIT cursorRead(slot, timeNs, values); },
        failing(slot, request));
}

void TimelineSource::readRange(int slot, const TimelineRequest& request, const figures::TimeWindow& range)
{
    m_closer.runNewest(
        topic("range", slot), this,
        [archive = m_closerArchive, request, range](
            const std::stop_token& stop) { return opened(archive).range(request, range, stop); },
        [this, slot, range](const std::vector<RangeValues>& values) { Q_EMIT rangeRead(slot, range, values); },
        failing(slot, request));
}

} // namespace headroom::ui
