// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace headroom::confinement {

/// Device: opened for reading and writing, with the commands of its driver. List: what a folder holds, and no file.
/// Run: read and started. All: also links, sockets and what else there is.
enum class FileUse { Read, Write, Device, List, Run, All };

/// What a confined process may still do with a file, or with a folder and all that is below it. Write includes reading,
/// and in a folder making and removing files and folders, but no links.
struct FileRule {
    std::filesystem::path path;
    FileUse use = FileUse::Read;
};

} // namespace headroom::confinement
