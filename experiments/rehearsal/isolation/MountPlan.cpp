// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/MountPlan.h"

#include "experiments/rehearsal/isolation/MountTable.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using Step = MountStep::Kind;

const std::vector<std::string> kOwnWay{"/proc", "/sys", "/dev"};
const std::set<std::string, std::less<>> kNoFiles{"autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs",
    "debugfs", "devpts", "devtmpfs", "efivarfs", "fuse.gvfsd-fuse", "fuse.portal", "fusectl", "hugetlbfs", "mqueue",
    "nsfs", "proc", "pstore", "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs"};

// Where nobody but root has folders.
const std::set<std::string, std::less<>> kOfRoot{"/boot", "/etc", "/usr"};
constexpr int kOwnDepth = 3;
constexpr int kMostLookedAt = 4000;

bool isOurs(const std::string& path)
{
    struct stat status{};
    return ::lstat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid() && status.st_gid == ::getegid();
}

bool hasItsOwnWay(const std::string& path)
{
    return std::ranges::any_of(kOwnWay, [&](const std::string& folder) { return isBelow(path, folder); });
}

// Blanks are no matter: the kernel splits at these alone.
std::string escaped(const std::string& path)
{
    std::string text;
    for (const char letter : path) {
        if (std::string_view("\\,:").find(letter) != std::string_view::npos)
            text += '\\';
        text += letter;
    }
    return text;
}

// An overlay's folder has the rights of its upper layer. Where the owner cannot be the same one, it is left with what
// this process may do there.
void copyRights(const std::string& path, const std::string& layer)
{
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0)
        return;
    if (::chown(layer.c_str(), status.st_uid, status.st_gid) == 0) {
        ::chmod(layer.c_str(), status.st_mode & 07777U);
        return;
    }
    mode_t mode = 0;
    for (const auto& [asked, bits] : {std::pair(R_OK, 0444U), std::pair(W_OK, 0222U), std::pair(X_OK, 0111U)})
        mode |= ::access(path.c_str(), asked) == 0 ? bits : 0U;
    ::chmod(layer.c_str(), mode);
}

void makeFile(const std::string& path)
{
    std::ofstream(path, std::ios::app).flush();
}

class MountPlanner {
public:
    explicit MountPlanner(const MountTerms& terms)
        : m_terms(terms)
        , m_places(mountedPlaces())
        , m_folder(terms.discarded.string())
        , m_root(terms.discardsWrites ? m_folder + "/root" : std::string())
    {
        fs::create_directory(m_folder + "/empty");
        ::mknod((m_folder + "/closed").c_str(), S_IFSOCK | 0600, 0); // a socket is not opened, by root neither
    }

    MountPlan planned()
    {
        if (m_terms.discardsWrites)
            showFiles();
        showDevices();
        if (m_terms.discardsWrites)
            showSystem();
        showWritten();
        for (const fs::path& path : m_terms.hidden)
            hide(path.string());
        if (m_terms.hidesSockets && !m_terms.discardsWrites) // behind an overlay no socket can be connected
            hideSockets();
        return {std::move(m_steps), m_root};
    }

private:
    void add(Step kind, const std::string& source, const std::string& target, bool isNeeded = true)
    {
        m_steps.push_back({kind, source, target, {}, isNeeded});
    }

    void showFiles()
    {
        fs::create_directory(m_root);
        if (m_terms.mountsAreLocked)
            add(Step::Bind, m_root, m_root);
        for (const MountedPlace& place : m_places)
            if (place.isSeen && !hasItsOwnWay(place.path) && !kNoFiles.contains(place.type))
                showPlace(place);
        if (m_terms.mountsAreLocked)
            coverOurs();
        add(Step::Bind, m_folder + "/empty", m_root + m_folder, false);
    }

    void showPlace(const MountedPlace& place)
    {
        std::error_code ignored;
        const bool isFolder = fs::is_directory(place.path, ignored);
        if (m_terms.mountsAreLocked)
            fs::create_directories(
                isFolder ? m_root + place.path : fs::path(m_root + place.path).parent_path().string(), ignored);
        if (!isFolder)
            showFile(place.path);
        else if (!place.isWritable)
            add(Step::ReadOnly, place.path, inRoot(place.path), isNeeded(place.path));
        else
            showFolder(place.path);
    }

    void showFolder(const std::string& path)
    {
        if (m_terms.mountsAreLocked && hasMountsBelow(path))
            showEntries(path);
        else
            cover(path);
    }

    // In a folder that is ours and goes away.
    void showEntries(const std::string& path)
    {
        std::error_code ignored;
        fs::create_directories(m_root + path, ignored);
        for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
            showEntry(entry);
        copyRights(path, m_root + path);
    }

    void showEntry(const fs::directory_entry& entry)
    {
        std::error_code ignored;
        const std::string path = entry.path().string();
        if (entry.is_symlink(ignored)) {
            fs::create_symlink(fs::read_symlink(path, ignored), m_root + path, ignored);
        } else if (entry.is_directory(ignored)) {
            fs::create_directory(m_root + path, ignored);
            if (!hasItsOwnWay(path) && !isMounted(path))
                showFolder(path);
        } else if (entry.is_regular_file(ignored)) {
            showFile(path);
        }
    }

    void showFile(const std::string& path)
    {
        if (m_terms.mountsAreLocked)
            makeFile(m_root + path);
        add(Step::ReadOnly, path, inRoot(path), false);
    }

