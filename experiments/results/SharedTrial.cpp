// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/SharedTrial.h"

namespace headroom::experiments {
namespace {

SharedConfiguration::Techniques apart(const std::map<std::string, config::TechniqueSetting>& techniques)
{
    return {techniques.begin(), techniques.end()};
}

config::Configuration whole(const SharedConfiguration& configuration)
{
    return {configuration.model, configuration.modelFields, configuration.workload,
        {configuration.techniques.begin(), configuration.techniques.end()}};
}

} // namespace

SharedConfiguration::SharedConfiguration(const config::Configuration& configuration)
    : model(configuration.model)
    , modelFields(configuration.modelFields)
    , workload(configuration.workload)
    , techniques(apart(configuration.techniques))
{
}

SharedTrial::SharedTrial(const config::Trial& trial)
    : configuration(trial.configuration)
    , device(trial.device)
    , memoryLimitBytes(trial.memoryLimitBytes)
    , segmentAddresses(trial.segmentAddresses)
    , allocator(trial.allocator)
    , protocol(trial.protocol)
{
}

config::Trial SharedTrial::whole() const
{
    return {experiments::whole(configuration), device, memoryLimitBytes, segmentAddresses, allocator, protocol};
}

SharedTrial TrialPool::shared(const config::Trial& trial)
{
    SharedTrial shared(trial);
    SharedConfiguration& configuration = shared.configuration;
    configuration.modelFields = m_fields.shared(configuration.modelFields);
    configuration.workload = m_workloads.shared(configuration.workload);
    for (auto& [key, setting] : configuration.techniques.edit())
        setting = m_settings.shared(setting);
    configuration.techniques = m_techniques.shared(configuration.techniques);
    return shared;
}

} // namespace headroom::experiments
