// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/measurement/Instruments.h"

#include <string>
#include <vector>

namespace headroom::collectors {

class TraceSink;

/// During its lifetime driver, device and host are captured beside the allocator. Their records go to the sink at the
/// end, however the steps in between ended.
class CaptureScope {
public:
    /// All arguments are borrowed; whatever was unavailable is added to `diagnostics`. With a null sink it does
    /// nothing.
    CaptureScope(Instruments& instruments, TraceSink* sink, std::vector<std::string>& diagnostics);
    ~CaptureScope();
    CaptureScope(const CaptureScope&) = delete;
    CaptureScope& operator=(const CaptureScope&) = delete;

private:
    Instruments& m_instruments;
    TraceSink* m_sink;
    std::vector<std::string>& m_diagnostics;
};

/// During its lifetime nothing is captured: timed steps are never traced.
class CapturePause {
public:
    explicit CapturePause(Instruments& instruments);
    ~CapturePause();
    CapturePause(const CapturePause&) = delete;
    CapturePause& operator=(const CapturePause&) = delete;

private:
    Instruments& m_instruments;
};

} // namespace headroom::collectors
