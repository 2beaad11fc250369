// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/HealthChecks.h"

#include "app/cli/commands/WorkerAnswer.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "experiments/archive/SpoolFiles.h"
#include "experiments/results/Environment.h"
#include "experiments/spec/PresetCatalogue.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"
#include "profiling/store/workspace/WorkspaceCheck.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace headroom::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kTrialFailure = 3;
constexpr int kFileFailure = 5;
constexpr Bytes kLittleDisk = kGiB;

HealthCheck checkWorker(const WorkerAnswer& worker)
{
    if (!worker.description)
        return {"worker", Health::Broken, worker.problem, "no trial can run, measured or simulated", kTrialFailure};
    return {"worker", Health::Good, "headroom-worker " + worker.description->headroomVersion + " starts", ""};
}

HealthCheck checkVersion(const protocol::WorkerDescription& worker)
{
    if (worker.headroomVersion == config::version())
        return {"version", Health::Good, config::version(), ""};
    return {"version", Health::Absent, "program " + config::version() + ", worker " + worker.headroomVersion,
        "they were not built together; HEADROOM_WORKER may name an old one"};
}

// What a worker gives up before it looks at a stranger's archive (docs/worker-protocol.md).
HealthCheck checkSandbox(const protocol::WorkerDescription& worker)
{
    const protocol::Json rules = worker.details.value("confinement", protocol::Json::object());
    const auto lacking = rules.value("lacking", std::vector<std::string>{"the worker does not say"});
    std::string found = rules.value("landlock", 0) == 0 ? "" : fmt::format("Landlock {}", rules.value("landlock", 0));
    if (rules.value("filtered", false))
        found += found.empty() ? "seccomp" : " and seccomp";
    if (lacking.empty())
        return {"sandbox", Health::Good, found + " hold the worker to the files that it is given", ""};
    return {"sandbox", Health::Absent, joined(lacking, "; ") + (found.empty() ? "" : " (" + found + " holds)"),
        "the worker could do what you may do, should the model of a stranger get the better of it"};
}

