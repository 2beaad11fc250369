// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/EventWriter.h"
#include "app/worker/RequestQueue.h"

#include <string>

namespace headroom::worker {

/// Measures a device and tells of the progress. Whatever goes wrong is the answer's reason, with `remark` where it is
/// the matter of a GPU.
protocol::CalibrationAnswer calibrated(
    const protocol::WorkerRequest& request, RequestQueue& requests, EventWriter& events, const std::string& remark);

} // namespace headroom::worker
