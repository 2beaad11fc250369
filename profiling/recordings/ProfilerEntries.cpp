// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/ProfilerEntries.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headroom::recordings {
namespace {

std::int64_t nanoseconds(const Value& microseconds)
{
    constexpr std::int64_t kMostUs = kMostFileNs / 1000;
    if (microseconds.kind == Value::Kind::Real)
        return std::llround(std::clamp(microseconds.real(), -double(kMostUs), double(kMostUs)) * 1000.0);
    return fileNsOf(microseconds.integer());
}

// Of what the file may name many times, and the record keeps.
std::string keptName(const Objects& objects, const Value& name)
{
    const std::string_view text = objects.line(name, "the name of an event");
    objects.charge(text.size());
    return std::string(text);
}

std::uint32_t small(const Value& value)
{
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value.integer(), 0, 0xFFFF'FFFF));
}

std::int32_t gridPart(const Objects& objects, const Value& grid, std::size_t place)
{
    const std::vector<Value>& parts = objects.list(grid);
    return place < parts.size() ? static_cast<std::int32_t>(small(parts[place])) : 1;
}

// CUpti_ActivityMemcpyKind, as the names of copies tell it: "Memcpy HtoD (Pinned -> Device)".
std::uint32_t copyKindOf(std::string_view name)
{
    static constexpr std::array<std::string_view, 10> kKinds{
        "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
    for (std::size_t i = 0; i < kKinds.size(); ++i)
        if (name.find(kKinds[i]) != std::string_view::npos)
            return static_cast<std::uint32_t>(i + 1);
    return 0;
}

// Threads have numbers or names.
std::uint64_t threadOf(const Value& thread)
{
    return thread.kind == Value::Kind::Text ? thread.payload + (std::uint64_t{1} << 40) : thread.unsignedInteger();
}

} // namespace

struct ProfilerEntries::Event {
    std::string_view phase;
    std::string_view category;
    Value name;
    Value thread;
    std::int64_t beginNs = 0;
    std::int64_t durationNs = 0;
    Value arguments;
};

bool ProfilerEntries::take(const Objects& objects, const std::vector<DictItem>& dict)
{
    Event event;
    Value begin;
    for (const DictItem& item : dict) {
        const std::string_view key = objects.text(item.key);
        if (key == "ph")
            event.phase = objects.text(item.value);
        else if (key == "cat")
            event.category = objects.text(item.value);
        else if (key == "name")
            event.name = item.value;
        else if (key == "tid")
            event.thread = item.value;
        else if (key == "ts")
            begin = item.value;
        else if (key == "dur")
            event.durationNs = std::max<std::int64_t>(0, nanoseconds(item.value));
        else if (key == "args")
            event.arguments = item.value;
    }
    if (event.phase.empty())
        return false;
    ++m_entries;
    event.beginNs = nanoseconds(begin);
    if (event.phase == "X")
        takeSpan(objects, event);
    else if ((event.phase == "i" || event.phase == "I") && objects.text(event.name) == "[memory]")
        takeMemory(objects, event);
    else if (event.phase == "C")
        takeCounter(objects, event);
    return true;
}

// The counters of Headroom's own traces; those of other programs have other names.
void ProfilerEntries::takeCounter(const Objects& objects, const Event& event)
{
    using enum CounterValue::Counter;
    const std::string_view name = objects.text(event.name);
    CounterValue value;
    value.timeNs = event.beginNs;
    value.bytes = objects.at(event.arguments, "bytes").integer();
    if (name == "allocated by category") {
        value.counter = ByCategory;
        for (const config::MemoryCategory category : config::kMemoryCategories)
            value.categories.of(category) =
                std::clamp<Bytes>(objects.at(event.arguments, config::toText(category)).integer(), 0, Bytes{1} << 50);
    } else if (name == "reserved" || name == "active") {
        value.counter = name == "reserved" ? Reserved : Active;
    } else if (name != "allocated") {
        return;
    }
    constexpr Bytes kMostBytes = Bytes{1} << 50;
    if (value.bytes >= 0 && value.bytes <= kMostBytes)
        m_counters.push_back(value);
}

void ProfilerEntries::takePhase(const Objects& objects, const Event& event)
{
    const Value step = objects.at(event.arguments, "step");
    m_phases.push_back({keptName(objects, event.name), step.isNumber() ? step.integer() : -1, event.beginNs,
        event.beginNs + event.durationNs});
}

void ProfilerEntries::takeSpan(const Objects& objects, const Event& event)
{
    const std::string_view category = event.category;
    if (category == "kernel")
        return takeKernel(objects, event);
    if (category == "gpu_memcpy" || category == "gpu_memset")
        return takeCopy(objects, event);
    if (category == "cuda_runtime" || category == "cuda_driver")
        return takeCall(objects, event, category == "cuda_driver");
    if (category == "phase")
        return takePhase(objects, event);
    if (category == "user_annotation")
        takeAnnotation(objects, event);
    const bool isOfHost = category == "cpu_op" || category == "user_annotation" || category == "python_function"
        || category == "Operator";
    if (isOfHost && !objects.line(event.name, "the name of an event").empty())
        m_spans.push_back({event.beginNs, event.beginNs + event.durationNs, threadOf(event.thread),
            static_cast<std::uint32_t>(event.name.payload)});
}

void ProfilerEntries::takeMemory(const Objects& objects, const Event& event)
{
    const auto number = [&](std::string_view key) { return objects.at(event.arguments, key); };
    constexpr std::int64_t kHost = 0;
    constexpr Bytes kMostBytes = Bytes{1} << 50;
    MemoryReport report;
    report.timeNs = event.beginNs;
    report.address = number("Addr").unsignedInteger();
    report.bytes = std::clamp(number("Bytes").integer(), -kMostBytes, kMostBytes);
    report.totalAllocatedBytes = std::clamp<Bytes>(number("Total Allocated").integer(), 0, kMostBytes);
    report.totalReservedBytes = std::clamp<Bytes>(number("Total Reserved").integer(), 0, kMostBytes);
    report.thread = threadOf(event.thread);
    const bool isHost = number("Device Type").integer() == kHost;
    report.device = isHost ? -1 : deviceNumber(std::max<std::int64_t>(number("Device Id").integer(), 0));
    if (report.bytes != 0)
        m_reports.push_back(report);
}

// "ProfilerStep#12" is a step, "Optimizer.step#AdamW.step" an update; other annotations are markers.
void ProfilerEntries::takeAnnotation(const Objects& objects, const Event& event)
{
    constexpr std::string_view kStep = "ProfilerStep#";
    const std::string_view name = objects.text(event.name);
    const std::int64_t end = event.beginNs + event.durationNs;
    if (name.starts_with(kStep)) {
        std::int64_t step = -1;
        std::from_chars(name.data() + kStep.size(), name.data() + name.size(), step);
        m_phases.push_back({"step", step, event.beginNs, end});
    } else if (name.starts_with("Optimizer.step#")) {
        m_phases.push_back({"optimizer", -1, event.beginNs, end});
    } else {
        trace::MarkerRecord marker;
        marker.beginNs = event.beginNs;
        marker.endNs = end;
        marker.threadId = static_cast<std::uint32_t>(threadOf(event.thread));
        marker.name = keptName(objects, event.name);
        m_records.markers.push_back(std::move(marker));
    }
}

void ProfilerEntries::takeKernel(const Objects& objects, const Event& event)
{
    const auto number = [&](std::string_view key) { return objects.at(event.arguments, key); };
    trace::KernelRecord kernel;
    kernel.beginNs = event.beginNs;
    kernel.endNs = event.beginNs + event.durationNs;
    kernel.deviceId = small(number("device"));
    kernel.contextId = small(number("context"));
    kernel.streamId = small(number("stream"));
    kernel.correlationId = small(number("correlation"));
    kernel.gridX = gridPart(objects, number("grid"), 0);
    kernel.gridY = gridPart(objects, number("grid"), 1);
    kernel.gridZ = gridPart(objects, number("grid"), 2);
    kernel.blockX = gridPart(objects, number("block"), 0);
    kernel.blockY = gridPart(objects, number("block"), 1);
    kernel.blockZ = gridPart(objects, number("block"), 2);
    kernel.registersPerThread = small(number("registers per thread"));
    kernel.dynamicSharedBytes = small(number("shared memory"));
    kernel.name = keptName(objects, event.name);
    m_records.kernels.push_back(std::move(kernel));
}

void ProfilerEntries::takeCopy(const Objects& objects, const Event& event)
{
    const auto number = [&](std::string_view key) { return objects.at(event.arguments, key); };
    const auto fill = [&](auto& record) {
        record.beginNs = event.beginNs;
        record.endNs = event.beginNs + event.durationNs;
        record.bytes = std::max<Bytes>(0, number("bytes").integer());
        record.deviceId = small(number("device"));
        record.contextId = small(number("context"));
        record.streamId = small(number("stream"));
        record.correlationId = small(number("correlation"));
    };
    if (event.category == "gpu_memcpy") {
        trace::CopyRecord copy;
        fill(copy);
        copy.copyKind = copyKindOf(objects.text(event.name));
        m_records.copies.push_back(copy);
    } else {
        trace::MemsetRecord memset;
        fill(memset);
        m_records.memsets.push_back(memset);
    }
}

void ProfilerEntries::takeCall(const Objects& objects, const Event& event, bool isDriver)
{
    trace::ApiRecord call;
    call.beginNs = event.beginNs;
    call.endNs = event.beginNs + event.durationNs;
    call.isDriver = isDriver;
    call.name = keptName(objects, event.name);
    call.threadId = static_cast<std::uint32_t>(threadOf(event.thread));
    call.correlationId = small(objects.at(event.arguments, "correlation"));
    call.callbackId = small(objects.at(event.arguments, "cbid"));
    m_records.calls.push_back(std::move(call));
}

} // namespace headroom::recordings
