// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace headroom::collectors::cupti {

/// The value of an environment variable; empty where it is not set.
using Variable = std::function<std::string(const char* name)>;

/// Who else uses CUPTI in this process, or will: a profiler that was injected, LibTorch's own, a second copy of the
/// library. One process has room for one client, and both would silently lose records. Empty when there is nobody.
std::string otherClient(const Variable& variable, std::istream& memoryMaps);
/// The same of this process as it is now.
std::string otherClient();

} // namespace headroom::collectors::cupti
