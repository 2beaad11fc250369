// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/ProfileSnapshot.h"

#include <unordered_map>

namespace headroom::recordings {
namespace {

/// Drops the new versions of tensors from a device's events.
class VersionFilter {
public:
    VersionFilter(DeviceRecording& device, const trace::OwnerTable& owners)
        : m_device(device)
        , m_owners(owners)
    {
        for (RecordedSegment& segment : device.before)
            for (RecordedBlock& block : segment.blocks)
                if (block.isLive)
                    m_live[block.address] = {block.owner, &block, 0};
    }

    void run()
    {
        const std::vector<RecordedEvent> events = std::move(m_device.events);
        m_device.events.clear();
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (isNewVersion(events, i)) {
                renew(events[i + 2]);
                i += 2;
                continue;
            }
            if (events[i].kind == EventKind::Alloc)
                m_live[events[i].address] = {events[i].owner, nullptr, m_device.events.size()};
            m_device.events.push_back(events[i]);
        }
    }

private:
    struct Live {
        trace::OwnerId owner = trace::kUnknownOwner;
        RecordedBlock* before = nullptr; ///< nothing: the event of its allocation is at `event`
        std::size_t event = 0;
    };

    static bool isNewVersion(const std::vector<RecordedEvent>& events, std::size_t i)
    {
        return i + 2 < events.size() && events[i].kind == EventKind::FreeRequested
            && events[i + 1].kind == EventKind::FreeCompleted && events[i + 2].kind == EventKind::Alloc
            && events[i].address == events[i + 2].address && events[i].bytes == events[i + 2].bytes;
    }

    bool isUnknown(trace::OwnerId owner) const
    {
        return m_owners.of(owner).category == config::MemoryCategory::Unknown;
    }

    // What was unknown had the category that its first known version has; what was known has another from here on.
    void renew(const RecordedEvent& version)
    {
        const auto found = m_live.find(version.address);
        if (found == m_live.end() || isUnknown(version.owner))
            return;
        Live& live = found->second;
        if (isUnknown(live.owner)) {
            (live.before != nullptr ? live.before->owner : m_device.events[live.event].owner) = version.owner;
        } else if (m_owners.of(live.owner).category != m_owners.of(version.owner).category) {
            m_device.events.push_back(version);
            m_device.events.back().kind = EventKind::Relabelled;
            m_device.events.back().previousOwner = live.owner;
        } else {
            return;
        }
        live.owner = version.owner;
    }

    DeviceRecording& m_device;
    const trace::OwnerTable& m_owners;
    std::unordered_map<Address, Live> m_live;
};

} // namespace

void completeProfile(DeviceRecording& device, const trace::OwnerTable& owners)
{
    VersionFilter(device, owners).run();
    device.hasSegments = false;
}

} // namespace headroom::recordings
