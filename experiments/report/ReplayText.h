// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportContent.h"

#include <string>

namespace headroom::report {

/// The name of the file that a reader saves the spec under.
std::string specFileName(const ReportContent& content);

/// "headroom run ./ltx-checkpointing.toml"
std::string replayCommand(const ReportContent& content);

/// How the spec of the report stands to the run, in a sentence or two.
std::string replayNote(const ReportContent& content);

} // namespace headroom::report
