// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/DeviceProfile.h"

#include "profiling/simulator/profiles/ProfileTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

CardProfile readCard(ProfileTable table)
{
    CardProfile card{table.sourcedText("name"), table.sourcedCount("blocks_per_multiprocessor"),
        table.sourcedCount("warp_size"), table.sourcedBytes("shared_bytes_per_block"),
        table.sourcedBytes("shared_bytes_per_block_opt_in"), table.sourcedBytes("shared_bytes_per_multiprocessor"),
        table.sourcedCount("registers_per_block"), table.sourcedCount("registers_per_multiprocessor"),
        table.sourcedBytes("l2_bytes"), table.sourcedCount("memory_bus_bits"), table.sourcedCount("clock_kilohertz"),
        table.sourcedCount("memory_clock_kilohertz")};
    table.refuseUnknown();
    return card;
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

FreshMemoryProfile readFreshMemory(ProfileTable table)
{
    FreshMemoryProfile memory{table.sourcedPositive("bytes_per_second"), table.sourcedBytes("kept_bytes"),
        table.sourcedBytes("largest_kept_block_bytes")};
    table.refuseUnknown();
    return memory;
}

std::vector<RatePoint> readPoints(ProfileTable& table)
{
    constexpr const char* kKey = "points";
    std::vector<RatePoint> points;
    for (const std::vector<double>& row : table.numberRows(kKey, 3)) {
        const RatePoint point{row[0], row[1], row[2]};
        const bool isFinite =
            std::isfinite(point.size) && std::isfinite(point.perSecond) && std::isfinite(point.spread);
        if (!isFinite || point.size <= 0 || point.perSecond <= 0 || point.spread < 0)
            table.refuse(kKey, fmt::format("contains [{}, {}, {}]", row[0], row[1], row[2]),
                "[size, rate, spread]: size and rate greater than 0, spread at least 0");
        if (!points.empty() && point.size <= points.back().size)
            table.refuse(
                kKey, fmt::format("has size {} after {}", point.size, points.back().size), "sizes that ascend");
        points.push_back(point);
    }
    if (points.empty())
        table.refuse(kKey, "is empty", "at least one [size, rate, spread]");
    return points;
}

template <typename Choice>
Choice readChoice(ProfileTable& table, const char* key, const std::vector<std::string>& names)
{
    const std::string text = table.choice(key, names);
    return static_cast<Choice>(std::find(names.begin(), names.end(), text) - names.begin());
}

RateTable readRates(ProfileTable table)
{
    RateTable rates;
    rates.work = readChoice<Work>(table, "work", workNames());
    rates.type = readChoice<MathType>(table, "type", mathTypeNames());
    if (table.has("smallest_dimension"))
        rates.smallestDimension = table.count("smallest_dimension");
    rates.points = readPoints(table);
    rates.source = table.text("source");
    table.refuseUnknown();
    return rates;
}

// Parts that only measured profiles have.
void readMeasured(ProfileTable& table, SpeedProfile& speed)
{
    if (table.has("pageable_link_bytes_per_second"))
        speed.pageableLinkBytesPerSecond = table.sourcedPositive("pageable_link_bytes_per_second");
    if (table.has("autograd_seconds"))
        speed.autogradSeconds = table.sourcedPositive("autograd_seconds");
    if (table.has("threads"))
        speed.threads = table.sourcedCount("threads");
    if (auto fresh = table.optionalTable("fresh_memory"))
        speed.freshMemory = readFreshMemory(*fresh);
    for (const ProfileTable& rates : table.tables("rates"))
        speed.rates.add(readRates(rates));
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
    readMeasured(table, speed);
    table.refuseUnknown();
    return speed;
}

config::SegmentAddresses readAddresses(ProfileTable& root)
{
    constexpr const char* kKey = "segment_addresses";
    const auto text = root.optionalChoice(kKey, config::segmentAddressesWords());
    return text ? config::segmentAddressesFromText(*text, kKey) : config::SegmentAddresses::Linux;
}

DeviceProfile readProfile(ProfileTable root, const std::string& name)
{
    DeviceProfile profile;
    profile.name = root.choice("name", {name});
    profile.title = root.text("title");
    profile.kind =
        root.choice("kind", {"caching", "exact"}) == "caching" ? AllocatorKind::Caching : AllocatorKind::Exact;
    if (profile.kind == AllocatorKind::Caching) {
        profile.segmentAddresses = readAddresses(root);
        profile.compute = readCompute(root.table("compute"));
        profile.memory = readMemory(root.table("memory"));
        if (auto card = root.optionalTable("card"))
            profile.card = readCard(*card);
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

} // namespace

DeviceProfile DeviceProfile::load(const std::filesystem::path& file)
{
    return readProfile(ProfileTable::parse(file), file.stem().string());
}

DeviceProfile DeviceProfile::parse(const std::string& text, const std::filesystem::path& file)
{
    return readProfile(ProfileTable::parse(text, file), file.stem().string());
}

} // namespace headroom::simulator
