// SPDX-License-Identifier: Apache-2.0
#pragma once

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

} // namespace headroom::collectors::cupti
