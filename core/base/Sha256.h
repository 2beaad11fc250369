// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::report {

/// SHA-256 (FIPS 180-4) of the bytes in base64, as a content security policy identifies a script that may run.
std::string sha256Base64(const std::string& bytes);

} // namespace headroom::report
