// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/BaselineComparison.h"

#include "profiling/measurement/HostMemoryGuard.h"

namespace headroom::collectors {
namespace {

constexpr std::int64_t kStepSeedOffset = 2;

} // namespace

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
