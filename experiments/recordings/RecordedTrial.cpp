// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/RecordedTrial.h"

#include "core/config/models/RecordingFamily.h"
#include "core/protocol/TrialCodec.h"

namespace headroom::experiments {

PlannedTrial recordedTrial(const RecordedOrigin& origin)
{
    PlannedTrial planned;
    config::Trial& trial = planned.trial;
    trial.configuration = config::defaultConfiguration(config::kRecordingModel, "model.name");
    config::ValueMap& fields = trial.configuration.modelFields;
    fields[config::kRecordingFile] = origin.file;
    fields[config::kRecordingContent] = origin.content;
    fields[config::kRecordingFormat] = origin.format;
    trial.device = config::parseDevice(origin.device, origin.where);
    trial.allocator = origin.allocator;
    planned.trialId = protocol::trialId(trial);
    planned.configId = protocol::configId(trial.configuration);
    planned.label = trial.device.name() + " | " + origin.name;
    return planned;
}

ExperimentSpec recordedSpec(const std::string& name, const std::string& source)
{
    ExperimentSpec spec;
    spec.name = name;
    spec.source = source;
    spec.parts.emplace_back();
    spec.parts.back()["model.name"] = {"model.name", config::Value(std::string(config::kRecordingModel)), {}};
    return spec;
}

} // namespace headroom::experiments
