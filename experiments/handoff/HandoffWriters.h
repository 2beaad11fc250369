// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/handoff/SettingsDraft.h"

#include <string>

namespace headroom::experiments {

// Each writes the body of a file for its trainer, without the comment at the top, and keeps account in the draft.
// UsageError at
// `--for` where the trainer cannot run such a trial at all.

TextLines diffusersSettings(SettingsDraft& draft);
TextLines transformersSettings(SettingsDraft& draft);
TextLines accelerateSettings(SettingsDraft& draft);
TextLines pytorchSettings(SettingsDraft& draft);
TextLines torchtitanSettings(SettingsDraft& draft);
TextLines simpleTunerSettings(SettingsDraft& draft);

/// The class of diffusers or transformers that a model is; empty if it is one's own.
struct UpstreamClassName {
    std::string library; ///< "diffusers", "transformers"
    std::string name; ///< "FluxTransformer2DModel"
};
UpstreamClassName upstreamClassOf(const config::Configuration& configuration);

/// Throws where the trial is an inference step, which the trainer does not have.
void requireTraining(const SettingsDraft& draft, const std::string& trainer);

} // namespace headroom::experiments
