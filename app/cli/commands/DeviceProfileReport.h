// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

namespace headroom::cli {

/// Every constant of a simulated device's hardware, with its source.
Report deviceProfileReport(const simulator::DeviceProfile& profile);

/// Every constant of a runtime profile, with its source.
Report runtimeProfileReport(const simulator::RuntimeProfile& profile);

} // namespace headroom::cli
