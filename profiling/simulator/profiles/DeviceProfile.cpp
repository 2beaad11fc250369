// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/DeviceProfile.h"

#include "profiling/simulator/profiles/ProfileTable.h"

#include <fmt/format.h>

namespace headroom::simulator {

namespace {

// For profiles that do not state it.
Sourced<std::int64_t> residentThreads(const ComputeCapability& capability)
{
    const char* const source = "CUDA C++ Programming Guide, by compute capability";
    if (capability == ComputeCapability{7, 5})
        return {1024, source};
    const bool isOfDataCentres = capability.minor == 0 && capability.major < 12; // 7.0, 8.0, 9.0, 10.0
    return {isOfDataCentres || capability.major == 10 ? 2048 : 1536, source};
}

ComputeProfile readCompute(ProfileTable table)
{
    const auto capability = table.sourcedCapability("capability");
    ComputeProfile compute{capability, table.sourcedCount("multiprocessors"),
        table.has("threads_per_multiprocessor") ? table.sourcedCount("threads_per_multiprocessor")
                                                : residentThreads(capability.value)};
    table.refuseUnknown();
    return compute;
}

MemoryProfile readMemory(ProfileTable table)
{
    MemoryProfile memory{
        table.sourcedBytes("total_bytes"), table.sourcedBytes("usable_bytes"), table.sourcedBytes("context_bytes")};
    table.refuseUnknown();
    if (memory.usableBytes.value > memory.totalBytes.value)
        table.refuse("usable_bytes", fmt::format("is {}", memory.usableBytes.value),
            fmt::format("at most total_bytes, {}", memory.totalBytes.value));
    if (memory.contextBytes.value >= memory.usableBytes.value)
        table.refuse("context_bytes", fmt::format("is {}", memory.contextBytes.value),
            fmt::format("less than usable_bytes, {}", memory.usableBytes.value));
    return memory;
}

void readPeaks(ProfileTable table, SpeedProfile& speed)
{
    for (std::size_t i = 0; i < kMathTypes; ++i) {
        const char* const key = nameOf(static_cast<MathType>(i));
        const bool isRequired = static_cast<MathType>(i) == MathType::Float32; // others fall back to it
        if (isRequired || table.has(key))
            speed.peakFlops[i] = table.sourcedPositive(key);
    }
    table.refuseUnknown();
}

SpeedProfile readSpeed(ProfileTable table)
{
    SpeedProfile speed;
    speed.bandwidthBytesPerSecond = table.sourcedPositive("bandwidth_bytes_per_second");
    speed.hostLinkBytesPerSecond = table.sourcedPositive("host_link_bytes_per_second");
    speed.kernelLaunchSeconds = table.sourcedPositive("kernel_launch_seconds");
    speed.kernelFloorSeconds = table.sourcedPositive("kernel_floor_seconds");
    speed.flopsFraction = table.sourcedFraction("flops_fraction");
    speed.bandwidthFraction = table.sourcedFraction("bandwidth_fraction");
    readPeaks(table.table("peak_flops"), speed);
    table.refuseUnknown();
    return speed;
}

config::SegmentAddresses readAddresses(ProfileTable& root)
{
    constexpr const char* kKey = "segment_addresses";
    const auto text = root.optionalChoice(kKey, config::segmentAddressesWords());
    return text ? config::segmentAddressesFromText(*text, kKey) : config::SegmentAddresses::Linux;
}

} // namespace

const char* nameOf(MathType type)
{
    constexpr std::array<const char*, kMathTypes> kNames = {
        "float64", "float32", "tf32", "float16", "bfloat16", "float8"};
    return kNames.at(static_cast<std::size_t>(type));
}

DeviceProfile DeviceProfile::load(const std::filesystem::path& file)
{
    ProfileTable root = ProfileTable::parse(file);
    DeviceProfile profile;
    profile.name = root.choice("name", {file.stem().string()});
    profile.title = root.text("title");
    profile.kind =
        root.choice("kind", {"caching", "exact"}) == "caching" ? AllocatorKind::Caching : AllocatorKind::Exact;
    if (profile.kind == AllocatorKind::Caching) {
        profile.segmentAddresses = readAddresses(root);
        profile.compute = readCompute(root.table("compute"));
        profile.memory = readMemory(root.table("memory"));
        profile.speed = readSpeed(root.table("speed"));
    } else {
        if (auto memory = root.optionalTable("memory"))
            profile.memory = readMemory(*memory);
        if (auto speed = root.optionalTable("speed"))
            profile.speed = readSpeed(*speed);
    }
    root.refuseUnknown();
    return profile;
}

} // namespace headroom::simulator
