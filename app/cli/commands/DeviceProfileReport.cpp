// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/DeviceProfileReport.h"

#include "core/base/Quantities.h"

#include <fmt/format.h>

namespace headroom::cli {

using experiments::OrderedJson;
using namespace simulator;

namespace {

std::string text(ComputeCapability capability)
{
    return fmt::format("{}.{}", capability.major, capability.minor);
}

template <typename Items, typename Name> OrderedJson profileNames(const Items& items, Name name)
{
    OrderedJson names = OrderedJson::array();
    for (const auto& item : items)
        names.push_back(name(item));
    return names;
}

// Collects constants as rows and as records.
class ConstantList {
public:
    template <typename T> void add(const std::string& name, const Sourced<T>& constant)
    {
        addValue(name, OrderedJson(constant.value), constant.source, constant.spread);
    }

    void addValue(const std::string& name, const OrderedJson& value, const std::string& source,
        std::optional<double> spread = std::nullopt)
    {
        m_table.addRow({name, value.is_string() ? value.get<std::string>() : value.dump(),
            spread ? percentText(*spread) : "", source});
        m_records.push_back({{"constant", name}, {"value", value},
            {"spread", spread ? OrderedJson(*spread) : OrderedJson(nullptr)}, {"source", source}});
    }

    // Each point of a table is a constant of its own.
    void add(const RateTable& table)
    {
        std::string name = "speed.rates." + nameOf(table.work) + "." + nameOf(table.type);
        if (table.smallestDimension > 0)
            name += fmt::format(".{}", table.smallestDimension);
        for (const RatePoint& point : table.points)
            addValue(fmt::format("{} at {}", name, metricText(point.size, isArithmetic(table.work) ? "FLOP" : "B")),
                point.perSecond, table.source, point.spread);
    }

