// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/measurement/Instruments.h"

#include <string>
#include <vector>

namespace headroom::collectors {

class TraceSink;

/// While it lives, driver, device and host are looked at beside the allocator. What they told goes to the sink at the
/// end, whichever way the steps in between ended.
class CaptureScope {
public:
    /// All are borrowed; what was not available is added to `diagnostics`. A null sink: nothing is done.
    CaptureScope(Instruments& instruments, TraceSink* sink, std::vector<std::string>& diagnostics);
    ~CaptureScope();
    CaptureScope(const CaptureScope&) = delete;
    CaptureScope& operator=(const CaptureScope&) = delete;

private:
    Instruments& m_instruments;
    TraceSink* m_sink;
    std::vector<std::string>& m_diagnostics;
};

/// While it lives nothing is captured: what is timed is never traced.
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
