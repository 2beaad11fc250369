// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/SnapshotEntries.h"

#include "profiling/recordings/FrameCategories.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

namespace headroom::recordings {
namespace {

struct NamedKind {
    std::string_view name;
    EventKind kind;
};

constexpr std::array kKinds{NamedKind{"alloc", EventKind::Alloc}, NamedKind{"free_requested", EventKind::FreeRequested},
    NamedKind{"free_completed", EventKind::FreeCompleted}, NamedKind{"segment_alloc", EventKind::SegmentAlloc},
    NamedKind{"segment_free", EventKind::SegmentFree}, NamedKind{"segment_map", EventKind::SegmentMap},
    NamedKind{"segment_unmap", EventKind::SegmentUnmap}, NamedKind{"oom", EventKind::OutOfMemory},
    NamedKind{"snapshot", SnapshotEntries::kIgnored}, NamedKind{"user_defined", SnapshotEntries::kIgnored}};

/// What an entry of a trace says.
struct EntryValues {
    Value action;
    Value address;
    Value deviceFree;
    Value size;
    Value requestedSize;
    Value stream;
    Value timeUs;
    Value timeNs;
    Value frames;
    Value metadata;
    Value category;
};

Value* placeFor(EntryValues& values, std::string_view key)
{
    switch (key.size()) {
    case 4:
        return key == "addr" ? &values.address : key == "size" ? &values.size : nullptr;
    case 6:
        return key == "action" ? &values.action
            : key == "stream"  ? &values.stream
            : key == "frames"  ? &values.frames
                               : nullptr;
    case 7:
        return key == "time_us" ? &values.timeUs : key == "time_ns" ? &values.timeNs : nullptr;
    case 8:
        return key == "category" ? &values.category : nullptr;
    case 11:
        return key == "device_free" ? &values.deviceFree : nullptr;
    case 13:
        return key == "user_metadata" ? &values.metadata : nullptr;
    case 14:
        return key == "requested_size" ? &values.requestedSize : nullptr;
    default:
        return nullptr;
    }
}

EntryValues valuesOf(const Objects& objects, const std::vector<DictItem>& dict)
{
    EntryValues values;
    for (const DictItem& item : dict)
        if (Value* const place = placeFor(values, objects.text(item.key)))
            *place = item.value;
    return values;
}

// A profile's frames are names alone: {"filename": "none", "line": 0, "name": "train.py(8): step"}.
StackFrame stackFrameOf(const Objects& objects, const Value& frame)
{
    const std::string_view file = objects.text(objects.at(frame, "filename"));
    const std::string_view name = objects.text(objects.at(frame, "name"));
    const std::int64_t line = objects.at(frame, "line").integer();
    return file == "none" && line == 0 ? frameOf(name) : StackFrame{file, name, line};
}

// Names of torch.profiler._memory_profiler.Category; gradients of activations are its "autograd_detail".
std::optional<config::MemoryCategory> categoryOfProfile(std::string_view name)
{
    using config::MemoryCategory;
    static constexpr std::array<std::pair<std::string_view, MemoryCategory>, 7> kCategories{
        {{"input", MemoryCategory::Inputs}, {"temporary", MemoryCategory::Temporaries},
            {"activation", MemoryCategory::SavedActivations}, {"gradient", MemoryCategory::Gradients},
            {"autograd_detail", MemoryCategory::Temporaries}, {"parameter", MemoryCategory::Weights},
            {"optimizer_state", MemoryCategory::OptimizerState}}};
    const auto* const found = std::ranges::find(kCategories, name, &std::pair<std::string_view, MemoryCategory>::first);
    return found == kCategories.end() ? std::nullopt : std::optional(found->second);
}

bool isTime(const Value& value)
{
    return value.isNumber() || value.kind == Value::Kind::Real;
}

// Numbers of JSON that no 64 bits hold are none of a device.
std::int64_t amountOf(const Value& value)
{
    constexpr double kMost = 9e18;
    const bool isTooLarge =
        (value.kind == Value::Kind::Real && !(std::abs(std::bit_cast<double>(value.payload)) < kMost))
        || (value.kind == Value::Kind::Unsigned && value.integer() < 0);
    return isTooLarge ? -1 : value.integer();
}

std::int64_t timeOf(const EntryValues& values)
{
    if (isTime(values.timeNs))
        return withinFileNs(values.timeNs.integer());
    return fileNsOf(values.timeUs.integer());
}

} // namespace

trace::MemoryOwner SnapshotOwners::ofFrames(const Objects& objects, const Value& frames)
{
    std::vector<StackFrame> stack;
    for (const Value& frame : objects.list(frames))
        stack.push_back(stackFrameOf(objects, frame));
    m_isOfTraining = m_isOfTraining || recordings::isOfTraining(stack);
    return {.category = categoryOf(stack), .frames = linesOf(stack)};
}

// The profiler knows what its tensors are for.
trace::OwnerId SnapshotOwners::ownerInProfile(const Objects& objects, const Value& frames, const Value& category)
{
    m_isOfProfile = true;
    const auto [found, isNew] =
        m_ofProfile.try_emplace(std::pair(frames.payload, category.payload), trace::kUnknownOwner);
    if (isNew) {
        trace::MemoryOwner owner = ofFrames(objects, frames);
        if (const auto told = categoryOfProfile(objects.text(category)))
            owner.category = *told;
        found->second = m_table.idOf(owner);
    }
    return found->second;
}

// As Headroom's exports have them.
trace::MemoryOwner SnapshotOwners::noted(const Objects& objects, const Value& metadata)
{
    const auto text = [&](std::string_view key) { return std::string(objects.text(objects.at(metadata, key))); };
    trace::MemoryOwner owner;
    owner.category = config::memoryCategoryFromText(text("category")).value_or(config::MemoryCategory::Unknown);
    owner.module = text("module");
    owner.technique = text("technique");
    owner.source = text("source");
    owner.frames = text("frames");
    return owner;
}

trace::OwnerId SnapshotOwners::ownerOf(
    const Objects& objects, const Value& frames, const Value& metadata, const Value& category)
{
    if (metadata.kind == Value::Kind::Dict && category.kind == Value::Kind::Text) {
        const auto [found, isNew] = m_ofNotes.try_emplace(metadata.payload, trace::kUnknownOwner);
        if (isNew)
            found->second = m_table.idOf(noted(objects, metadata));
        return found->second;
    }
    if (frames.kind != Value::Kind::List)
        return trace::kUnknownOwner;
    const auto [found, isNew] = m_ofFrames.try_emplace(frames.payload, trace::kUnknownOwner);
    if (isNew)
        found->second = m_table.idOf(ofFrames(objects, frames));
    return found->second;
}

Stream SnapshotEntries::streamOf(const Value& handle)
{
    return m_streams.emplace(handle.integer(), static_cast<Stream>(m_streams.size())).first->second;
}

EventKind SnapshotEntries::kindOf(const Objects& objects, const Value& action)
{
    const auto [found, isNew] = m_kinds.try_emplace(action.payload, kIgnored);
    if (!isNew)
        return found->second;
    const std::string_view name = objects.text(action);
    const auto* const known = std::ranges::find(kKinds, name, &NamedKind::name);
    if (known != kKinds.end())
        found->second = known->kind;
    else
        m_unknownActions.emplace_back(name);
    return found->second;
}

bool SnapshotEntries::take(const Objects& objects, const std::vector<DictItem>& dict)
{
    const EntryValues values = valuesOf(objects, dict);
    if (values.action.kind != Value::Kind::Text)
        return false;
    RecordedEvent event;
    event.kind = kindOf(objects, values.action);
    event.address =
        static_cast<Address>(amountOf(event.kind == EventKind::OutOfMemory ? values.deviceFree : values.address));
    event.bytes = amountOf(values.size);
    if (values.requestedSize.isNumber()) {
        event.blockBytes = event.bytes;
        event.bytes = values.requestedSize.integer();
    }
    event.timeNs = timeOf(values);
    if (event.kind == kIgnored && !objects.text(values.metadata).empty())
        m_notes.push_back({event.timeNs, std::string(objects.text(values.metadata))});
    const bool hasTime = isTime(values.timeUs) || isTime(values.timeNs);
    m_hasTimes = m_hasTimes && (event.kind == kIgnored || hasTime);
    event.stream = streamOf(values.stream);
    const bool isOfProfile = !hasTime && values.category.kind == Value::Kind::Text;
    if (event.kind != kIgnored)
        event.owner = isOfProfile ? m_owners.ownerInProfile(objects, values.frames, values.category)
                                  : m_owners.ownerOf(objects, values.frames, values.metadata, values.category);
    if (event.kind == EventKind::Alloc)
        (objects.list(values.frames).empty() ? m_hasAllocationWithout : m_hasAllocationWith) = true;
    m_events.push_back(event);
    return true;
}

} // namespace headroom::recordings
