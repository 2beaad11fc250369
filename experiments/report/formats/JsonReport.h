// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportContent.h"

#include <string>

namespace headroom::report {

/// The results document of the contract, as `headroom run --format json` prints it.
std::string jsonReport(const ReportContent& content);

} // namespace headroom::report
