// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastRegion.h"

#include <vector>

namespace headroom::tensor {

/// The autocast settings of this thread: Headroom's, LibTorch's for some kinds of device, and whether it caches casts
/// of weights.
class AutocastState {
public:
    /// Captures the current settings. Kinds of device without autocast (meta) are left out.
    explicit AutocastState(const std::vector<c10::DeviceType>& kinds);

    /// While it lives, this thread has the captured autocast settings, as a separate region. `state` is borrowed.
    class Scope;

private:
    struct Setting {
        c10::DeviceType kind = c10::DeviceType::CPU;
        bool enabled = false;
        c10::ScalarType dtype = c10::ScalarType::Float;
    };

    std::vector<c10::DeviceType> kinds() const;
    void apply() const;

    std::vector<Setting> m_settings;
    bool m_cache = true;
    std::optional<c10::ScalarType> m_type;
    AutocastLists m_lists;
};

class AutocastState::Scope {
public:
    explicit Scope(const AutocastState& state);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    AutocastState m_surrounding;
    AutocastRegion m_region;
};

} // namespace headroom::tensor
