// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace headroom::store {

/// Identifies a file whatever its name: device and inode number. Hard and symbolic links of a file share it.
struct FileId {
    std::uint64_t device = 0;
    std::uint64_t number = 0;

    auto operator<=>(const FileId&) const = default;
};

/// The id of the file that has this name now; nullopt if there is none. Opens nothing.
std::optional<FileId> fileIdOf(const std::filesystem::path& path);

} // namespace headroom::store
