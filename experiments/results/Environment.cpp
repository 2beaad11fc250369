// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/Environment.h"

#include "core/base/Utf8.h"
#include "core/config/Installation.h"
#include "core/protocol/WorkerVariables.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>

namespace headroom::experiments {
namespace {

// Variables that affect the speed or memory use of LibTorch, CUDA and the allocators; any other may be a secret.
constexpr std::array kVariables{"CUBLAS_WORKSPACE_CONFIG", "CUDA_DEVICE_ORDER", "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING", "CUDA_VISIBLE_DEVICES", "GLIBC_TUNABLES", "GOMP_SPINCOUNT", "MALLOC_ARENA_MAX",
    "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_", "MKL_NUM_THREADS", "NVIDIA_TF32_OVERRIDE",
    "OMP_NUM_THREADS", "OMP_WAIT_POLICY", "PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_NO_CUDA_MEMORY_CACHING", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"};

// The text after `key` in the first line that starts with it, without separator and quotes; empty if there is none.
std::string lineValue(const char* file, const std::string& key)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(key))
            continue;
        constexpr const char* kSeparators = " \t:=\"";
        const auto first = line.find_first_not_of(kSeparators, key.size());
        const auto last = line.find_last_not_of(kSeparators);
        return first == std::string::npos ? "" : line.substr(first, last - first + 1);
    }
    return {};
}

int usableCpus()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

Bytes memoryBytes()
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && pageBytes > 0 ? Bytes{pages} * pageBytes : 0;
}

std::map<std::string, std::string> variables()
{
    std::map<std::string, std::string> found = workerVariables();
    for (const char* name : kVariables)
        if (const char* value = std::getenv(name))
            found.emplace(name, validUtf8(value));
    return found;
}

OrderedJson environmentText(const std::string& text)
{
    return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson positiveOrNull(std::int64_t number)
{
    return number > 0 ? OrderedJson(number) : OrderedJson(nullptr);
}

} // namespace

Environment captureEnvironment()
{
    Environment environment;
    utsname system{};
    if (uname(&system) == 0) {
        environment.host = system.nodename;
        environment.kernel = std::string(system.sysname) + " " + system.release;
    }
    environment.operatingSystem = lineValue("/etc/os-release", "PRETTY_NAME");
    environment.cpuModel = lineValue("/proc/cpuinfo", "model name");
    environment.logicalCpus = usableCpus();
    environment.memoryBytes = memoryBytes();
    environment.headroomVersion = config::version();
    environment.variables = variables();
    return environment;
}

OrderedJson toJson(const Environment& environment)
{
    const auto& worker = environment.worker;
    OrderedJson json;
    json["host"] = environmentText(environment.host);
    json["operating_system"] = environmentText(environment.operatingSystem);
    json["kernel"] = environmentText(environment.kernel);
    json["cpu_model"] = environmentText(environment.cpuModel);
    json["logical_cpus"] = positiveOrNull(environment.logicalCpus);
    json["memory_bytes"] = positiveOrNull(environment.memoryBytes);
    json["headroom_version"] = environment.headroomVersion;
    json["worker_version"] = worker ? environmentText(worker->headroomVersion) : OrderedJson(nullptr);
    json["libtorch_version"] = worker ? environmentText(worker->torchVersion) : OrderedJson(nullptr);
    json["cuda_usable"] = worker ? OrderedJson(protocol::orNull(worker->cudaUsable)) : OrderedJson(nullptr);
    json["cuda_reason"] = worker ? environmentText(worker->cudaReason) : OrderedJson(nullptr);
    json["variables"] = environment.variables;
    return json;
}

} // namespace headroom::experiments
