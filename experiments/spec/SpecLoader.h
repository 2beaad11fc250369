// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/ExperimentSpec.h"
#include "experiments/spec/SpecDocument.h"
#include "experiments/spec/SpecOverrides.h"

#include <filesystem>
#include <string>

namespace headroom::experiments {

/// Reads a spec and lays the overrides over it. All throw UsageError with file, line, column and key for text that is
/// no TOML and for keys that a spec does not have; values and names are checked when the sweep is expanded
/// (`expand` in Sweep.h), because what a model's fields are depends on the model.
ExperimentSpec loadSpecFile(const std::filesystem::path& file, const SpecOverrides& overrides);
ExperimentSpec loadPreset(
    const std::string& name, const std::filesystem::path& resourceDirectory, const SpecOverrides& overrides);
/// A spec of flags only; its name is "adhoc" unless the overrides give one.
ExperimentSpec loadOverrides(const SpecOverrides& overrides);
/// What was read of a text, with the paths of the files that it names resolved against `source`.
ExperimentSpec loadSpecDocument(const SpecDocument& document, const std::string& source);
/// `source` names the text in messages and is the spec's source.
ExperimentSpec loadSpecText(const std::string& toml, const std::string& source, const SpecOverrides& overrides);

} // namespace headroom::experiments
