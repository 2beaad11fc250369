// SPDX-License-Identifier: Apache-2.0
#include "app/worker/WorkerRules.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"

#include <fcntl.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

namespace headroom::worker {
namespace {

namespace fs = std::filesystem;
using confinement::FileRule;
using confinement::FileUse;
using Rules = std::vector<FileRule>;

constexpr const char* kSwitch = "HEADROOM_SANDBOX";

std::string variableOf(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

void addAll(Rules& rules, std::initializer_list<const char*> paths, FileUse use)
{
    for (const char* path : paths)
        rules.push_back({path, use});
}

// The folders of /proc and /sys are made anew as they are looked up, and a rule is about one of them: only the roots
// last. What /proc has of other processes the kernel refuses to whoever is confined.
void addSystem(Rules& rules)
{
    addAll(rules,
        {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache",
            "/etc/localtime", "/usr/share/zoneinfo", "/proc", "/sys", "/dev/urandom", "/dev/random"},
        FileUse::Read);
    addAll(rules, {"/dev/null", "/dev/zero", "/dev/full"}, FileUse::Device);
}

// With which a process makes the kernel forget how much memory it has had (profiling/measurement/HostProcess.h). The
// descriptor stays open: it keeps the file of the rule the one that is found there.
void addOwnPeak(Rules& rules)
{
    constexpr const char* kFile = "/proc/self/clear_refs";
    static const int kept = ::open(kFile, O_PATH | O_CLOEXEC);
    if (kept >= 0)
        rules.push_back({kFile, FileUse::Write});
}

bool isLibrary(const fs::directory_entry& entry)
{
    std::error_code ignored;
    const std::string name = entry.path().filename().string();
    return (name.ends_with(".so") || name.find(".so.") != std::string::npos) && !entry.is_directory(ignored);
}

int addFolderOf(dl_phdr_info* library, std::size_t, void* folders)
{
    if (library->dlpi_name != nullptr && *library->dlpi_name == '/')
        static_cast<std::set<fs::path>*>(folders)->insert(fs::path(library->dlpi_name).parent_path());
    return 0;
}

// Beside those that are loaded lie those that LibTorch opens later, and what pip calls nvidia beside LibTorch itself. A
// folder may hold anything else too, such as somebody's home folder.
void addLibraries(Rules& rules)
{
    std::set<fs::path> folders;
    dl_iterate_phdr(&addFolderOf, &folders);
    std::istringstream searched(variableOf("LD_LIBRARY_PATH"));
    for (std::string folder; std::getline(searched, folder, ':');)
        folders.insert(folder);
    std::error_code ignored;
    for (const fs::path& folder : folders) {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
            if (isLibrary(entry))
                rules.push_back({entry.path()});
        if (fs::exists(folder / "libc10.so", ignored))
            rules.push_back({folder / "../../nvidia"});
    }
}

void addResources(Rules& rules)
{
    try {
        rules.push_back({config::resourceDirectory()});
    } catch (const FileError&) {
        // The request that needs them says that they are missing.
        return;
    }
}

// Folders of weights may hold links to files elsewhere, as the cache of Hugging Face has them.
void addGiven(Rules& rules, const fs::path& path)
{
    rules.push_back({path});
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
        if (entry.is_symlink(ignored) && entry.is_regular_file(ignored))
            rules.push_back({entry.path()});
}

void addDriver(Rules& rules)
{
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator("/dev", ignored))
        if (entry.path().filename().string().starts_with("nvidia"))
            rules.push_back({entry.path(), FileUse::Device});
    addAll(rules, {"/dev/dxg"}, FileUse::Device); // of WSL
    addAll(rules, {"/dev/shm"}, FileUse::Write);
    addAll(rules,
        {"/usr/local/cuda", "/usr/local/nvidia", "/usr/lib/wsl", "/run/opengl-driver", "/etc/nvidia",
            "/usr/share/nvidia", "/etc/cufile.json", "/run/nvidia-persistenced", "/tmp/nvidia-mps"},
        FileUse::Read);
}

// What the driver and LibTorch compile for a GPU they keep in files.
void cacheInSpool(const std::string& folder)
{
    for (const char* variable : {"CUDA_CACHE_PATH", "PYTORCH_KERNEL_CACHE_PATH"})
        ::setenv(variable, (fs::path(folder) / "compiled").c_str(), 1);
    ::setenv("TMPDIR", folder.c_str(), 1);
}

bool hasDriver()
{
    std::error_code ignored;
    return fs::exists("/proc/driver/nvidia/version", ignored) || fs::exists("/dev/dxg", ignored);
}

} // namespace

Rules rulesFor(const protocol::WorkerRights& rights)
{
    Rules rules;
    addSystem(rules);
    addOwnPeak(rules);
    addLibraries(rules);
    addResources(rules);
    for (const std::string& path : rights.reads)
        addGiven(rules, path);
    if (!rights.spoolFolder.empty())
        rules.push_back({rights.spoolFolder, FileUse::Write});
    if (!rights.cardFolder.empty())
        rules.push_back({rights.cardFolder, FileUse::Write});
    if (rights.usesGpu)
        addDriver(rules);
    return rules;
}

confinement::Confinement confineTo(const protocol::WorkerRights& rights)
{
    const std::string choice = variableOf(kSwitch);
    if (!choice.empty() && choice != "off" && choice != "on")
        throw UsageError("found \"" + choice + "\"", kSwitch, "off, on");
    if (choice == "off")
        return {.lacking = {std::string(kSwitch) + " is off"}};
    if (rights.usesGpu && !rights.spoolFolder.empty())
        cacheInSpool(rights.spoolFolder);
    return confinement::confine(
        rulesFor(rights), rights.usesGpu ? confinement::Sockets::Local : confinement::Sockets::None);
}

protocol::Json toJson(const confinement::Confinement& confinement)
{
    return {{"landlock", confinement.landlock}, {"filtered", confinement.isFiltered}, {"lacking", confinement.lacking}};
}

std::string remarkOnCuda(const confinement::Confinement& confinement)
{
    if (!hasDriver() || !(confinement.holdsFiles() || confinement.isFiltered))
        return {};
    return std::string(" (the worker may use only what it was given: should that be the cause, ") + kSwitch
        + "=off lifts it)";
}

} // namespace headroom::worker
