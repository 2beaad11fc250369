// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headroom::store {

/// A file name with parameters, in the form that SQLite accepts with SQLITE_OPEN_URI: "file:///tmp/a.db?immutable=1".
std::string sqliteUri(const std::filesystem::path& path, std::string_view parameters);

} // namespace headroom::store
