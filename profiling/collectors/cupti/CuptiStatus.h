// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

#include <string>

namespace headroom::collectors::cupti {

/// What a CUPTI error means for somebody who wants a trace, and what to do about it. `holder`: the client that holds
/// CUPTI, if the library reported it.
std::string explain(CUptiResult result, const std::string& holder = {});

/// Why the linked library cannot be used with any driver: it is older than the headers. Empty when it can be used.
std::string libraryProblem();

/// Why this process cannot capture with CUPTI although there is a device: the library, or another client. Empty when
/// nothing prevents it.
std::string processProblem();

} // namespace headroom::collectors::cupti
