// SPDX-License-Identifier: Apache-2.0
#include "core/confinement/Landlock.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

namespace headroom::confinement {
namespace {

// Of linux/landlock.h, which is older than the kernel in many a distribution. The numbers are the same on every
// architecture.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr unsigned kAskForVersion = 1;
constexpr int kPathBeneath = 1;

enum FileRight : std::uint64_t {
    Execute = 1 << 0,
    WriteFile = 1 << 1,
    ReadFile = 1 << 2,
    ReadFolder = 1 << 3,
    RemoveFolder = 1 << 4,
    RemoveFile = 1 << 5,
    MakeFolder = 1 << 7,
    MakeFile = 1 << 8,
    Refer = 1 << 13, // since version 2
    Truncate = 1 << 14, // 3
    DeviceCommands = 1 << 15, // 5
};
constexpr std::uint64_t kAllOfVersion1 = (1 << 13) - 1;
constexpr std::uint64_t kBindAndConnectTcp = 3; // 4
constexpr std::uint64_t kAbstractSocketsAndSignals = 3; // 6
constexpr std::uint64_t kSignals = 2;

struct RulesetAttributes {
    std::uint64_t files = 0;
    std::uint64_t network = 0;
    std::uint64_t scoped = 0;
};

struct [[gnu::packed]] PathBeneathAttributes {
    std::uint64_t allowed = 0;
    std::int32_t parent = -1;
};

class LandlockDescriptor {
public:
    explicit LandlockDescriptor(long descriptor)
        : m_descriptor(static_cast<int>(descriptor))
    {
    }
    ~LandlockDescriptor()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    LandlockDescriptor(const LandlockDescriptor&) = delete;
    LandlockDescriptor& operator=(const LandlockDescriptor&) = delete;

    int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

std::uint64_t fileRightsOf(int version)
{
    std::uint64_t rights = kAllOfVersion1;
    for (const auto& [since, right] : {std::pair(2, Refer), std::pair(3, Truncate), std::pair(5, DeviceCommands)})
        if (version >= since)
            rights |= right;
    return rights;
}

std::uint64_t rightsOf(FileUse use)
{
    constexpr std::uint64_t kRead = ReadFile | ReadFolder;
    constexpr std::uint64_t kWrite = kRead | WriteFile | Truncate | RemoveFolder | RemoveFile | MakeFolder | MakeFile;
    switch (use) {
    case FileUse::List:
        return ReadFolder;
    case FileUse::Run:
        return kRead | Execute;
    case FileUse::All:
        return ~std::uint64_t{0};
    case FileUse::Read:
        return kRead;
    case FileUse::Write:
        return kWrite;
    case FileUse::Device:
        break;
    }
    return ReadFile | WriteFile | ReadFolder | DeviceCommands;
}

// The kernel refuses rights of a folder for a file.
std::uint64_t rightsAt(int place, FileUse use)
{
    constexpr std::uint64_t kOfFiles = Execute | WriteFile | ReadFile | Truncate | DeviceCommands;
    struct stat status{};
    const bool isFolder = ::fstat(place, &status) == 0 && S_ISDIR(status.st_mode);
    return rightsOf(use) & (isFolder ? ~std::uint64_t{0} : kOfFiles);
}

// Each version made the structure longer, and older kernels refuse a longer one.
std::size_t attributesBytes(int version)
{
    const std::size_t numbers = version >= 6 ? 3 : version >= 4 ? 2 : 1;
    return numbers * sizeof(std::uint64_t);
}

std::string whyNoLandlock(int error)
{
    if (error == ENOSYS)
        return "this kernel has no Landlock";
    if (error == EOPNOTSUPP)
        return "Landlock is switched off in this kernel";
    return "Landlock cannot be used: " + std::generic_category().message(error);
}

void allow(int ruleset, const FileRule& rule, std::uint64_t handled)
{
    const LandlockDescriptor place(::open(rule.path.c_str(), O_PATH | O_CLOEXEC));
    if (place.get() < 0)
        return;
    const PathBeneathAttributes attributes{rightsAt(place.get(), rule.use) & handled, place.get()};
    ::syscall(kAddRule, ruleset, kPathBeneath, &attributes, 0);
}

long askedVersion()
{
    return ::syscall(kCreateRuleset, nullptr, 0, kAskForVersion);
}

bool isEntered(int ruleset)
{
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::syscall(kRestrictSelf, ruleset, 0) == 0;
}

} // namespace

LandlockState restrictFiles(const std::vector<FileRule>& rules)
{
    const long version = askedVersion();
    if (version < 1)
        return {0, whyNoLandlock(errno)};
    const int known = static_cast<int>(version);
    const RulesetAttributes attributes{fileRightsOf(known), kBindAndConnectTcp, kAbstractSocketsAndSignals};
    const LandlockDescriptor ruleset(::syscall(kCreateRuleset, &attributes, attributesBytes(known), 0));
    if (ruleset.get() < 0)
        return {0, whyNoLandlock(errno)};
    for (const FileRule& rule : rules)
        allow(ruleset.get(), rule, attributes.files);
    if (!isEntered(ruleset.get()))
        return {0, whyNoLandlock(errno)};
    return {known, {}};
}

// Commands of devices are left to who may open them.
LandlockDomain::LandlockDomain(const Terms& terms)
{
    const long version = askedVersion();
    if (version < 1) {
        m_state.reason = whyNoLandlock(errno);
        return;
    }
    m_state.version = static_cast<int>(version);
    const std::uint64_t files = terms.holdsFiles ? fileRightsOf(m_state.version) & ~std::uint64_t{DeviceCommands} : 0;
    const std::uint64_t scoped = terms.holdsSignals && version >= 6 ? kSignals : 0;
    if ((files | scoped) == 0)
        return;
    const RulesetAttributes attributes{files, 0, scoped};
    m_descriptor = static_cast<int>(::syscall(kCreateRuleset, &attributes, attributesBytes(m_state.version), 0));
    if (m_descriptor < 0)
        m_state = {0, whyNoLandlock(errno)};
    for (const FileRule& rule : terms.files)
        allow(m_descriptor, rule, files);
}

LandlockDomain::~LandlockDomain()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

bool LandlockDomain::enter() const noexcept
{
    return m_descriptor < 0 || isEntered(m_descriptor);
}

} // namespace headroom::confinement
