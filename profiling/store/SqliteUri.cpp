// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/SqliteUri.h"

#include <fmt/format.h>

namespace headroom::store {

// Any path is valid once these characters are escaped. The URI has an empty authority, because SQLite would take the
// first folder of "//tmp/a.db" for one.
std::string sqliteUri(const std::filesystem::path& path, std::string_view parameters)
{
    std::string text = "file://";
    for (const char letter : std::filesystem::absolute(path).string()) {
        if (letter == '%' || letter == '?' || letter == '#')
            text += fmt::format("%{:02x}", static_cast<unsigned char>(letter));
        else
            text += letter;
    }
    return text + "?" + std::string(parameters);
}

} // namespace headroom::store
