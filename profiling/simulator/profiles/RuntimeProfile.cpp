// SPDX-License-Identifier: Apache-2.0
#include "profiling/simulator/profiles/RuntimeProfile.h"

#include "profiling/simulator/profiles/ProfileTable.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace headroom::simulator {

namespace {

constexpr std::array<const char*, 4> kBackendNames = {"flash", "efficient", "math", "cudnn"};

std::vector<CublasWorkspace> readWorkspaces(std::vector<ProfileTable> tables)
{
    std::vector<CublasWorkspace> all;
    for (ProfileTable& table : tables) {
        all.push_back({table.capability("from_capability"), table.capability("below_capability"),
            {table.positiveBytes("bytes"), table.text("source")}});
        table.refuseUnknown();
    }
    return all;
}

void readCublas(ProfileTable table, RuntimeProfile& profile)
{
    profile.defaultCublasWorkspaceBytes = table.sourcedBytes("workspace_bytes");
    profile.cublasWorkspaces = readWorkspaces(table.tables("exception"));
    table.refuseUnknown();
}

void readCublasLt(ProfileTable table, RuntimeProfile& profile)
{
    const auto mode = table.sourcedChoice("workspace", {"unified", "separate", "kept"});
    profile.cublasLt = {mode.value == "unified" ? CublasLtWorkspace::Unified
            : mode.value == "separate"          ? CublasLtWorkspace::Separate
                                                : CublasLtWorkspace::Kept,
        mode.source};
    if (profile.cublasLt.value == CublasLtWorkspace::Separate)
        profile.cublasLtBytes = table.sourcedBytes("bytes_per_call");
    if (profile.cublasLt.value == CublasLtWorkspace::Kept)
        profile.cublasLtBytes = table.sourcedBytes("bytes_per_handle");
    table.refuseUnknown();
}

KernelForm formOf(const std::string& name)
{
    for (const KernelForm form : {KernelForm::Composite, KernelForm::Fused})
        if (name == nameOf(form))
            return form;
    return KernelForm::Module;
}

void readKernels(ProfileTable table, RuntimeProfile& profile)
{
    for (std::size_t i = 0; i < kKernelOps; ++i) {
        const auto op = static_cast<KernelOp>(i);
        const std::vector<std::string> forms{
            nameOf(KernelForm::Composite), nameOf(KernelForm::Fused), nameOf(KernelForm::Module)};
        const auto form = table.sourcedChoice(nameOf(op), forms);
        profile.kernels[i] = {formOf(form.value), form.source};
    }
    table.refuseUnknown();
}

void readAttention(ProfileTable table, RuntimeProfile& profile)
{
    const auto priority = table.sourcedChoices("priority", {kBackendNames.begin(), kBackendNames.end()});
    profile.attentionPriority.source = priority.source;
    for (const std::string& name : priority.value) {
        const auto at = std::find(kBackendNames.begin(), kBackendNames.end(), name) - kBackendNames.begin();
        profile.attentionPriority.value.push_back(static_cast<AttentionBackend>(at));
    }
    profile.cudnnAttentionFirst = table.sourcedCapabilities("cudnn_first");
    table.refuseUnknown();
}

} // namespace

const char* nameOf(KernelOp op)
{
    constexpr std::array<const char*, kKernelOps> kNames = {"rms_norm"};
    return kNames.at(static_cast<std::size_t>(op));
}

const char* nameOf(KernelForm form)
{
    constexpr std::array<const char*, 3> kNames = {"composite", "fused", "module"};
    return kNames.at(static_cast<std::size_t>(form));
}

const char* nameOf(AttentionBackend backend)
{
    return kBackendNames.at(static_cast<std::size_t>(backend));
}

bool RuntimeProfile::isSince(int major, int minor) const
{
    int ownMajor = 0, ownMinor = 0;
    std::istringstream version(libtorchVersion);
    char point = 0;
    version >> ownMajor >> point >> ownMinor;
    return std::pair(ownMajor, ownMinor) >= std::pair(major, minor);
}

Bytes RuntimeProfile::cublasWorkspaceBytes(ComputeCapability capability) const
{
    for (const CublasWorkspace& exception : cublasWorkspaces) {
        if (capability >= exception.from && capability < exception.below)
            return exception.bytes.value;
    }
    return defaultCublasWorkspaceBytes.value;
}

std::vector<AttentionBackend> RuntimeProfile::attentionOrder(ComputeCapability capability) const
{
    std::vector<AttentionBackend> order = attentionPriority.value;
    const auto& first = cudnnAttentionFirst.value;
    if (std::find(first.begin(), first.end(), capability) == first.end())
        return order;
    std::erase(order, AttentionBackend::Cudnn);
    order.insert(order.begin(), AttentionBackend::Cudnn);
    return order;
}

AllocatorSettings RuntimeProfile::allocatorSettings() const
{
    AllocatorSettings settings;
    settings.largeSegmentBytes = largeSegmentBytes.value;
    settings.maxNonSplitRoundingBytes = largeSegmentBytes.value;
    return settings;
}

RuntimeProfile RuntimeProfile::load(const std::filesystem::path& file)
{
    ProfileTable root = ProfileTable::parse(file);
    RuntimeProfile profile;
    profile.name = root.choice("name", {file.stem().string()});
    profile.title = root.text("title");
    profile.libtorchVersion = root.text("libtorch_version");
    ProfileTable allocator = root.table("allocator");
    profile.largeSegmentBytes = allocator.sourcedBytes("large_segment_bytes");
    allocator.refuseUnknown();
    readCublas(root.table("cublas"), profile);
    readCublasLt(root.table("cublaslt"), profile);
    readKernels(root.table("kernels"), profile);
    readAttention(root.table("attention"), profile);
    root.refuseUnknown();
    return profile;
}

} // namespace headroom::simulator
