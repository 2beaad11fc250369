// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/CaptureScope.h"

#include "profiling/measurement/TrialMeasurement.h"

namespace headroom::collectors {

CaptureScope::CaptureScope(Instruments& instruments, TraceSink* sink, std::vector<std::string>& diagnostics)
    : m_instruments(instruments)
    , m_sink(sink)
    , m_diagnostics(diagnostics)
{
    if (m_sink != nullptr)
        m_instruments.startCapture();
}

CaptureScope::~CaptureScope()
{
    if (m_sink == nullptr)
        return;
    try {
        const Capture capture = m_instruments.stopCapture();
        m_sink->records(capture.records);
        for (const std::string& loss : capture.losses)
            m_sink->lost(loss);
        m_diagnostics.insert(m_diagnostics.end(), capture.diagnostics.begin(), capture.diagnostics.end());
    } catch (const std::exception& error) { // a trace without these sources is still a trace
        m_sink->lost(std::string("what driver, device and host told is lost: ") + error.what());
    }
}

CapturePause::CapturePause(Instruments& instruments)
    : m_instruments(instruments)
{
    m_instruments.pauseCapture();
}

// A device that fails while steps are timed fails here too, and its first error is the one that counts.
CapturePause::~CapturePause()
{
    try {
        m_instruments.resumeCapture();
    } catch (const std::exception&) { // a trace without these sources is still a trace
        return;
    }
}

} // namespace headroom::collectors
