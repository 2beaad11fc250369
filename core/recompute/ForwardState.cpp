// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/ForwardState.h"

#include <algorithm>

namespace headroom::tensor {
namespace {

std::vector<c10::Device> devicesOf(const std::vector<at::Tensor>& inputs)
{
    std::vector<c10::Device> devices;
    for (const at::Tensor& input : inputs)
        if (input.defined() && std::find(devices.begin(), devices.end(), input.device()) == devices.end())
            devices.push_back(input.device());
    return devices;
}

// The CPU's autocast matters wherever the inputs are.
std::vector<c10::DeviceType> kindsOf(const std::vector<c10::Device>& devices)
{
    std::vector<c10::DeviceType> kinds{c10::DeviceType::CPU};
    for (const c10::Device& device : devices)
        if (std::find(kinds.begin(), kinds.end(), device.type()) == kinds.end())
            kinds.push_back(device.type());
    return kinds;
}

c10::Stream currentStream(c10::Device device)
{
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

std::optional<c10::Stream> streamOf(const std::vector<c10::Device>& devices)
{
    const auto device = std::find_if(devices.begin(), devices.end(), [](const c10::Device& d) { return d.is_cuda(); });
    return device == devices.end() ? std::nullopt : std::optional(currentStream(*device));
}

// Work added to `later` from now on runs after the work in `earlier`.
void order(const c10::Stream& earlier, const c10::Stream& later)
{
    if (earlier == later)
        return;
    c10::Event event(earlier.device_type());
    event.record(earlier);
    event.block(later);
}

// Restores the random state even if an exception is thrown.
class RandomScope {
public:
    RandomScope(const RandomState& state, const std::vector<c10::Device>& devices)
        : m_surrounding(devices)
    {
        state.restore();
    }
    ~RandomScope() { m_surrounding.restore(); }
    RandomScope(const RandomScope&) = delete;
    RandomScope& operator=(const RandomScope&) = delete;

private:
    RandomState m_surrounding;
};

} // namespace

ForwardState::ForwardState(const std::vector<at::Tensor>& inputs)
    : m_devices(devicesOf(inputs))
    , m_random(m_devices)
    , m_autocast(kindsOf(m_devices))
    , m_stream(streamOf(m_devices))
{
}

void ForwardState::runUnder(const std::function<void()>& action) const
{
    const at::AutoGradMode gradients(true);
    const AutocastState::Scope autocast(m_autocast);
    const RandomScope random(m_random, m_devices);
    runOnStream(action);
}

// The engine runs a node on the stream of its forward; if a forward changes streams inside, a tensor may be requested
// on one of those.
void ForwardState::runOnStream(const std::function<void()>& action) const
{
    if (!m_stream)
        return action();
    const c10::Stream surrounding = currentStream(m_stream->device());
    order(surrounding, *m_stream);
    {
        const c10::StreamGuard guard(*m_stream);
        action();
    }
    order(*m_stream, surrounding);
}

} // namespace headroom::tensor
