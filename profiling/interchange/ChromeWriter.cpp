// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/ChromeWriter.h"

#include "core/base/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headroom::interchange {
namespace {

// 1234567 ns as 1234.567.
std::string microsecondsText(std::int64_t timeNs)
{
    const auto magnitude = timeNs < 0 ? 0 - static_cast<std::uint64_t>(timeNs) : static_cast<std::uint64_t>(timeNs);
    return fmt::format("{}{}.{:03}", timeNs < 0 ? "-" : "", magnitude / 1'000, magnitude % 1'000);
}

} // namespace

std::string quoted(std::string_view text)
{
    std::string json = "\"";
    for (const char character : validUtf8(text)) {
        if (character == '"' || character == '\\')
            json += {'\\', character};
        else if (static_cast<unsigned char>(character) < 0x20)
            json += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
        else
            json += character;
    }
    return json + '"';
}

JsonObject& JsonObject::add(std::string_view key, std::int64_t value)
{
    return addText(key, fmt::format("{}", value));
}

JsonObject& JsonObject::add(std::string_view key, double value)
{
    return addText(key, std::isfinite(value) ? fmt::format("{}", value) : "null");
}

JsonObject& JsonObject::add(std::string_view key, std::string_view value)
{
    return addText(key, quoted(value));
}

JsonObject& JsonObject::add(std::string_view key, const JsonObject& value)
{
    return addText(key, value.text());
}

JsonObject& JsonObject::addText(std::string_view key, std::string_view json)
{
    m_members += m_members.empty() ? "" : ",";
    m_members += quoted(key);
    m_members += ':';
    m_members += json;
    return *this;
}

ChromeWriter::ChromeWriter(ReplacedFile& file, const JsonObject& about)
    : m_file(file)
{
    m_file.write("{\"displayTimeUnit\":\"ms\",\"otherData\":" + about.text() + ",\"traceEvents\":[");
}

void ChromeWriter::span(const ChromeProcess& process, const std::string& track, const ChromeSpan& span)
{
    const std::int64_t endNs = std::max(span.beginNs, span.endNs);
    begin('X', process.id, threadFor(process, track, span.beginNs, endNs), span.name);
    m_line += ",\"cat\":" + quoted(span.category) + ",\"ts\":" + microsecondsText(span.beginNs)
        + ",\"dur\":" + microsecondsText(endNs - span.beginNs);
    end(span.arguments);
}

void ChromeWriter::instant(
    const ChromeProcess& process, std::string_view name, std::int64_t timeNs, const JsonObject& arguments)
{
    nameProcess(process);
    begin('i', process.id, 0, name);
    m_line += ",\"s\":\"p\",\"ts\":" + microsecondsText(timeNs);
    end(arguments);
}

void ChromeWriter::counter(
    const ChromeProcess& process, const std::string& name, std::int64_t timeNs, const JsonObject& values)
{
    nameProcess(process);
    const auto [last, isFirst] = m_counterTimes.try_emplace({process.id, name}, timeNs);
    last->second = std::max(last->second, timeNs);
    begin('C', process.id, 0, name);
    m_line += ",\"ts\":" + microsecondsText(last->second);
    end(values);
}

void ChromeWriter::finish()
{
    m_file.write("\n]}\n");
}

int ChromeWriter::threadFor(
    const ChromeProcess& process, const std::string& track, std::int64_t beginNs, std::int64_t endNs)
{
    std::vector<Lane>& lanes = m_lanes[{process.id, track}];
    for (Lane& lane : lanes)
        if (takes(lane, beginNs, endNs))
            return lane.thread;
    nameProcess(process);
    const int thread = ++m_threads[process.id];
    lanes.push_back({thread, {endNs}});
    nameThread(process, thread, lanes.size() == 1 ? track : fmt::format("{} ({})", track, lanes.size()));
    return thread;
}

bool ChromeWriter::takes(Lane& lane, std::int64_t beginNs, std::int64_t endNs)
{
    while (!lane.ends.empty() && lane.ends.back() <= beginNs)
        lane.ends.pop_back();
    if (!lane.ends.empty() && lane.ends.back() < endNs)
        return false;
    lane.ends.push_back(endNs);
    return true;
}

void ChromeWriter::nameProcess(const ChromeProcess& process)
{
    if (!m_threads.try_emplace(process.id, 0).second)
        return;
    metadata("process_name", process.id, 0, JsonObject().add("name", process.name));
    metadata("process_sort_index", process.id, 0, JsonObject().add("sort_index", std::int64_t{process.id}));
}

void ChromeWriter::nameThread(const ChromeProcess& process, int thread, const std::string& name)
{
    metadata("thread_name", process.id, thread, JsonObject().add("name", name));
    metadata("thread_sort_index", process.id, thread, JsonObject().add("sort_index", std::int64_t{thread}));
}

void ChromeWriter::metadata(std::string_view what, int process, int thread, const JsonObject& arguments)
{
    begin('M', process, thread, what);
    end(arguments);
}

void ChromeWriter::begin(char phase, int process, int thread, std::string_view name)
{
    m_line = m_events++ == 0 ? "\n" : ",\n";
    fmt::format_to(std::back_inserter(m_line), R"({{"ph":"{}","pid":{},"tid":{},"name":)", phase, process, thread);
    m_line += quoted(name);
}

void ChromeWriter::end(const JsonObject& arguments)
{
    if (!arguments.empty())
        m_line += ",\"args\":" + arguments.text();
    m_line += '}';
    m_file.write(m_line);
}

} // namespace headroom::interchange
