// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <filesystem>
#include <string>

namespace headroom::protocol {

/// The entries of a model's configuration file, a JSON object as diffusers and transformers write it: scalars and lists
/// by key, entries of nested objects by KEY.NAME. Throws FileError for a file that cannot be read or is not such an
/// object.
config::ValueMap readModelConfigFile(const std::filesystem::path& file);

/// The same for the file's text; `where` is the file.
config::ValueMap modelConfigFromText(const std::string& text, const std::string& where);

} // namespace headroom::protocol
