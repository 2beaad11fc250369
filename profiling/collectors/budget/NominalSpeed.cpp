// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/budget/NominalSpeed.h"

namespace headroom::collectors {
namespace {

constexpr const char* kSource =
    "a nominal processor: two cores of 16 float32 multiply-adds a cycle at 3 GHz, one memory channel";
constexpr double kFlops = 2 * 32 * 3e9;
constexpr double kBandwidth = 20e9;
constexpr double kOpSeconds = 5e-6;

simulator::SpeedProfile nominalSpeed()
{
    simulator::SpeedProfile speed;
    const simulator::Sourced<double> flops{kFlops, kSource};
    speed.peakFlops[static_cast<std::size_t>(simulator::MathType::Float32)] = flops;
    speed.peakFlops[static_cast<std::size_t>(simulator::MathType::Float64)] = {kFlops / 2, kSource};
    speed.bandwidthBytesPerSecond = {kBandwidth, kSource};
    speed.hostLinkBytesPerSecond = {kBandwidth / 2, kSource};
    speed.kernelLaunchSeconds = {kOpSeconds, kSource};
    speed.kernelFloorSeconds = {0, kSource};
    speed.flopsFraction = {1, kSource};
    speed.bandwidthFraction = {1, kSource};
    return speed;
}

} // namespace

simulator::SimulatedDevice withSpeed(simulator::SimulatedDevice device)
{
    if (!device.device.speed)
        device.device.speed = nominalSpeed();
    return device;
}

} // namespace headroom::collectors
