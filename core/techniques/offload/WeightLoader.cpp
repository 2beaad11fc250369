// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/offload/WeightLoader.h"

#include <algorithm>
#include <utility>

namespace headroom::techniques {

bool OffloadUnit::isUsed() const
{
    return std::ranges::all_of(weights, [](const auto& weight) { return weight->isUsed(); });
}

WeightLoader::WeightLoader(c10::Device device, Stream stream)
{
    if (stream == Stream::Side)
        m_stream.emplace(device);
}

// Those that had no copy yet.
OffloadedWeights WeightLoader::hold(OffloadUnit& unit)
{
    OffloadedWeights empty;
    std::size_t held = 0;
    try {
        for (; held < unit.weights.size(); ++held)
            if (unit.weights[held]->hold())
                empty.push_back(unit.weights[held]);
    } catch (...) {
        while (held > 0)
            unit.weights[--held]->letGo();
        throw;
    }
    unit.isHeld = true;
    return empty;
}

void WeightLoader::load(OffloadUnit& unit)
{
    awaitPrefetch();
    if (!unit.isHeld)
        for (const auto& weight : hold(unit))
            weight->fill();
    for (const auto& weight : unit.weights)
        weight->use();
}

void WeightLoader::prefetch(OffloadUnit& unit)
{
    if (!m_stream || unit.isHeld)
        return;
    OffloadedWeights empty = hold(unit);
    if (empty.empty())
        return;
    m_stream->waitForCompute();
    m_stream->run([weights = std::move(empty)] {
        for (const auto& weight : weights)
            weight->fill();
    });
    m_isCopying = true;
}

void WeightLoader::unload(OffloadUnit& unit) noexcept
{
    for (const auto& weight : unit.weights) {
        weight->stopUsing();
        weight->letGo();
    }
    unit.isHeld = false;
}

void WeightLoader::discard(OffloadUnit& unit)
{
    awaitPrefetch();
    for (const auto& weight : unit.weights)
        weight->letGo();
    unit.isHeld = false;
}

void WeightLoader::awaitPrefetch()
{
    if (std::exchange(m_isCopying, false))
        m_stream->letComputeWait();
}

} // namespace headroom::techniques
