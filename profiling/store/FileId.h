// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace headroom::store {

/// Which file it is, whatever it is called: device and number on it. Hard and symbolic links of a file share it.
struct FileId {
    std::uint64_t device = 0;
    std::uint64_t number = 0;

    auto operator<=>(const FileId&) const = default;
};

/// Of the file that has this name just now; nothing where there is none. Opens nothing.
std::optional<FileId> fileIdOf(const std::filesystem::path& path);

} // namespace headroom::store
