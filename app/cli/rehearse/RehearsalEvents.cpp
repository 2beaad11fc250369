// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rehearse/RehearsalEvents.h"

#include <chrono>
#include <utility>

namespace headroom::cli {

using experiments::OrderedJson;

namespace {

OrderedJson bytesOrNull(const std::optional<Bytes>& bytes)
{
    return bytes ? OrderedJson(*bytes) : OrderedJson(nullptr);
}

} // namespace

RehearsalEvents::RehearsalEvents(const std::string& file, std::stop_token stop)
{
    if (!file.empty())
        m_file.emplace(file, std::move(stop));
}

void RehearsalEvents::started(const std::string& label)
{
    write("row_started", {{"label", label}});
}

void RehearsalEvents::moment(const std::string& label, const experiments::RehearsalMoment& moment)
{
    const experiments::LatestRecords& records = moment.records;
    write("moment",
        {{"label", label}, {"seconds", moment.seconds}, {"unlimited", moment.isUnlimited},
            {"taken_bytes", moment.taken},
            {"phase", records.phase.empty() ? OrderedJson(nullptr) : OrderedJson(records.phase)},
            {"steps", records.steps}, {"allocated_bytes", bytesOrNull(records.allocated)},
            {"reserved_bytes", bytesOrNull(records.reserved)}});
}

void RehearsalEvents::finished(const experiments::RehearsedRow& row)
{
    write("row_finished", {{"label", row.label}, {"sentence", verdictSentence(row)}, {"row", toJson(row)}});
}

void RehearsalEvents::close()
{
    if (m_file)
        m_file->close();
}

void RehearsalEvents::write(const char* event, OrderedJson fields)
{
    if (!m_file)
        return;
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    OrderedJson line = {{"time", now.count()}, {"event", event}};
    line.update(fields);
    const std::scoped_lock lock(m_mutex);
    m_file->stream() << line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) << '\n' << std::flush;
}

} // namespace headroom::cli
