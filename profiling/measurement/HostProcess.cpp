// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/HostProcess.h"

#include "core/base/Error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace headroom::collectors {
namespace {

// A line of /proc/self/status such as "VmHWM:     1234 kB".
std::optional<Bytes> statusBytes(const std::string& key)
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        Bytes kibibytes = 0;
        if (word == key + ":" && status >> kibibytes)
            return kibibytes * kKiB;
        std::getline(status, word);
    }
    return std::nullopt;
}

} // namespace

std::optional<Bytes> residentBytes()
{
    return statusBytes("VmRSS");
}

std::optional<Bytes> sampledResidentBytes()
{
    std::ifstream statm("/proc/self/statm");
    Bytes mappedPages = 0, residentPages = 0;
    if (!(statm >> mappedPages >> residentPages))
        return std::nullopt;
    return residentPages * static_cast<Bytes>(sysconf(_SC_PAGESIZE));
}

std::optional<Bytes> peakResidentBytes()
{
    return statusBytes("VmHWM");
}

void resetPeakResident()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::optional<Bytes> addressSpaceBytes()
{
    return statusBytes("VmSize");
}

void limitAddressSpace(Bytes bytes)
{
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0)
        throw TrialError(
            std::string("the address space limit cannot be read: ") + std::strerror(errno), "memory limit");
    limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(bytes));
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        throw TrialError(std::string("the address space cannot be limited: ") + std::strerror(errno), "memory limit");
}

} // namespace headroom::collectors
