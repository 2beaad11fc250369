// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace headroom::collectors::cupti {

/// A buffer of activity records as CUPTI lays it out: packed structs one after the other.
class ActivityBuffer {
public:
    template <typename Activity> void add(const Activity& activity)
    {
        const std::size_t end = m_bytes.size();
        m_bytes.resize(end + sizeof(Activity));
        std::memcpy(m_bytes.data() + end, &activity, sizeof(Activity));
    }

    std::span<std::uint8_t> valid() { return m_bytes; }
    std::span<std::uint8_t> cutTo(std::size_t bytes) { return valid().first(bytes); }

private:
    std::vector<std::uint8_t> m_bytes;
};

/// A record of this kind, all else 0.
template <typename Activity> Activity activityOf(CUpti_ActivityKind kind)
{
    Activity activity;
    std::memset(&activity, 0, sizeof(activity));
    activity.kind = kind;
    return activity;
}

} // namespace headroom::collectors::cupti
