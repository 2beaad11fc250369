// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RehearsedMemory.h"

#include "core/base/Error.h"
#include "experiments/comparison/PeakContents.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/trace/FrameText.h"
#include "profiling/trace/InnermostPhases.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

namespace headroom::experiments {
namespace {

using config::MemoryCategory;
using recordings::DeviceRecording;
using recordings::EventKind;
using recordings::RecordedEvent;
using recordings::Recording;

constexpr const char* kUpdate = "optimizer";
constexpr const char* kBackward = "backward";
constexpr const char* kOwnPackage = "/headroom_rehearsal/";

/// The events that made the blocks that live at a point of the recording.
using LiveBlocks = std::unordered_map<recordings::Address, RecordedEvent*>;

void follow(LiveBlocks& live, RecordedEvent& event)
{
    if (event.kind == EventKind::Alloc)
        live[event.address] = &event;
    else if (event.kind == EventKind::FreeRequested)
        live.erase(event.address);
}

std::string moduleOf(const std::string& parameter)
{
    const auto dot = parameter.rfind('.');
    return dot == std::string::npos ? std::string() : parameter.substr(0, dot);
}

// Small values are computed by a package of ours, within a call of the program's that is what people look for. What it
// calls in turn is left out with it.
std::string withoutOwnFrames(const std::string& frames)
{
    const auto own = frames.find(kOwnPackage);
    const auto lineBefore = frames.rfind('\n', own);
    return lineBefore == std::string::npos ? std::string() : frames.substr(0, lineBefore);
}

// Files below the folder that the command was started in are named from there: two checkouts of a script have the same
// lines then, and can be compared.
std::string fromFolder(std::string frames, const std::string& folder)
{
    for (std::size_t at = 0; at < frames.size();) {
        if (frames.compare(at, folder.size(), folder) == 0)
            frames.erase(at, folder.size());
        const auto end = frames.find('\n', at);
        at = end == std::string::npos ? frames.size() : end + 1;
    }
    return frames;
}

void rename(RecordedEvent& event, Recording& recording, MemoryCategory category, const std::string& module)
{
    trace::MemoryOwner owner = recording.owners.of(event.owner);
    owner.category = category;
    if (!module.empty())
        owner.module = module;
    event.owner = recording.owners.idOf(owner);
}

void nameLive(
    const LiveBlocks& live, Recording& recording, const std::vector<NamedBlock>& blocks, MemoryCategory category)
{
    for (const NamedBlock& block : blocks)
        if (const auto found = live.find(block.address); found != live.end())
            rename(*found->second, recording, category, moduleOf(block.name));
}

// The thread of the backward pass has no lines of the program's. What it leaves for the update are gradients.
bool hasNoName(const RecordedEvent& event, const Recording& recording)
{
    const trace::MemoryOwner& owner = recording.owners.of(event.owner);
    return owner.category == MemoryCategory::Unknown && owner.frames.empty();
}

std::vector<trace::PhaseSpan> updatesOf(const Recording& recording)
{
    std::vector<trace::PhaseSpan> updates;
    for (const trace::PhaseSpan& phase : recording.phases)
        if (phase.name == kUpdate && phase.step >= 0)
            updates.push_back(phase);
    std::ranges::sort(updates, {}, &trace::PhaseSpan::beginNs);
    return updates;
}

/// Tells the gradients of every step from what its backward pass gave back.
class BackwardBlocks {
public:
    /// `updates` must outlive it.
    BackwardBlocks(Recording& recording, std::span<const trace::PhaseSpan> updates)
        : m_recording(recording)
        , m_updates(updates)
        , m_phases(recording.phases)
    {
    }

    void apply(RecordedEvent& event)
    {
        while (m_next < m_updates.size() && m_updates[m_next].beginNs <= event.timeNs) {
            settle(MemoryCategory::Gradients);
            ++m_next;
        }
        if (event.kind == EventKind::Alloc && hasNoName(event, m_recording) && isInBackward(event.timeNs))
            m_open[event.address] = &event;
        else if (event.kind == EventKind::FreeRequested)
            if (const auto found = m_open.extract(event.address))
                rename(*found.mapped(), m_recording, MemoryCategory::Temporaries, {});
    }

private:
    void settle(MemoryCategory category)
    {
        for (const auto& [address, event] : m_open)
            rename(*event, m_recording, category, {});
        m_open.clear();
    }

