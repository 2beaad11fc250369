// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/WorkerMessages.h"

namespace headroom::worker {

/// Brief: what is known without asking the driver. Full: devices and capabilities too.
enum class Detail { Brief, Full };

protocol::WorkerDescription description(Detail detail);

} // namespace headroom::worker
