// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/simulator/AllocatorSettings.h"
#include "profiling/simulator/profiles/ComputeCapability.h"
#include "profiling/simulator/profiles/Sourced.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::simulator {

/// Ops that LibTorch runs on CUDA either as one kernel or as a chain of ops whose intermediate results are tensors.
enum class KernelOp { RmsNorm };

inline constexpr std::size_t kKernelOps = 1;

/// "rms_norm"
const char* nameOf(KernelOp op);

/// Composite: LibTorch's own sequence of ops; Fused: one kernel; Module: the ops of the Python module that models used
/// instead of LibTorch's (rms_norm only).
enum class KernelForm { Composite, Fused, Module };

/// "composite", "fused", "module".
const char* nameOf(KernelForm form);

enum class AttentionBackend { Flash, Efficient, Math, Cudnn };

const char* nameOf(AttentionBackend backend);

/// Applies to compute capabilities from `from` up to but excluding `below`.
struct CublasWorkspace {
    ComputeCapability from;
    ComputeCapability below;
    Sourced<Bytes> bytes;
};

/// cublasLt calls use cuBLAS's workspace (unified), allocate a separate one for each call, or one for each handle,
/// which keeps it.
enum class CublasLtWorkspace { Unified, Separate, Kept };

/// The memory that ops take on CUDA with one version of LibTorch, from one file of resources/runtimes. A new rule is a
/// field here, a key there, and its use in the op rules.
struct RuntimeProfile {
    std::string name;
    std::string title;
    std::string libtorchVersion;
    Sourced<Bytes> largeSegmentBytes;
    Sourced<Bytes> defaultCublasWorkspaceBytes;
    std::vector<CublasWorkspace> cublasWorkspaces; ///< exceptions to the default
    Sourced<CublasLtWorkspace> cublasLt;
    std::optional<Sourced<Bytes>> cublasLtBytes; ///< of a workspace that is separate or kept
    std::array<Sourced<KernelForm>, kKernelOps> kernels;
    Sourced<std::vector<AttentionBackend>> attentionPriority;
    Sourced<std::vector<ComputeCapability>> cudnnAttentionFirst; ///< where cuDNN is tried before all others

    /// The workspace of one cuBLAS handle and stream; each thread that calls cuBLAS has its own handle.
    Bytes cublasWorkspaceBytes(ComputeCapability capability) const;
    /// Whether its LibTorch is this version or a newer one.
    bool isSince(int major, int minor) const;
    KernelForm kernel(KernelOp op) const { return kernels.at(static_cast<std::size_t>(op)).value; }
    /// The order in which scaled_dot_product_attention tries the backends.
    std::vector<AttentionBackend> attentionOrder(ComputeCapability capability) const;
    AllocatorSettings allocatorSettings() const;

    /// Throws UsageError (unknown or missing key, wrong type; file, line, key, found, valid) or FileError.
    static RuntimeProfile load(const std::filesystem::path& file);
};

} // namespace headroom::simulator