    // Nothing of it is kept, so nothing of it is flushed to the disk either.
    void cover(const std::string& path)
    {
        m_covered.push_back(path);
        const std::string layer = m_folder + "/" + std::to_string(m_covered.size());
        fs::create_directories(layer + "/written");
        fs::create_directory(layer + "/work");
        copyRights(path, layer + "/written");
        const std::string kind = m_terms.mountsAreLocked ? ",userxattr" : ",redirect_dir=on";
        m_steps.push_back({Step::Overlay, path, inRoot(path),
            "lowerdir=" + escaped(path) + ",upperdir=" + layer + "/written,workdir=" + layer + "/work,volatile" + kind,
            isNeeded(path)});
    }

    // What is changed is copied up with all folders above it, which the kernel does only if it knows their owners, and
    // in a user namespace of anybody it knows one. So folders of ours within those of others get overlays of their own:
    // a few levels down, and on the way to where writing is needed.
    void coverOurs()
    {
        for (const std::string& path : std::vector(m_covered))
            if (!kOfRoot.contains(path))
                coverOursBelow(path, true, kOwnDepth);
        for (const fs::path& needed : m_terms.needed)
            coverOursTowards(needed.string());
    }

    void coverOursBelow(const std::string& path, bool isCopiedUp, int depth)
    {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored)) {
            if (++m_lookedAt > kMostLookedAt)
                return;
            if (entry.is_symlink(ignored) || !entry.is_directory(ignored) || isMounted(entry.path())
                || entry.path() == m_folder)
                continue;
            if (!isOurs(entry.path()) && depth > 1)
                coverOursBelow(entry.path(), false, depth - 1);
            else if (isOurs(entry.path()) && !isCopiedUp)
                cover(entry.path());
        }
    }

    void coverOursTowards(const std::string& path)
    {
        std::string covered;
        for (const std::string& one : m_covered)
            if (isBelow(path, one) && one.size() > covered.size())
                covered = one;
        std::string step = covered;
        bool isCopiedUp = true;
        for (const fs::path& name : fs::path(path).lexically_relative(covered)) {
            if (name == ".")
                return;
            step = (fs::path(step) / name).string();
            if (isOurs(step) && !isCopiedUp)
                return cover(step);
            isCopiedUp = isCopiedUp && isOurs(step);
        }
        if (!isCopiedUp && ::access(path.c_str(), W_OK) == 0)
            cover(path);
    }

    void showDevices()
    {
        const std::string devices = m_folder + "/dev";
        fs::create_directories(devices + "/pts");
        fs::create_directory(devices + "/shm");
        for (const auto& [name, target] : {std::pair("ptmx", "pts/ptmx"), std::pair("fd", "/proc/self/fd"),
                 std::pair("stdin", "fd/0"), std::pair("stdout", "fd/1"), std::pair("stderr", "fd/2")})
            fs::create_symlink(target, devices + "/" + name);
        for (const std::string name : {"null", "zero", "full", "random", "urandom", "tty"}) {
            makeFile(devices + "/" + name);
            add(Step::Bind, "/dev/" + name, devices + "/" + name, name != "tty");
        }
        add(Step::Terminals, "devpts", devices + "/pts", false);
        if (m_terms.discardsWrites)
            add(Step::Memory, "tmpfs", devices + "/shm");
        else
            add(Step::Bind, "/dev/shm", devices + "/shm", false);
        add(Step::Bind, devices, inRoot("/dev"));
    }

    // Root may write there in any namespace.
    void showSystem()
    {
        add(Step::Bind, "/proc", inRoot("/proc"));
        for (const std::string path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"})
            if (fs::exists(path))
                add(Step::ReadOnly, path, inRoot(path), ::geteuid() == 0);
        add(Step::ReadOnly, "/sys", inRoot("/sys"), false);
    }

    void showWritten()
    {
        if (m_terms.discardsWrites)
            for (const fs::path& path : m_terms.written)
                add(Step::Bind, path.string(), inRoot(path.string()));
    }

    void hide(const std::string& path)
    {
        std::error_code ignored;
        const fs::file_status status = fs::symlink_status(path, ignored);
        if (!isBelow(path, "/dev") && fs::exists(status))
            add(Step::Bind, m_folder + (fs::is_directory(status) ? "/empty" : "/closed"), inRoot(path));
    }

    // The address of a socket is the last of eight fields.
    void hideSockets()
    {
        std::ifstream table("/proc/net/unix");
        for (std::string line; std::getline(table, line);)
            if (const std::size_t at = line.find(" /"); at != std::string::npos && isOfOthers(line.substr(at + 1)))
                hide(line.substr(at + 1));
    }

    bool isOfOthers(const std::string& path) const
    {
        return std::ranges::none_of(
            m_terms.written, [&](const fs::path& written) { return isBelow(path, written.string()); });
    }

    bool isMounted(const std::string& path) const
    {
        return std::ranges::any_of(
            m_places, [&](const MountedPlace& place) { return place.isSeen && place.path == path; });
    }

    bool hasMountsBelow(const std::string& path) const
    {
        return std::ranges::any_of(
            m_places, [&](const MountedPlace& place) { return place.path != path && isBelow(place.path, path); });
    }

    bool isNeeded(const std::string& path) const
    {
        return std::ranges::any_of(
            m_terms.needed, [&](const fs::path& needed) { return isBelow(needed.string(), path); });
    }

    std::string inRoot(const std::string& path) const
    {
        return path == "/" && !m_root.empty() ? m_root : m_root + path;
    }

    const MountTerms& m_terms;
    std::vector<MountedPlace> m_places;
    std::string m_folder;
    std::string m_root;
    std::vector<MountStep> m_steps{};
    std::vector<std::string> m_covered{};
    int m_lookedAt = 0;
};

} // namespace

MountPlan planMounts(const MountTerms& terms)
{
    return MountPlanner(terms).planned();
}

} // namespace headroom::experiments
