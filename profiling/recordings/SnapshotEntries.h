// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/FrameCategories.h"
#include "profiling/recordings/Recording.h"
#include "profiling/recordings/values/Objects.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headroom::recordings {

/// The owners of a file's memory, by the call stacks and notes that the file has of it. Files name the same frames, and
/// stacks of the same frames, many times: of each the text is put together once. Everything is charged to the file's
/// bound on memory, and throws std::length_error beyond it.
class SnapshotOwners {
public:
    /// `frames`: a list of stack frames; `metadata`: a dictionary that Headroom's exports have.
    trace::OwnerId ownerOf(const Objects& objects, const Value& frames, const Value& metadata, const Value& category);
    /// Of an entry of a profile, which knows what a tensor is for.
    trace::OwnerId ownerInProfile(const Objects& objects, const Value& frames, const Value& category);
    trace::OwnerTable& table() { return m_table; }
    bool isOfTraining() const { return m_isOfTraining; }
    bool isOfProfile() const { return m_isOfProfile; }

private:
    struct Frame {
        StackFrame text; ///< of the objects
        FrameSigns signs = 0;
    };
    /// Numbers of its frames; of a profile that of its category's text follows.
    using Stack = std::u32string;

    trace::OwnerId ofList(const Objects& objects, const Value& frames, std::optional<Value> category);
    trace::OwnerId ofStack(
        const Objects& objects, const Stack& stack, std::size_t frames, std::optional<config::MemoryCategory> category);
    char32_t frameNumber(const Objects& objects, const Value& frame);
    char32_t addFrame(const Objects& objects, const Value& frame);
    static trace::MemoryOwner noted(const Objects& objects, const Value& metadata);

    trace::OwnerTable m_table;
    std::map<std::pair<std::uint64_t, std::uint64_t>, trace::OwnerId> m_ofLists; ///< of frames, with the category
    std::unordered_map<Stack, trace::OwnerId> m_ofStacks;
    std::vector<Frame> m_frames;
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>, char32_t> m_frameNumbers; ///< by file, name, line
    std::vector<char32_t> m_framesOfDicts; ///< their numbers by those of dictionaries, from 1
    std::unordered_map<std::uint64_t, trace::OwnerId> m_ofNotes;
    bool m_isOfTraining = false; ///< some stack is of a backward pass or an update
    bool m_isOfProfile = false;
};

/// Takes the entries of the traces in a snapshot while it is read, in a form that is a tenth of the dictionaries'.
class SnapshotEntries final : public EntrySink {
public:
    bool take(const Objects& objects, const std::vector<DictItem>& dict) override;

    std::vector<RecordedEvent>& events() { return m_events; }
    SnapshotOwners& owners() { return m_owners; }
    /// The number of a stream by its handle: as they come, the default stream first.
    Stream streamOf(const Objects& objects, const Value& handle);
    bool hasTimes() const { return m_hasTimes; }
    /// Whether a stack tells of a backward pass or an update, or memory is taken without a stack beside memory with
    /// one, as by the threads of autograd.
    bool isOfTraining() const { return m_owners.isOfTraining() || (m_hasAllocationWithout && m_hasAllocationWith); }
    /// Whether torch.cuda._memory_viz made the snapshot of a profile: its entries have a category.
    bool isOfProfile() const { return m_owners.isOfProfile(); }
    /// What programs noted themselves: "user_defined" entries with a text, as the file has their times.
    struct Note {
        std::int64_t timeNs = 0;
        Value text;
    };
    const std::vector<Note>& notes() const { return m_notes; }
    /// Entries of a kind that no known version writes, by their action.
    const std::vector<std::string>& unknownActions() const { return m_unknownActions; }

    static constexpr EventKind kIgnored = static_cast<EventKind>(255); ///< "snapshot" and the like

private:
    EventKind kindOf(const Objects& objects, const Value& action);

    std::vector<RecordedEvent> m_events;
    SnapshotOwners m_owners;
    std::unordered_map<std::int64_t, Stream> m_streams{{0, 0}};
    std::unordered_map<std::uint64_t, EventKind> m_kinds; ///< by the number of the action's text
    std::vector<Note> m_notes;
    std::vector<std::string> m_unknownActions;
    bool m_hasTimes = true;
    bool m_hasAllocationWith = false; ///< a call stack
    bool m_hasAllocationWithout = false;
};

} // namespace headroom::recordings
