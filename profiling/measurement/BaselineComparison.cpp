// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/BaselineComparison.h"

#include "profiling/measurement/HostProcess.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace headroom::collectors {
namespace {

// The number after a word: "MemAvailable: 1234 kB", "inactive_file 1234".
std::optional<Bytes> numberAfter(const char* file, const std::string& key)
{
    std::ifstream stream(file);
    for (std::string word; stream >> word; std::getline(stream, word)) {
        Bytes number = 0;
        if (word == key && stream >> number)
            return number;
    }
    return std::nullopt;
}

// From a file that holds one number; "max" gives nullopt.
std::optional<Bytes> numberIn(const char* file)
{
    Bytes number = 0;
    std::ifstream stream(file);
    return stream >> number ? std::optional(number) : std::nullopt;
}

// Cached files count as used but can be dropped.
std::optional<Bytes> groupBytes(const char* limitFile, const char* usedFile, const char* statFile, const char* prefix)
{
    const auto limit = numberIn(limitFile);
    const auto used = numberIn(usedFile);
    if (!limit || !used)
        return std::nullopt;
    const Bytes cached = numberAfter(statFile, std::string(prefix) + "inactive_file").value_or(0)
        + numberAfter(statFile, std::string(prefix) + "active_file").value_or(0);
    return std::max<Bytes>(0, *limit - std::max<Bytes>(0, *used - cached));
}

std::optional<Bytes> smaller(std::optional<Bytes> left, std::optional<Bytes> right)
{
    return left && right ? std::min(left, right) : left ? left : right;
}

rlim_t addressSpaceLimit()
{
    rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_AS, &limit);
    return limit.rlim_cur;
}

constexpr std::int64_t kStepSeedOffset = 2;

} // namespace

std::optional<Bytes> availableHostBytes()
{
    auto available = numberAfter("/proc/meminfo", "MemAvailable:");
    if (available)
        *available *= kKiB;
    const auto unified =
        groupBytes("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat", "");
    const auto legacy = groupBytes("/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes", "/sys/fs/cgroup/memory/memory.stat", "total_");
    return smaller(available, smaller(unified, legacy));
}

HostMemoryGuard::HostMemoryGuard()
{
    const auto mapped = addressSpaceBytes();
    const auto available = availableHostBytes();
    const rlim_t before = addressSpaceLimit();
    if (!mapped || !available || before < static_cast<rlim_t>(*mapped + *available))
        return;
    m_limitBefore = static_cast<Bytes>(before);
    limitAddressSpace(*mapped + *available);
}

HostMemoryGuard::~HostMemoryGuard()
{
    rlimit limit{};
    if (!m_limitBefore || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    limit.rlim_cur = static_cast<rlim_t>(*m_limitBefore);
    setrlimit(RLIMIT_AS, &limit);
}

BaselineComparison::BaselineComparison(
    const config::Trial& trial, const models::Inputs& inputs, Instruments& instruments)
    : m_trial(trial)
    , m_inputs(inputs)
    , m_instruments(instruments)
{
}

FirstStep BaselineComparison::stepOf(models::Model& model, techniques::TechniqueStack& techniques)
{
    FirstStep step = run(model, techniques);
    step.output = step.output.to(at::kCPU);
    return step;
}

// If the baseline were too large for the machine, the process would be killed and the measurement lost.
std::optional<protocol::Numerics> BaselineComparison::withBaseline(const FirstStep& step)
{
    std::optional<HostMemoryGuard> guard;
    if (m_trial.device.kind == config::DeviceKind::Cpu)
        guard.emplace();
    m_instruments.emptyCache();
    const LoadedModel baseline =
        freshModel(config::baselineOf(m_trial.configuration), m_trial.device, WeightPlacement::AsTechniquesKeepThem);
    baseline.techniques->apply(*baseline.model);
    return deviation(step, run(*baseline.model, *baseline.techniques));
}

FirstStep BaselineComparison::run(models::Model& model, techniques::TechniqueStack& techniques)
{
    const config::Workload& workload = m_trial.configuration.workload;
    return firstStep(model, techniques.hooks(), workload, m_inputs, m_instruments, workload.seed + kStepSeedOffset);
}

} // namespace headroom::collectors
