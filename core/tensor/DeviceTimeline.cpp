// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/DeviceTimeline.h"

#include <utility>

namespace headroom::tensor {
namespace {

DeviceTimeline* s_active = nullptr;

} // namespace

DeviceTimeline* DeviceTimeline::active()
{
    return s_active;
}

DeviceTimeline::Activation::Activation(DeviceTimeline& timeline)
    : m_outer(std::exchange(s_active, &timeline))
{
}

DeviceTimeline::Activation::~Activation()
{
    s_active = m_outer;
}

} // namespace headroom::tensor
