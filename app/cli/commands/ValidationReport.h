// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/validation/ValidationDocument.h"

#include <string>

namespace headroom::cli {

/// The errors of a validation in quantiles, the worst predictions with their causes, and all trials; the document
/// "headroom.validation/1", whose rows are the records.
Report validationReport(const experiments::ValidationDocument& validation);

/// The outcome in one sentence: "198 of 200 trials compared: allocated memory 95 % within 0.1 %, largest +0.4 %; ...".
std::string validationSentence(const experiments::ValidationDocument& validation);

/// Why a row has no errors, and what else is remarkable of it; usually empty.
std::string rowRemark(const experiments::ValidationRow& row);

} // namespace headroom::cli
