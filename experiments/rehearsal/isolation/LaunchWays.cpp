// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/LaunchWays.h"

#include "core/base/Error.h"
#include "experiments/rehearsal/isolation/CommandWords.h"
#include "experiments/rehearsal/isolation/FileRules.h"
#include "experiments/rehearsal/isolation/MountPlan.h"

#include <linux/capability.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using confinement::FileUse;
using confinement::LandlockDomain;
using Writes = CommandTerms::Writes;
using Network = CommandTerms::Network;

constexpr int kTruncates = 3; // the version of Landlock from which on it keeps files from being emptied
constexpr int kSignals = 6;

// Of programs that act for others: what they are asked to do is done outside.
const std::vector<std::string> kWaysOut{"SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS",
    "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DOCKER_HOST", "CONTAINER_HOST", "GPG_AGENT_INFO"};

// Where libraries write what they can do without.
constexpr std::array kScratch{"TMPDIR", "TMP", "TEMP", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR",
    "TORCH_EXTENSIONS_DIR", "NUMBA_CACHE_DIR", "MPLCONFIGDIR", "WANDB_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR",
    "WANDB_DATA_DIR", "HF_MODULES_CACHE", "CUDA_CACHE_PATH", "PYTHONPYCACHEPREFIX"};

bool mayMount()
{
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
    return ::syscall(SYS_capget, &header, sets.data()) == 0 && (sets[0].effective & 1U << CAP_SYS_ADMIN) != 0;
}

// Each that this process knows is the same one inside.
std::string everyOne(const char* map)
{
    std::ifstream lines(map);
    std::string same;
    for (std::string inside, outside, count; lines >> inside >> outside >> count;)
        same.append(inside).append(" ").append(inside).append(" ").append(count).append("\n");
    return same;
}

std::string onlyOne(unsigned id)
{
    const std::string text = std::to_string(id);
    return text + " " + text + " 1\n";
}

class LaunchPreparation {
public:
    LaunchPreparation(const CommandTerms& terms, LaunchWay way, fs::path discarded)
        : m_terms(terms)
        , m_way(way)
        , m_discarded(std::move(discarded))
    {
    }

    std::unique_ptr<PreparedLaunch> prepared()
    {
        m_launch.workingFolder = fs::current_path().string();
        m_launch.discardedParent = m_discarded.parent_path().string();
        m_launch.discardedName = m_discarded.filename().string();
        m_launch.leavesNoCore = isDiscarded();
        m_prepared->isolation = m_terms.writes == Writes::Real ? "none" : hasMounts() ? "overlay" : "landlock";
        prepareNamespaces();
        if (hasMounts())
            prepareMounts();
        prepareDomain();
        prepareFilter();
        prepareWords();
        return std::move(m_prepared);
    }

private:
    bool hasMounts() const { return m_way == LaunchWay::Mounts || m_way == LaunchWay::LockedMounts; }
    bool isOpen() const { return m_way == LaunchWay::Open || m_way == LaunchWay::OpenWithoutInternet; }
    bool isFiltered() const
    {
        return m_way == LaunchWay::LandlockWithoutInternet || m_way == LaunchWay::OpenWithoutInternet;
    }
    bool isWithin() const { return m_terms.network == Network::Loopback; }
    bool isDiscarded() const { return m_terms.writes == Writes::Discarded; }
    void lack(const std::string& text) { m_prepared->lacking.push_back(text); }

    void prepareNamespaces()
    {
        m_launch.hasOwnNetwork = isWithin() && !isFiltered();
        m_launch.namespaces =
            (hasMounts() ? CLONE_NEWNS | CLONE_NEWIPC : 0) | (m_launch.hasOwnNetwork ? CLONE_NEWNET : 0);
        const bool isOneUser = m_way == LaunchWay::LockedMounts || (m_launch.hasOwnNetwork && !mayMount());
        if (isOneUser) {
            m_launch.namespaces |= CLONE_NEWUSER;
            m_launch.ownUsers = onlyOne(::geteuid());
            m_launch.ownGroups = onlyOne(::getegid());
        }
        if (m_launch.namespaces == 0)
            return;
        m_launch.commandUsers = isOneUser ? m_launch.ownUsers : everyOne("/proc/self/uid_map");
        m_launch.commandGroups = isOneUser ? m_launch.ownGroups : everyOne("/proc/self/gid_map");
    }

