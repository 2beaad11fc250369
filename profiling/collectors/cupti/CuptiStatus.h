// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

#include <string>

namespace headroom::collectors::cupti {

/// What an error of CUPTI means for somebody who wants a trace, and what to do about it. `holder`: who holds CUPTI,
/// where the library said so.
std::string explain(CUptiResult result, const std::string& holder = {});

/// Why the linked library cannot be used, whatever the driver: it is older than the headers. Empty when it can.
std::string libraryProblem();

/// Why this process cannot capture with CUPTI although there is a device: the library, or another client. Empty when it
/// may try.
std::string processProblem();

} // namespace headroom::collectors::cupti
