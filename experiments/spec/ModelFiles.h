// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/ExperimentSpec.h"

#include <string>

namespace headroom::experiments {

/// Whether a model's name is the path of a configuration file, of a folder that has one, or of an exported model: it
/// has a "/" or ends in ".json" or ".pt2".
bool isModelFile(const std::string& name);

/// Whether it is the name of an exported model's archive: it ends in ".pt2".
bool isExportedModel(const std::string& name);

/// The model of a configuration file as one of the catalogue, with the file's values as defaults, or that of an
/// exported one's archive. Throws FileError and UsageError as config::modelFromUpstream and config::importModel do.
config::ModelDescriptor describedModel(const std::string& file);

/// What a name means: such a file, or a model of the catalogue. Throws UsageError at `where` for a name that is none.
config::ModelDescriptor namedModel(const std::string& name, const std::string& where);

/// Puts what files say into the spec, so that it means the same without them: a configuration file (as `model.config`
/// or as the model's name) becomes the model and those of its fields that the part does not set itself; of several
/// models each file becomes a part of its own. The archive of an exported model becomes the name that it has in the
/// catalogue, and its path `model.archive`; sizes of its inputs get the names of their fields (nameSizes). Weights
/// become absolute paths. The files that were read are noted in `modelFiles`.
///
/// A relative path in a spec file is looked for beside that file first, then in the current folder. Throws FileError
/// for files that are not there, UsageError for models that are not supported.
void resolveModelFiles(ExperimentSpec& spec);

} // namespace headroom::experiments
