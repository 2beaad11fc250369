// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/CostModel.h"

#include <algorithm>
#include <utility>

namespace headroom::simulator {

CostModel::CostModel(SpeedProfile speed)
    : m_speed(std::move(speed))
{
}

std::optional<CostModel> CostModel::of(const DeviceProfile& device)
{
    return device.speed ? std::optional(CostModel(*device.speed)) : std::nullopt;
}

double CostModel::flopsPerSecond(MathType type) const
{
    const auto& peak = m_speed.peakFlops[static_cast<std::size_t>(type)];
    const auto& fallback = m_speed.peakFlops[static_cast<std::size_t>(MathType::Float32)];
    return (peak ? peak->value : fallback.value().value) * m_speed.flopsFraction.value;
}

double CostModel::bytesPerSecond() const
{
    return m_speed.bandwidthBytesPerSecond.value * m_speed.bandwidthFraction.value;
}

double CostModel::deviceSeconds(const OpCost& op) const
{
    const double arithmetic = op.flops / flopsPerSecond(op.type);
    const double traffic = static_cast<double>(op.bytesRead + op.bytesWritten) / bytesPerSecond();
    return std::max({arithmetic, traffic, op.launches * m_speed.kernelFloorSeconds.value});
}

double CostModel::hostSeconds(const OpCost& op) const
{
    return op.launches * m_speed.kernelLaunchSeconds.value;
}

double CostModel::copySeconds(Bytes bytes) const
{
    return static_cast<double>(bytes) / m_speed.hostLinkBytesPerSecond.value;
}

} // namespace headroom::simulator