// CUDA encodes version 13.0 as 13000.
std::string cudaVersion(int number)
{
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

HealthCheck checkCuda(const protocol::WorkerDescription& worker)
{
    if (!worker.cudaUsable.value_or(false))
        return {"CUDA", Health::Absent, worker.cudaReason, "cuda:N cannot be measured; cpu and sim:NAME work"};
    return {"CUDA", Health::Good,
        fmt::format("driver for CUDA {}, runtime {}", cudaVersion(worker.details.value("cuda_driver_version", 0)),
            cudaVersion(worker.details.value("cuda_runtime_version", 0))),
        ""};
}

HealthCheck checkGpus(const protocol::WorkerDescription& worker)
{
    std::string names;
    for (const protocol::Json& device : worker.details.value("cuda_devices", protocol::Json::array()))
        names += (names.empty() ? "" : ", ") + device.value("name", std::string("cuda")) + " "
            + device.value("title", std::string()) + " with " + sizeText(device.value("total_bytes", Bytes{0}));
    if (names.empty())
        return {"GPU", Health::Absent, "none", "full-size models are predicted on sim:NAME, not measured"};
    return {"GPU", Health::Good, names, ""};
}

HealthCheck checkRehearsal()
{
    const std::string problem = rehearsalProblem();
    if (problem.empty())
        return {"rehearsal", Health::Good, "LibTorch's CUDA code runs on cards that are not there", ""};
    return {"rehearsal", Health::Absent, problem,
        "rehearsal:NAME does not work; `scripts/bootstrap --cuda` installs the CUDA libraries that it needs"};
}

HealthCheck checkResources()
{
    try {
        const fs::path folder = config::resourceDirectory();
        const simulator::ProfileCatalogue profiles(folder);
        const std::size_t presets = experiments::listPresets(folder).size();
        return {"resources", Health::Good,
            fmt::format("{} device profiles, {} runtimes, {} presets in {}", profiles.devices().size(),
                profiles.runtimes().size(), presets, fs::weakly_canonical(folder).string()),
            ""};
    } catch (const Error& error) {
        return {
            "resources", Health::Broken, error.what(), "presets and simulated devices are not available", kFileFailure};
    }
}

HealthCheck brokenWorkspace(const std::string& found)
{
    return {"workspace", Health::Broken, found, "results cannot be kept; --workspace names another file", kFileFailure};
}

fs::path folderOf(const std::string& workspace)
{
    const fs::path parent = fs::path(workspace).parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

Health healthOf(store::Soundness soundness)
{
    switch (soundness) {
    case store::Soundness::Sound:
        return Health::Good;
    case store::Soundness::Noteworthy:
        return Health::Noted;
    case store::Soundness::Broken:
        break;
    }
    return Health::Broken;
}

HealthCheck checkNewWorkspace(const std::string& workspace)
{
    if (::access(folderOf(workspace).c_str(), W_OK | X_OK) != 0)
        return brokenWorkspace(workspace + " cannot be created there");
    return {"workspace", Health::Good, workspace + " will be created by the first run", ""};
}

// A run that was killed as it created the file, or one that is about to fill it.
HealthCheck checkEmptyWorkspace(const std::string& workspace)
{
    if (::access(workspace.c_str(), W_OK) != 0)
        return brokenWorkspace(workspace + " is empty and read-only");
    return {"workspace", Health::Noted, workspace + " is empty", "the first run makes a workspace of it"};
}

// Checks the spools beside the workspace: those left by killed runs, and those whose traces could not be imported.
HealthCheck checkSpools(const std::string& workspace)
{
    std::map<experiments::SpoolState, std::size_t> count;
    Bytes idle = 0;
    for (const experiments::SpoolFile& spool : experiments::spoolsBeside(workspace)) {
        ++count[spool.state];
        idle += spool.state == experiments::SpoolState::InUse ? 0 : spool.bytes;
    }
    if (count.empty())
        return {"spools", Health::Good, "none beside the workspace", ""};
    using enum experiments::SpoolState;
    const std::size_t others = count[Left] + count[Kept] + count[Unknown];
    const std::string found =
        fmt::format("{} in use, {} left by killed runs, {} kept, {} of an older version; {} that no run needs",
            count[InUse], count[Left], count[Kept], count[Unknown], sizeText(idle));
    const char* meaning =
        "what killed runs have left will go with the next run; those kept or of an older version may be deleted";
    return {"spools", others > 0 ? Health::Noted : Health::Good, found, others > 0 ? meaning : ""};
}

// The findings on the workspace file; the last one is about where it is.
std::vector<HealthCheck> findingsOf(const std::string& workspace)
{
    std::vector<HealthCheck> checks;
    for (const store::WorkspaceFinding& finding : store::checkWorkspace(workspace)) {
        const std::string name = checks.empty() ? finding.check : "workspace " + finding.check;
        checks.push_back({name, healthOf(finding.soundness), finding.found, finding.meaning, kFileFailure});
    }
    return checks;
}

// Checks without writing: the doctor leaves nothing behind.
std::vector<HealthCheck> checkedWorkspace(const std::string& workspace)
{
    std::error_code unreachable;
    const bool isThere = fs::exists(workspace, unreachable);
    if (unreachable)
        return {brokenWorkspace(workspace + ": " + unreachable.message())};
    if (!isThere)
        return {checkNewWorkspace(workspace)};
    if (fs::is_regular_file(workspace, unreachable) && fs::file_size(workspace, unreachable) == 0)
        return {checkEmptyWorkspace(workspace)};
    std::vector<HealthCheck> checks = findingsOf(workspace);
    if (checks.front().health == Health::Good && ::access(workspace.c_str(), W_OK) != 0)
        checks.front() = brokenWorkspace(workspace + " is read-only");
    return checks;
}

HealthCheck checkDisk(const std::string& workspace)
{
    std::error_code error;
    const fs::space_info space = fs::space(folderOf(workspace), error);
    if (error)
        return {"disk", Health::Absent, "free space unknown: " + error.message(), ""};
    const Bytes available = static_cast<Bytes>(space.available);
    if (available < kLittleDisk)
        return {"disk", Health::Absent, sizeText(available) + " free", "traces of large models may not fit"};
    return {"disk", Health::Good, sizeText(available) + " free", ""};
}

void addMachine(std::vector<HealthCheck>& checks)
{
    const experiments::Environment environment = experiments::captureEnvironment();
    checks.push_back({"cores", Health::Good,
        fmt::format(
            "{} usable{}", environment.logicalCpus, environment.cpuModel.empty() ? "" : ", " + environment.cpuModel),
        ""});
    checks.push_back({"memory", Health::Good, sizeText(environment.memoryBytes), ""});
}

} // namespace

std::string toText(Health health)
{
    switch (health) {
    case Health::Good:
        return "ok";
    case Health::Absent:
        return "missing";
    case Health::Noted:
        return "note";
    case Health::Broken:
        break;
    }
    return "broken";
}

experiments::OrderedJson recordOf(const HealthCheck& check)
{
    return {{"check", check.name}, {"state", toText(check.health)}, {"found", check.found},
        {"meaning",
            check.meaning.empty() ? experiments::OrderedJson(nullptr) : experiments::OrderedJson(check.meaning)}};
}

int exitCodeOf(const std::vector<HealthCheck>& checks)
{
    int code = 0;
    for (const HealthCheck& check : checks)
        if (check.health == Health::Broken)
            code = std::max(code, check.exitCode);
    return code;
}

std::vector<HealthCheck> examineWorkspace(const std::string& workspace)
{
    std::vector<HealthCheck> checks = findingsOf(workspace);
    HealthCheck spools = checkSpools(workspace);
    spools.name = "workspace " + spools.name;
    checks.insert(checks.end() - 1, spools);
    return checks;
}

std::vector<HealthCheck> examine(const WorkerAnswer& worker, const std::string& workspace)
{
    std::vector<HealthCheck> checks{checkWorker(worker)};
    if (worker.description) {
        checks.push_back(checkVersion(*worker.description));
        checks.push_back(checkSandbox(*worker.description));
        checks.push_back({"LibTorch", Health::Good, worker.description->torchVersion, ""});
        checks.push_back(checkCuda(*worker.description));
        checks.push_back(checkGpus(*worker.description));
        checks.push_back(checkRehearsal());
    }
    checks.push_back(checkResources());
    for (const HealthCheck& check : checkedWorkspace(workspace))
        checks.push_back(check);
    checks.push_back(checkSpools(workspace));
    checks.push_back(checkDisk(workspace));
    addMachine(checks);
    return checks;
}

} // namespace headroom::cli
