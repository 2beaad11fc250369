// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/DiscardedPlace.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

constexpr unsigned long kFuse = 0x65735546; // of fs/fuse, in no header of ours

std::vector<fs::path> temporaryPlaces()
{
    std::error_code missing;
    std::vector<fs::path> places{fs::temp_directory_path(missing), "/var/tmp"};
    if (const char* cache = std::getenv("XDG_CACHE_HOME"))
        places.emplace_back(cache);
    if (const char* home = std::getenv("HOME"))
        places.push_back(fs::path(home) / ".cache");
    return places;
}

bool isOnDisk(const fs::path& place)
{
    struct statfs status{};
    if (::statfs(place.c_str(), &status) != 0)
        return false;
    switch (static_cast<unsigned long>(status.f_type)) {
    case TMPFS_MAGIC:
    case RAMFS_MAGIC:
    case NFS_SUPER_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
    case kFuse:
        return false;
    default:
        return true;
    }
}

bool isUsable(const fs::path& place)
{
    return place.is_absolute() && place.string().find_first_of("\\,:") == std::string::npos && isOnDisk(place)
        && ::access(place.c_str(), W_OK | X_OK) == 0;
}

} // namespace

std::optional<fs::path> placeForDiscarded()
{
    std::error_code missing;
    for (const fs::path& place : temporaryPlaces())
        if (const fs::path real = fs::canonical(place, missing); !missing && isUsable(real))
            return real;
    return std::nullopt;
}

} // namespace headroom::experiments
