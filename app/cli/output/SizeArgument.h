// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <string>

namespace headroom::cli {

/// "2GiB", "500 MiB", "0.5GiB", "1000000": a number of bytes greater than 0. Throws UsageError at `where`.
Bytes bytesFromText(const std::string& text, const std::string& where);

} // namespace headroom::cli
