// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::config {

enum class DeviceKind { Cpu, Cuda, Simulated, Rehearsed };

/// The runtime profile of a simulated or rehearsed device if none is named: that of the pinned LibTorch.
inline constexpr const char* kDefaultRuntime = "torch-2.11";

/// A parsed device notation: `cpu`, `cuda:N`, `sim:NAME`, `sim:NAME@RUNTIME`, `rehearsal:NAME`,
/// `rehearsal:NAME@RUNTIME`.
struct DeviceSpec {
    DeviceKind kind = DeviceKind::Cpu;
    int index = 0; ///< Cuda only
    std::string profile; ///< of a card that is not there: the hardware profile, e.g. "a100-80gb"
    std::string runtime; ///< of a card that is not there: the runtime profile, e.g. "torch-2.11"

    bool isSimulated() const { return kind == DeviceKind::Simulated; }
    /// LibTorch's CUDA code runs, over a substitute for the CUDA runtime.
    bool isRehearsed() const { return kind == DeviceKind::Rehearsed; }
    /// Whether a device profile says what it is like.
    bool hasProfile() const { return isSimulated() || isRehearsed(); }
    /// Whether tensors have values and steps take time of their own.
    bool computes() const { return !hasProfile(); }
    /// Whether LibTorch's CUDA code runs.
    bool runsCuda() const { return kind == DeviceKind::Cuda || isRehearsed(); }

    /// Without the runtime: "cpu", "cuda:0", "sim:a100-80gb".
    std::string name() const;
    /// The full notation: "sim:a100-80gb@torch-2.5".
    std::string notation() const;

    bool operator==(const DeviceSpec&) const = default;
};

/// How a trial's figures came about: steps that computed, steps of LibTorch's CUDA code on a card that is not there
/// (memory as it would be, speed of a model), or a simulation of both.
enum class Provenance { Measured, Rehearsed, Predicted };

Provenance provenanceOf(const DeviceSpec& device);
/// The same from a device as it is stored or shown, which may be one of another program's recording.
Provenance provenanceOf(const std::string& device, bool isPredicted);
/// "measured", "rehearsed", "predicted": the word that every text uses.
const char* toText(Provenance provenance);
/// "measured", "rehearsed, not measured", "predicted, not measured".
std::string statementOf(Provenance provenance);

/// Parses a device's notation (`cuda` alone is `cuda:0`). Whether a profile of that name exists is checked by the
/// profile catalogue of profiling/simulator. Throws UsageError at `where`.
DeviceSpec parseDevice(const std::string& notation, const std::string& where);

} // namespace headroom::config
