// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/rules/CostModel.h"

#include <algorithm>
#include <utility>

namespace headroom::simulator {

CostModel::CostModel(SpeedProfile speed, Execution execution)
    : m_speed(std::move(speed))
    , m_execution(execution)
{
}

std::optional<CostModel> CostModel::of(const DeviceProfile& device)
{
    const Execution execution = device.kind == AllocatorKind::Exact ? Execution::Inline : Execution::Queued;
    return device.speed ? std::optional(CostModel(*device.speed, execution)) : std::nullopt;
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

std::optional<double> CostModel::measuredSeconds(const OpCost& op) const
{
    if (op.launches == 0 || m_speed.rates.isEmpty())
        return std::nullopt;
    const double size = isArithmetic(op.work) ? op.flops : static_cast<double>(op.bytesRead + op.bytesWritten);
    const double parts = static_cast<double>(std::max<std::int64_t>(op.parts, 1));
    const auto seconds = m_speed.rates.seconds({op.work, op.type, size / parts, op.smallestDimension});
    return seconds ? std::optional(*seconds * parts) : std::nullopt;
}

double CostModel::deviceSeconds(const OpCost& op) const
{
    if (const auto measured = measuredSeconds(op))
        return *measured;
    const double arithmetic = op.flops / flopsPerSecond(op.type);
    const double traffic = static_cast<double>(op.bytesRead + op.bytesWritten) / bytesPerSecond();
    return std::max({arithmetic, traffic, op.launches * m_speed.kernelFloorSeconds.value});
}

double CostModel::hostSeconds(const OpCost& op) const
{
    const int calls = m_execution == Execution::Inline ? 1 : op.launches;
    const double autograd = op.isRecorded && m_speed.autogradSeconds ? m_speed.autogradSeconds->value : 0.0;
    return calls * m_speed.kernelLaunchSeconds.value + autograd;
}

double CostModel::copySeconds(Bytes bytes, HostLink link) const
{
    const bool isPageable = link == HostLink::Pageable && m_speed.pageableLinkBytesPerSecond;
    const Sourced<double>& rate = isPageable ? *m_speed.pageableLinkBytesPerSecond : m_speed.hostLinkBytesPerSecond;
    return static_cast<double>(bytes) / rate.value;
}

} // namespace headroom::simulator
