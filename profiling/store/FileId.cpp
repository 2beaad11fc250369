// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/FileId.h"

#include <sys/stat.h>

namespace headroom::store {

std::optional<FileId> fileIdOf(const std::filesystem::path& path)
{
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
        return std::nullopt;
    return FileId{status.st_dev, status.st_ino};
}

} // namespace headroom::store