    void prepareMounts()
    {
        MountTerms terms;
        terms.discarded = m_discarded;
        terms.written = m_terms.written;
        terms.hidden = m_terms.hidden;
        terms.needed = {fs::current_path(), m_discarded.parent_path()};
        if (const char* home = std::getenv("HOME"); home != nullptr && fs::path(home).is_absolute())
            terms.needed.emplace_back(fs::weakly_canonical(home));
        terms.discardsWrites = isDiscarded();
        terms.mountsAreLocked = m_way == LaunchWay::LockedMounts;
        terms.hidesSockets = isWithin();
        MountPlan plan = planMounts(terms);
        m_launch.mounts = std::move(plan.steps);
        m_launch.root = std::move(plan.root);
        struct stat status{};
        if (isDiscarded() && terms.mountsAreLocked && ::stat(".", &status) == 0
            && (status.st_uid != ::geteuid() || status.st_gid != ::getegid()))
            lack("what is of another user or group, as the current folder is, could not be changed, not even to throw "
                 "the change away");
    }

    void prepareDomain()
    {
        LandlockDomain::Terms terms;
        terms.holdsFiles = !hasMounts() && !isOpen();
        if (terms.holdsFiles) {
            std::vector<fs::path> written = m_terms.written;
            written.push_back(m_discarded);
            terms.files = fileRules(isDiscarded() ? FileUse::Run : FileUse::All, written, m_terms.hidden);
        }
        const LandlockDomain& domain = m_launch.domain.emplace(terms);
        if (domain.version() < kSignals)
            lack("processes of the same user can be signalled before Linux 6.12");
        if (!terms.holdsFiles)
            return;
        if (domain.version() < kTruncates)
            throw UsageError(
                domain.version() == 0 ? domain.reason() : "Landlock lets files be emptied before Linux 6.2");
        if (isDiscarded())
            lack("it could write in folders for temporary files alone (TMPDIR), as no overlay can be made");
        if (isWithin())
            lack("sockets of other programs on this machine can be used");
    }

    void prepareFilter()
    {
        if (!isWithin() || !isFiltered())
            return;
        m_launch.filter.emplace();
        lack("it had no sockets of the internet, not even to itself, as no network namespace can be made");
    }

    void prepareWords()
    {
        std::map<std::string, std::string> variables;
        if (m_prepared->isolation == "landlock") {
            const fs::path scratch = m_discarded / "tmp";
            fs::create_directory(scratch);
            for (const char* name : kScratch)
                variables[name] = scratch.string();
        }
        for (const auto& [name, value] : m_terms.variables)
            variables[name] = value;
        std::vector<std::string> environment =
            environmentWith(variables, isWithin() ? kWaysOut : std::vector<std::string>());
        m_launch.programs = KernelTexts(programsOf(m_terms.command.front(), environment));
        m_launch.environment = KernelTexts(std::move(environment));
        std::vector<std::string> arguments{"/bin/sh"};
        arguments.insert(arguments.end(), m_terms.command.begin(), m_terms.command.end());
        m_launch.arguments = KernelTexts(std::move(arguments));
    }

    const CommandTerms& m_terms;
    LaunchWay m_way;
    fs::path m_discarded;
    std::unique_ptr<PreparedLaunch> m_prepared = std::make_unique<PreparedLaunch>();
    Launch& m_launch = m_prepared->launch;
};

} // namespace

std::vector<LaunchWay> waysFor(const CommandTerms& terms)
{
    std::vector<LaunchWay> ways{LaunchWay::LockedMounts, LaunchWay::Landlock};
    if (mayMount())
        ways.insert(ways.begin(), LaunchWay::Mounts);
    const bool isWithin = terms.network == Network::Loopback;
    if (isWithin)
        ways.push_back(LaunchWay::LandlockWithoutInternet);
    if (terms.writes == Writes::Discarded || !terms.hidden.empty())
        return ways;
    ways.push_back(LaunchWay::Open);
    if (isWithin)
        ways.push_back(LaunchWay::OpenWithoutInternet);
    return ways;
}

std::unique_ptr<PreparedLaunch> preparedLaunch(const CommandTerms& terms, LaunchWay way, const fs::path& discarded)
{
    return LaunchPreparation(terms, way, discarded).prepared();
}

} // namespace headroom::experiments
