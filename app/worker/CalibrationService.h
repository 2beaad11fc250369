// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/EventWriter.h"
#include "app/worker/RequestQueue.h"

namespace headroom::worker {

/// Measures a device and tells of the progress. Whatever goes wrong is the answer's reason.
protocol::CalibrationAnswer calibrated(
    const protocol::WorkerRequest& request, RequestQueue& requests, EventWriter& events);

} // namespace headroom::worker
