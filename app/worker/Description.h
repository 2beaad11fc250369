// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/confinement/Confinement.h"
#include "core/protocol/WorkerMessages.h"

namespace headroom::worker {

/// Brief: what is known without querying the driver. Full: also devices and capabilities.
enum class Detail { Brief, Full };

protocol::WorkerDescription description(Detail detail, const confinement::Confinement& confinement);

} // namespace headroom::worker
