// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/SnapshotEntries.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace headroom::recordings {
namespace {

constexpr std::size_t kNodeBytes = 64; ///< of a map, about
constexpr char32_t kOfCategory = 0x8000'0000; ///< so that it is the number of no frame

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
StackFrame stackFrameOf(std::string_view file, std::string_view name, std::int64_t line)
{
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

// Of a line of linesOf.
std::size_t lineBytes(const StackFrame& frame)
{
    constexpr std::size_t kRest = 24;
    return frame.file.size() + frame.function.size() + kRest;
}

void chargeOwner(const Objects& objects, std::size_t textBytes)
{
    constexpr std::size_t kCopies = 3; // the table has two, and one is made of all of them
    objects.charge(kCopies * (sizeof(trace::MemoryOwner) + textBytes));
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

char32_t SnapshotOwners::addFrame(const Objects& objects, const Value& frame)
{
    const Value file = objects.at(frame, "filename");
    const Value name = objects.at(frame, "name");
    const std::int64_t line = objects.at(frame, "line").integer();
    const auto textNumber = [](const Value& value) { return value.kind == Value::Kind::Text ? value.payload + 1 : 0; };
    const auto [found, isNew] = m_frameNumbers.try_emplace(
        std::tuple(textNumber(file), textNumber(name), line), static_cast<char32_t>(m_frames.size()));
    if (isNew) {
        objects.charge(sizeof(Frame) + kNodeBytes);
        const StackFrame text =
            stackFrameOf(objects.line(file, "the file of a frame"), objects.line(name, "the name of a frame"), line);
        m_frames.push_back({text, signsOf(text)});
    }
    return found->second;
}

char32_t SnapshotOwners::frameNumber(const Objects& objects, const Value& frame)
{
    if (frame.kind != Value::Kind::Dict)
        return addFrame(objects, frame);
    if (frame.payload >= m_framesOfDicts.size()) {
        const std::size_t most = std::max<std::size_t>(frame.payload + 1, m_framesOfDicts.size() * 3 / 2);
        objects.charge((most - m_framesOfDicts.size()) * sizeof(char32_t));
        m_framesOfDicts.resize(most);
    }
    char32_t& number = m_framesOfDicts[frame.payload];
    if (number == 0)
        number = addFrame(objects, frame) + 1;
    return number - 1;
}

trace::OwnerId SnapshotOwners::ofStack(
    const Objects& objects, const Stack& stack, std::size_t frames, std::optional<config::MemoryCategory> category)
{
    const auto [found, isNew] = m_ofStacks.try_emplace(stack, trace::kUnknownOwner);
    if (!isNew)
        return found->second;
    objects.charge(stack.size() * sizeof(char32_t) + kNodeBytes);
    std::vector<StackFrame> texts;
    FrameSigns signs = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < frames; ++i) {
        const Frame& frame = m_frames[stack[i]];
        texts.push_back(frame.text);
        signs |= frame.signs;
        bytes += lineBytes(frame.text);
    }
    chargeOwner(objects, bytes);
    m_isOfTraining = m_isOfTraining || recordings::isOfTraining(signs);
    return found->second = m_table.idOf({.category = category.value_or(categoryOf(signs)), .frames = linesOf(texts)});
}

trace::OwnerId SnapshotOwners::ofList(const Objects& objects, const Value& frames, std::optional<Value> category)
{
    const std::uint64_t list = frames.kind == Value::Kind::List ? frames.payload + 1 : 0;
    const auto [found, isNew] =
        m_ofLists.try_emplace(std::pair(list, category ? category->payload + 1 : 0), trace::kUnknownOwner);
    if (!isNew)
        return found->second;
    objects.charge(kNodeBytes);
    const std::vector<Value>& all = objects.list(frames);
    if (all.size() > kMostFrames)
        throw std::length_error(
            "a call stack of " + std::to_string(all.size()) + " frames (at most " + std::to_string(kMostFrames) + ")");
    Stack stack;
    for (const Value& frame : all)
        stack.push_back(frameNumber(objects, frame));
    if (category)
        stack.push_back(kOfCategory | static_cast<char32_t>(category->payload));
    const auto told = category ? categoryOfProfile(objects.text(*category)) : std::nullopt;
    return found->second = ofStack(objects, stack, all.size(), told);
}

// The profiler knows what its tensors are for.
trace::OwnerId SnapshotOwners::ownerInProfile(const Objects& objects, const Value& frames, const Value& category)
{
    m_isOfProfile = true;
    return ofList(objects, frames, category);
}

// As Headroom's exports have them.
trace::MemoryOwner SnapshotOwners::noted(const Objects& objects, const Value& metadata)
{
    const auto text = [&](std::string_view key) {
        return std::string(objects.line(objects.at(metadata, key), "a text of \"user_metadata\""));
    };
    trace::MemoryOwner owner;
    owner.category = config::memoryCategoryFromText(text("category")).value_or(config::MemoryCategory::Unknown);
    owner.module = text("module");
    owner.technique = text("technique");
    owner.source = text("source");
    owner.frames = std::string(objects.text(objects.at(metadata, "frames"))); // of a whole stack
    return owner;
}

trace::OwnerId SnapshotOwners::ownerOf(
    const Objects& objects, const Value& frames, const Value& metadata, const Value& category)
{
    if (metadata.kind == Value::Kind::Dict && category.kind == Value::Kind::Text) {
        const auto [found, isNew] = m_ofNotes.try_emplace(metadata.payload, trace::kUnknownOwner);
        if (isNew) {
            const trace::MemoryOwner owner = noted(objects, metadata);
            objects.charge(kNodeBytes);
            chargeOwner(
                objects, owner.module.size() + owner.technique.size() + owner.source.size() + owner.frames.size());
            found->second = m_table.idOf(owner);
        }
        return found->second;
    }
    return frames.kind == Value::Kind::List ? ofList(objects, frames, {}) : trace::kUnknownOwner;
}

Stream SnapshotEntries::streamOf(const Objects& objects, const Value& handle)
{
    const auto [found, isNew] = m_streams.emplace(handle.integer(), static_cast<Stream>(m_streams.size()));
    if (isNew)
        objects.charge(kNodeBytes);
    return found->second;
}

EventKind SnapshotEntries::kindOf(const Objects& objects, const Value& action)
{
    const auto [found, isNew] = m_kinds.try_emplace(action.payload, kIgnored);
    if (!isNew)
        return found->second;
    const std::string_view name = objects.line(action, "the action of an entry");
    objects.charge(kNodeBytes + 2 * name.size());
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
        m_notes.push_back({event.timeNs, values.metadata});
    const bool hasTime = isTime(values.timeUs) || isTime(values.timeNs);
    m_hasTimes = m_hasTimes && (event.kind == kIgnored || hasTime);
    event.stream = streamOf(objects, values.stream);
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
