// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace headroom::experiments {

/// Environment variables that workers get in addition to those of this process: `OMP_WAIT_POLICY=passive`, unless the
/// user has decided how threads wait (docs/measuring.md, "The processor's threads").
std::map<std::string, std::string> workerVariables();

} // namespace headroom::experiments
