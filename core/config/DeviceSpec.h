// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::config {

enum class DeviceKind { Cpu, Cuda, Simulated };

/// The runtime profile of a simulated device if none is named: that of the pinned LibTorch.
inline constexpr const char* kDefaultRuntime = "torch-2.11";

/// A parsed device notation: `cpu`, `cuda:N`, `sim:NAME` or `sim:NAME@RUNTIME`.
struct DeviceSpec {
    DeviceKind kind = DeviceKind::Cpu;
    int index = 0; ///< Cuda only
    std::string profile; ///< Simulated only: the hardware profile, e.g. "a100-80gb"
    std::string runtime; ///< Simulated only: the runtime profile, e.g. "torch-2.11"

    bool isSimulated() const { return kind == DeviceKind::Simulated; }

    /// Without the runtime: "cpu", "cuda:0", "sim:a100-80gb".
    std::string name() const;
    /// The full notation: "sim:a100-80gb@torch-2.5".
    std::string notation() const;

    bool operator==(const DeviceSpec&) const = default;
};

/// Parses a device's notation (`cuda` alone is `cuda:0`). Whether a profile of that name exists is checked by the
/// profile catalogue of profiling/simulator. Throws UsageError at `where`.
DeviceSpec parseDevice(const std::string& notation, const std::string& where);

} // namespace headroom::config
