// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/MountTable.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <ranges>
#include <sstream>
#include <string_view>

namespace headroom::experiments {
namespace {

// The kernel writes blanks, tabs, line breaks and backslashes as three octal digits.
std::string unescaped(std::string_view text)
{
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 3 >= text.size()) {
            plain += text[at];
            continue;
        }
        plain += static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 + text[at + 3] - '0');
        at += 3;
    }
    return plain;
}

// A place whose server does not answer is not waited for.
bool isOnTop(const std::string& path, unsigned long long id)
{
    struct statx status{};
    constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
    return ::statx(AT_FDCWD, path.c_str(), kFlags, STATX_MNT_ID, &status) == 0 && (status.stx_mask & STATX_MNT_ID) != 0
        && status.stx_mnt_id == id;
}

// 36 35 98:0 /part /where rw,noatime master:1 - ext4 /dev/root rw,errors=continue
MountedPlace placeOf(const std::string& line)
{
    std::istringstream fields(line);
    unsigned long long id = 0;
    std::string skipped;
    std::string path;
    std::string options;
    fields >> id >> skipped >> skipped >> skipped >> path >> options;
    while (fields >> skipped && skipped != "-") { }
    MountedPlace place;
    std::string ofAll;
    fields >> place.type >> skipped >> ofAll;
    place.path = unescaped(path);
    place.isWritable = options.starts_with("rw") && ofAll.starts_with("rw");
    place.isSeen = isOnTop(place.path, id);
    return place;
}

} // namespace

std::vector<MountedPlace> mountedPlaces()
{
    std::vector<MountedPlace> places;
    std::ifstream table("/proc/self/mountinfo");
    for (std::string line; std::getline(table, line);)
        places.push_back(placeOf(line));
    std::ranges::stable_sort(places, {}, &MountedPlace::path);
    return places;
}

bool isBelow(const std::string& path, const std::string& folder)
{
    return folder == "/" || path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

} // namespace headroom::experiments
