// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <string>

namespace headroom::cli {

/// "2GiB", "500 MiB", "0.5GiB", "1000000": a number of bytes greater than 0. Throws UsageError at `where`.
Bytes bytesFromText(const std::string& text, const std::string& where);

/// "5%", "0.5 %" as 0.05, 0.005: a share from nothing to `most`. Throws UsageError at `where`.
double shareFromText(const std::string& text, const std::string& where, double most);

} // namespace headroom::cli