    Report report(const OrderedJson& head, const std::string& title) const
    {
        Report report;
        report.document = head;
        report.document["constants"] = m_records;
        report.records = m_records;
        report.sections.push_back({title, "", m_table, "Constants are never fitted to published results."});
        return report;
    }

private:
    Table m_table{{{"constant"}, {"value", Alignment::Right}, {"spread", Alignment::Right}, {"source"}}};
    OrderedJson m_records = OrderedJson::array();
};

void addMemory(ConstantList& list, const MemoryProfile& memory)
{
    list.add("memory.total_bytes", memory.totalBytes);
    list.add("memory.usable_bytes", memory.usableBytes);
    list.add("memory.context_bytes", memory.contextBytes);
}

void addCard(ConstantList& list, const CardProfile& card)
{
    list.add("card.name", card.name);
    list.add("card.blocks_per_multiprocessor", card.blocksPerMultiprocessor);
    list.add("card.warp_size", card.warpSize);
    list.add("card.shared_bytes_per_block", card.sharedBytesPerBlock);
    list.add("card.shared_bytes_per_block_opt_in", card.sharedBytesPerBlockOptIn);
    list.add("card.shared_bytes_per_multiprocessor", card.sharedBytesPerMultiprocessor);
    list.add("card.registers_per_block", card.registersPerBlock);
    list.add("card.registers_per_multiprocessor", card.registersPerMultiprocessor);
    list.add("card.l2_bytes", card.l2Bytes);
    list.add("card.memory_bus_bits", card.memoryBusBits);
    list.add("card.clock_kilohertz", card.clockKilohertz);
    list.add("card.memory_clock_kilohertz", card.memoryClockKilohertz);
}

// What only a calibrated profile has.
void addMeasured(ConstantList& list, const SpeedProfile& speed)
{
    if (speed.pageableLinkBytesPerSecond)
        list.add("speed.pageable_link_bytes_per_second", *speed.pageableLinkBytesPerSecond);
    if (speed.autogradSeconds)
        list.add("speed.autograd_seconds", *speed.autogradSeconds);
    if (speed.threads)
        list.add("speed.threads", *speed.threads);
    if (speed.freshMemory) {
        list.add("speed.fresh_memory.bytes_per_second", speed.freshMemory->bytesPerSecond);
        list.add("speed.fresh_memory.kept_bytes", speed.freshMemory->keptBytes);
        list.add("speed.fresh_memory.largest_kept_block_bytes", speed.freshMemory->largestKeptBlockBytes);
    }
    for (const RateTable& table : speed.rates.tables())
        list.add(table);
}

void addSpeed(ConstantList& list, const SpeedProfile& speed)
{
    for (std::size_t i = 0; i < kMathTypes; ++i)
        if (speed.peakFlops[i])
            list.add(std::string("speed.peak_flops.") + nameOf(static_cast<MathType>(i)), *speed.peakFlops[i]);
    list.add("speed.bandwidth_bytes_per_second", speed.bandwidthBytesPerSecond);
    list.add("speed.host_link_bytes_per_second", speed.hostLinkBytesPerSecond);
    list.add("speed.kernel_launch_seconds", speed.kernelLaunchSeconds);
    list.add("speed.kernel_floor_seconds", speed.kernelFloorSeconds);
    list.add("speed.flops_fraction", speed.flopsFraction);
    list.add("speed.bandwidth_fraction", speed.bandwidthFraction);
    addMeasured(list, speed);
}

void addCublas(ConstantList& list, const RuntimeProfile& profile)
{
    list.add("cublas.workspace_bytes", profile.defaultCublasWorkspaceBytes);
    for (const CublasWorkspace& exception : profile.cublasWorkspaces)
        list.add(fmt::format("cublas.workspace_bytes from {} below {}", text(exception.from), text(exception.below)),
            exception.bytes);
    const bool isKept = profile.cublasLt.value == CublasLtWorkspace::Kept;
    list.addValue("cublaslt.workspace",
        profile.cublasLt.value == CublasLtWorkspace::Unified ? "unified"
            : isKept                                         ? "kept"
                                                             : "separate",
        profile.cublasLt.source);
    if (profile.cublasLtBytes)
        list.add(isKept ? "cublaslt.bytes_per_handle" : "cublaslt.bytes_per_call", *profile.cublasLtBytes);
}

} // namespace

Report deviceProfileReport(const DeviceProfile& profile)
{
    ConstantList list;
    if (profile.compute) {
        list.addValue(
            "compute.capability", text(profile.compute->capability.value), profile.compute->capability.source);
        list.add("compute.multiprocessors", profile.compute->multiprocessors);
        list.add("compute.threads_per_multiprocessor", profile.compute->threadsPerMultiprocessor);
    }
    if (profile.memory)
        addMemory(list, *profile.memory);
    if (profile.card)
        addCard(list, *profile.card);
    if (profile.speed)
        addSpeed(list, *profile.speed);
    const char* kind = profile.kind == AllocatorKind::Caching ? "caching" : "exact";
    list.addValue("allocator", kind, "Headroom's simulator");
    if (profile.kind == AllocatorKind::Caching)
        list.addValue("segment_addresses", config::toText(profile.segmentAddresses),
            "recordings of PyTorch's allocator: linux is native Linux; ascending is WSL2, Windows, gVisor");
    return list.report({{"name", "sim:" + profile.name}, {"kind", "simulated"}, {"title", profile.title}},
        "sim:" + profile.name + ": " + profile.title);
}

Report runtimeProfileReport(const RuntimeProfile& profile)
{
    ConstantList list;
    list.add("allocator.large_segment_bytes", profile.largeSegmentBytes);
    addCublas(list, profile);
    for (std::size_t i = 0; i < kKernelOps; ++i)
        list.addValue(std::string("kernels.") + nameOf(static_cast<KernelOp>(i)), nameOf(profile.kernels[i].value),
            profile.kernels[i].source);
    list.addValue("attention.priority",
        profileNames(profile.attentionPriority.value, [](AttentionBackend backend) { return nameOf(backend); }),
        profile.attentionPriority.source);
    list.addValue("attention.cudnn_first", profileNames(profile.cudnnAttentionFirst.value, text),
        profile.cudnnAttentionFirst.source);
    return list.report({{"name", profile.name}, {"kind", "runtime"}, {"title", profile.title},
                           {"libtorch_version", profile.libtorchVersion}},
        profile.name + ": " + profile.title);
}

} // namespace headroom::cli
