// SPDX-License-Identifier: Apache-2.0
#include "core/autocast/AutocastState.h"

#include <ATen/autocast_mode.h>

namespace headroom::tensor {

AutocastState::AutocastState(const std::vector<c10::DeviceType>& kinds)
    : m_cache(at::autocast::is_autocast_cache_enabled())
    , m_type(AutocastRegion::type())
    , m_lists(AutocastRegion::lists())
{
    for (const c10::DeviceType kind : kinds)
        if (at::autocast::is_autocast_available(kind))
            m_settings.push_back(
                {kind, at::autocast::is_autocast_enabled(kind), at::autocast::get_autocast_dtype(kind)});
}

std::vector<c10::DeviceType> AutocastState::kinds() const
{
    std::vector<c10::DeviceType> result;
    for (const Setting& setting : m_settings)
        result.push_back(setting.kind);
    return result;
}

void AutocastState::apply() const
{
    at::autocast::set_autocast_cache_enabled(m_cache);
    for (const Setting& setting : m_settings) {
        at::autocast::set_autocast_enabled(setting.kind, setting.enabled);
        at::autocast::set_autocast_dtype(setting.kind, setting.dtype);
    }
}

AutocastState::Scope::Scope(const AutocastState& state)
    : m_surrounding(state.kinds())
    , m_region(state.m_type, state.m_lists)
{
    at::autocast::increment_nesting();
    state.apply();
}

// Cached casts live as long as the outermost region.
AutocastState::Scope::~Scope()
{
    if (at::autocast::decrement_nesting() == 0)
        at::autocast::clear_cache();
    m_surrounding.apply();
}

} // namespace headroom::tensor
