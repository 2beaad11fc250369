// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

#include <functional>
#include <iosfwd>
#include <string>

namespace headroom::collectors::cupti {

/// The value of an environment variable; empty if it is not set.
using Variable = std::function<std::string(const char* name)>;

/// Who else uses CUPTI in this process, or will: an injected profiler, LibTorch's own, a second copy of the library. A
/// process has room for one client, and with two both would silently lose records. Empty when there is no other.
std::string otherClient(const Variable& variable, std::istream& memoryMaps);
/// The same for this process as it is now.
std::string otherClient();

/// What a CUPTI error means for somebody who wants a trace, and what to do about it. `holder`: the client that holds
/// CUPTI, if the library reported it.
std::string explain(CUptiResult result, const std::string& holder = {});

/// Why the linked library cannot be used with any driver: it is older than the headers. Empty when it can be used.
std::string libraryProblem();

/// Why this process cannot capture with CUPTI although there is a device: the library, or another client. Empty when
/// nothing prevents it.
std::string processProblem();

} // namespace headroom::collectors::cupti