    bool isInBackward(std::int64_t timeNs)
    {
        const std::size_t phase = m_phases.at(timeNs);
        return phase < m_phases.phases().size() && m_phases.phases()[phase].name == kBackward;
    }

    Recording& m_recording;
    std::span<const trace::PhaseSpan> m_updates;
    trace::InnermostPhases m_phases;
    std::size_t m_next = 0;
    LiveBlocks m_open;
};

// A block is given back by whom it was named after: what is held in a phase is counted from events alone.
void giveBackByOwner(DeviceRecording& device)
{
    std::unordered_map<recordings::Address, trace::OwnerId> owners;
    for (RecordedEvent& event : device.events)
        if (event.kind == EventKind::Alloc)
            owners[event.address] = event.owner;
        else if (event.kind == EventKind::FreeRequested || event.kind == EventKind::FreeCompleted)
            if (const auto found = owners.find(event.address); found != owners.end())
                event.owner = found->second;
}

std::size_t fullestOf(const Recording& recording, const ProcessRecords& process)
{
    std::size_t fullest = 0;
    Bytes most = -1;
    for (std::size_t i = 0; i < recording.devices.size(); ++i) {
        const auto peak = process.peaks.find(recording.devices[i].device);
        const Bytes reserved = peak == process.peaks.end() ? 0 : peak->second.reserved.value_or(0);
        if (recording.devices[i].device >= 0 && reserved > most) {
            most = reserved;
            fullest = i;
        }
    }
    return fullest;
}

} // namespace

void shortenFrames(Recording& recording, const std::filesystem::path& folder)
{
    const std::string beginning = (folder / "").string();
    std::vector<trace::MemoryOwner> owners(recording.owners.all().begin(), recording.owners.all().end());
    for (trace::MemoryOwner& owner : owners) {
        if (owner.frames.find(kOwnPackage) != std::string::npos)
            owner.frames = withoutOwnFrames(owner.frames);
        owner.frames = fromFolder(std::move(owner.frames), beginning);
    }
    recording.owners = trace::OwnerTable(std::move(owners));
}

void nameBlocks(DeviceRecording& device, Recording& recording, const ProcessRecords& process)
{
    const std::vector<trace::PhaseSpan> updates = updatesOf(recording);
    BackwardBlocks backward(recording, updates);
    LiveBlocks live;
    bool isNamed = updates.empty(); // without an update there are no addresses
    const auto nameAll = [&] {
        nameLive(live, recording, process.gradients, MemoryCategory::Gradients);
        nameLive(live, recording, process.optimizerState, MemoryCategory::OptimizerState);
        nameLive(live, recording, process.parameters, MemoryCategory::Weights);
        isNamed = true;
    };
    for (RecordedEvent& event : device.events) {
        if (!isNamed && event.timeNs >= updates.front().endNs)
            nameAll();
        follow(live, event);
        backward.apply(event);
    }
    if (!isNamed)
        nameAll();
    giveBackByOwner(device);
}

std::optional<RehearsedMemory> memoryOf(const RehearsedRun& run)
{
    const ProcessRecords* const main = run.main();
    if (main == nullptr || main->snapshots.empty() || !std::filesystem::exists(main->snapshots.back().file))
        return std::nullopt;
    RehearsedMemory memory{recordings::readRecording(main->snapshots.back().file), 0};
    if (memory.recording.devices.empty())
        return std::nullopt;
    memory.device = fullestOf(memory.recording, *main);
    shortenFrames(memory.recording, std::filesystem::current_path());
    // The owners' table grows while the events of one device are named; the others keep theirs.
    nameBlocks(memory.recording.devices[memory.device], memory.recording, *main);
    return memory;
}

std::vector<HeldMemory> heldAtPeak(const RehearsedMemory& memory)
{
    const trace::Holdings holdings = holdingsAtPeak(memory.recording, memory.recording.devices.at(memory.device));
    std::map<std::pair<std::string, std::string>, Bytes> bytes;
    for (const trace::Holding& part : holdings.parts) {
        const trace::MemoryOwner& owner = memory.recording.owners.of(part.owner);
        bytes[{std::string(config::toText(owner.category)), trace::innermostFrame(owner.frames)}] += part.bytes;
    }
    std::vector<HeldMemory> held;
    for (const auto& [name, amount] : bytes)
        held.push_back({name.first, amount, name.second});
    std::ranges::stable_sort(held, std::ranges::greater(), &HeldMemory::bytes);
    return held;
}

} // namespace headroom::experiments
