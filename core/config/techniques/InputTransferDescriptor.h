// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

namespace headroom::config {

/// Where the batch is before a micro-step uses it.
enum class BatchOrigin { Resident, Pageable, Pinned };

/// Parses `resident`, `pageable`, `pinned`; throws UsageError at `where`.
BatchOrigin parseInputTransfer(const std::string& notation, const std::string& where);

TechniqueDescriptor inputTransferDescriptor();

} // namespace headroom::config
