// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::cli {

/// Parses the arguments and carries out the command. Errors end as one line on standard error and the contract's exit
/// code: 2 bad usage, 3 a trial or the program failed, 5 a file cannot be read or written.
int runCommandLine(int argc, const char* const* argv);

/// The one line for an error, "headroom: error: ...", without a newline at its end.
std::string errorLine(const std::string& message);

} // namespace headroom::cli
