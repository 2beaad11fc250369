// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cuda/CaptureLevel.h"
#include "profiling/collectors/cupti/ActivityCapture.h"
#include "profiling/measurement/Collector.h"

#include <functional>
#include <memory>
#include <optional>

namespace headroom::collectors {

/// What a trace of an NVIDIA GPU records.
enum class CaptureDepth {
    None, ///< no trace: CUPTI is left alone
    Memory, ///< memory of driver, device and host; transfers
    Kernels ///< also kernels
};

/// Records driver (CUPTI), device (NVML) and host beside the caching allocator, each as far as it is available on this
/// machine. Whatever is unavailable is reported, and the rest is captured; see CaptureLevel.
class CudaCapture {
public:
    /// Bytes of the device that are in use now but not reserved by LibTorch's allocator.
    using OutsideBytes = std::function<Bytes()>;

    /// Must be made before the first context of the process, and there must be a device. `depth` must not be None.
    CudaCapture(int device, CaptureDepth depth, std::chrono::steady_clock::time_point origin);

    // All of these need a synchronised device and an existing context.
    void pause(const OutsideBytes& outside);
    void resume(const OutsideBytes& outside);
    void start(const OutsideBytes& outside);
    Capture stop();

    /// Asks CUPTI to deliver complete records; called at phase boundaries.
    void deliver() { m_activity.deliver(); }

private:
    std::string levelSentence() const;
    void note(std::string sentence) { m_notes.push_back(std::move(sentence)); }

    CaptureDepth m_depth;
    std::chrono::steady_clock::time_point m_origin;
    cupti::ActivityCapture m_activity;
    std::vector<std::unique_ptr<Collector>> m_samplers; ///< of device and host
    std::optional<Bytes> m_outsideAtPause;
    std::vector<std::string> m_notes;
};

} // namespace headroom::collectors
