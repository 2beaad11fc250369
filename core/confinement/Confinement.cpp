// SPDX-License-Identifier: Apache-2.0
#include "core/confinement/Confinement.h"

#include "core/confinement/Landlock.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <iterator>
#include <system_error>

namespace headroom::confinement {
namespace {

std::size_t threadsOfThisProcess()
{
    std::error_code unknown;
    const std::filesystem::directory_iterator threads("/proc/self/task", unknown);
    return unknown ? 1 : static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

// Of root, in a container as elsewhere: with CAP_PERFMON the environment of any process can be read, and with others
// much more. Reading and writing files that belong to somebody else is what Landlock decides about.
std::string dropCapabilities()
{
    constexpr std::uint32_t kKept =
        1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_IPC_LOCK | 1U << CAP_SYS_NICE;
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
    if (::syscall(SYS_capget, &header, sets.data()) == 0) {
        const std::uint32_t kept = sets[0].permitted & kKept;
        sets = {};
        sets[0] = {kept, kept, 0};
        if (::syscall(SYS_capset, &header, sets.data()) == 0)
            return {};
    }
    return "capabilities cannot be dropped: " + std::generic_category().message(errno);
}

// What newer versions added and nothing else here holds.
void addLacking(const LandlockState& landlock, std::vector<std::string>& lacking)
{
    if (landlock.version == 0)
        lacking.push_back(landlock.reason + ", so files are not held");
    else if (landlock.version < 3)
        lacking.emplace_back("files elsewhere can be emptied before Linux 6.2");
    if (landlock.version > 0 && landlock.version < 6)
        lacking.emplace_back("processes of the same user can be signalled before Linux 6.12");
}

} // namespace

// Landlock holds only the thread that asks for it and those which that one starts.
Confinement confine(const std::vector<FileRule>& rules, Sockets sockets)
{
    Confinement confinement;
    if (const std::size_t threads = threadsOfThisProcess(); threads > 1)
        confinement.lacking.push_back(std::to_string(threads - 1) + " threads were there before, and are not held");
    const LandlockState landlock = restrictFiles(rules);
    confinement.landlock = landlock.version;
    addLacking(landlock, confinement.lacking);
    const std::string unfiltered = restrictCalls(sockets);
    confinement.isFiltered = unfiltered.empty();
    if (!confinement.isFiltered)
        confinement.lacking.push_back(unfiltered + ", so programs can be started and sockets opened");
    if (const std::string problem = dropCapabilities(); !problem.empty())
        confinement.lacking.push_back(problem);
    return confinement;
}

} // namespace headroom::confinement
