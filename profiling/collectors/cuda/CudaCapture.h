// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/cuda/CaptureLevel.h"
#include "profiling/collectors/cupti/ActivityCapture.h"
#include "profiling/measurement/Collector.h"

#include <functional>
#include <memory>
#include <optional>

namespace headroom::collectors {

/// What a trace of an NVIDIA GPU asks for.
enum class CaptureDepth {
    None, ///< no trace: CUPTI is left alone
    Memory, ///< memory of driver, device and host, and transfers
    Kernels ///< and kernels
};

/// Driver (CUPTI), device (NVML) and host beside the caching allocator, each as far as it is available here. What is
/// not is said, and the rest is captured: see CaptureLevel.
class CudaCapture {
public:
    /// Bytes of the device that are used but not reserved by LibTorch's allocator, right now.
    using OutsideBytes = std::function<Bytes()>;

    /// Before the first context of the process; there must be a device. `depth` is not None.
    CudaCapture(int device, CaptureDepth depth, std::chrono::steady_clock::time_point origin);

    // All of these with the device synchronised and a context there.
    void pause(const OutsideBytes& outside);
    void resume(const OutsideBytes& outside);
    void start(const OutsideBytes& outside);
    Capture stop();

    /// At the borders of phases: has CUPTI deliver what is complete.
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
