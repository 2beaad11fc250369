// SPDX-License-Identifier: Apache-2.0
#include "app/worker/CalibrationService.h"

#include "core/base/Error.h"
#include "profiling/collectors/calibration/Calibration.h"
#include "profiling/measurement/Ending.h"

namespace headroom::worker {
namespace {

// Sends what is measured next, and how many measurements are done.
class CalibrationProgress final : public collectors::CalibrationListener {
public:
    CalibrationProgress(std::int64_t id, RequestQueue& requests, EventWriter& events)
        : m_id(id)
        , m_requests(requests)
        , m_events(events)
    {
    }

    void measuring(const std::string& what, int done, int total) override
    {
        m_events.write({.kind = protocol::EventKind::Phase, .id = m_id, .phase = what, .step = done});
        m_events.write({.kind = protocol::EventKind::Progress, .id = m_id, .step = done, .total = total});
    }

    bool isCancelled() override { return m_requests.isCancelled(m_id); }

private:
    std::int64_t m_id;
    RequestQueue& m_requests;
    EventWriter& m_events;
};

} // namespace

protocol::CalibrationAnswer calibrated(
    const protocol::WorkerRequest& request, RequestQueue& requests, EventWriter& events, const std::string& remark)
{
    if (!request.calibration)
        throw TrialError("a calibration of nothing", "worker request", "the key \"calibration\"");
    CalibrationProgress progress(request.id, requests, events);
    try {
        return {collectors::calibrate(*request.calibration, progress)};
    } catch (const collectors::Cancelled&) {
        return {std::nullopt, "cancelled"};
    } catch (const c10::Error& error) {
        return {std::nullopt, std::string("LibTorch ended the calibration: ") + error.what_without_backtrace()};
    } catch (const TrialError& error) {
        return {std::nullopt, error.what() + (request.calibration->device == "cpu" ? "" : remark)};
    } catch (const std::exception& error) {
        return {std::nullopt, error.what()};
    }
}

} // namespace headroom::worker
