// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/workspace/TraceRetention.h"

#include "core/base/Quantities.h"
#include "profiling/store/Query.h"
#include "profiling/store/RecordTables.h"
#include "profiling/store/workspace/RepeatImporter.h"

#include <fmt/format.h>

namespace headroom::store {
namespace {

// Ordered by age: experiments and repeats are numbered in the order of their creation.
const std::string kTraces = "SELECT traces.repeat, trials.experiment, traces.bytes FROM traces "
                            "JOIN repeats ON repeats.id = traces.repeat JOIN trials ON trials.id = repeats.trial ";
constexpr auto kOrder = " ORDER BY trials.experiment, traces.repeat";
constexpr auto kByTrial = "SELECT repeats.trial, sum(traces.bytes) FROM traces "
                          "JOIN repeats ON repeats.id = traces.repeat GROUP BY repeats.trial";
constexpr auto kUsedPages = "SELECT (page_count - freelist_count) * page_size "
                            "FROM pragma_page_count, pragma_freelist_count, pragma_page_size";

} // namespace

Bytes TraceRetention::usedBytes()
{
    Query query(m_file, kUsedPages);
    query.step();
    return query.integer(0);
}

void TraceRetention::setBytes(std::int64_t repeat, Bytes bytes)
{
    Query(m_file, "INSERT INTO traces (repeat, bytes) VALUES (?, ?)", repeat, bytes).run();
}

std::map<std::int64_t, Bytes> TraceRetention::bytesByTrial()
{
    std::map<std::int64_t, Bytes> bytes;
    Query query(m_file, kByTrial);
    while (query.step())
        bytes.emplace(query.integer(0), query.integer(1));
    return bytes;
}

Bytes TraceRetention::totalBytes()
{
    Query query(m_file, "SELECT coalesce(sum(bytes), 0) FROM traces");
    query.step();
    return query.integer(0);
}

DroppedTraces TraceRetention::dropOfRepeat(std::int64_t repeat, const std::string& why)
{
    return drop(traces("WHERE traces.repeat = ?", repeat), why);
}

std::vector<std::int64_t> TraceRetention::tracedOfTrial(std::int64_t trial)
{
    return repeatsOf(traces("WHERE repeats.trial = ?", trial));
}

std::vector<std::int64_t> TraceRetention::tracedOfExperiment(std::int64_t experiment)
{
    return repeatsOf(traces("WHERE trials.experiment = ?", experiment));
}

std::vector<std::int64_t> TraceRetention::repeatsOf(const std::vector<Trace>& traces)
{
    std::vector<std::int64_t> repeats;
    for (const Trace& trace : traces)
        repeats.push_back(trace.repeat);
    return repeats;
}

std::vector<TraceRetention::Trace> TraceRetention::traces(const std::string& where, std::int64_t id)
{
    std::vector<Trace> traces;
    Query query(m_file, (kTraces + where + kOrder).c_str(), id);
    while (query.step())
        traces.push_back({query.integer(0), query.integer(1), query.integer(2)});
    return traces;
}

DroppedTraces TraceRetention::drop(const std::vector<Trace>& traces, const std::string& why)
{
    DroppedTraces dropped;
    for (const Trace& trace : traces) {
        drop(trace);
        diagnose(trace, why);
        ++dropped.repeats;
        dropped.bytes += trace.bytes;
    }
    return dropped;
}

void TraceRetention::drop(const Trace& trace)
{
    const auto erase = [&](const std::string& table) {
        Query(m_file, ("DELETE FROM " + table + " WHERE repeat = ?").c_str(), trace.repeat).run();
    };
    for (const char* const table : {"event_blocks", "pyramids", "category_pyramids", "segment_stretches", "owners",
             "strings", "record_stretches", "occupancies", "traces"})
        erase(table);
    eachRecordTable([&](auto table) { erase(decltype(table)::kName); });
}

void TraceRetention::diagnose(const Trace& trace, const std::string& why)
{
    Query trial(m_file, "SELECT trial FROM repeats WHERE id = ?", trace.repeat);
    trial.step();
    insertDiagnostic(m_file,
        {.experiment = trace.experiment,
            .trial = trial.integer(0),
            .repeat = trace.repeat,
            .severity = Severity::Info,
            .kind = "trace_dropped",
            .message =
                fmt::format("the trace ({}) was dropped, the results are kept: {}", sizeText(trace.bytes), why)});
}

DroppedTraces TraceRetention::enforce(Bytes limit, std::int64_t repeat)
{
    Bytes total = totalBytes();
    const std::vector<Trace> own = traces("WHERE traces.repeat = ?", repeat);
    if (total <= limit || own.empty())
        return {};
    Bytes ofExperiment = 0;
    for (const Trace& trace : traces("WHERE trials.experiment = ?", own.front().experiment))
        ofExperiment += trace.bytes;
    const std::string bound = fmt::format("the traces of this workspace may take {}", sizeText(limit));
    if (ofExperiment > limit)
        return drop(own, bound + ", and those of this experiment alone would take more");
    std::vector<Trace> oldest;
    for (const Trace& trace : traces("WHERE trials.experiment <> ?", own.front().experiment)) {
        if (total <= limit)
            break;
        oldest.push_back(trace);
        total -= trace.bytes;
    }
    return drop(oldest, bound + ", and another experiment needed the room");
}

} // namespace headroom::store
