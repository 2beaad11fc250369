// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/ghost/GhostCatalogue.h"
#include "experiments/rehearsal/ghost/GhostFolder.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What is to be made.
struct GhostRequest {
    std::string source; ///< a config.json, a folder with one or with a model_index.json, or a model of the catalogue
    std::filesystem::path folder;
    std::string dtype; ///< as torch calls it; empty: what the configuration says, else float32
    std::optional<Bytes> shardBytes; ///< the largest file; else upstream's 5 GB, of diffusers 10 GB
};

/// A model of a checkpoint; a pipeline has several.
struct GhostModel {
    std::string folder; ///< below the checkpoint's; empty: itself
    std::string className;
    std::string library;
    std::string dtype;
    std::int64_t tensors = 0;
    std::int64_t parameters = 0;
    Bytes bytes = 0; ///< of all tensors
};

struct GhostCheckpoint {
    std::vector<GhostModel> models;
    std::vector<GhostFile> files;
    bool hasOwnTokenizer = false; ///< one was made, as none was given

    std::int64_t parameters() const;
    Bytes bytes() const; ///< that the files seem to take
    Bytes diskBytes() const; ///< that they take
};

/// Makes a checkpoint whose tensors have upstream's names, shapes and types and no content: safetensors files with a
/// hole for the data, with an index where there are several, and what else upstream's checkpoints have beside them,
/// copied from the source's folder where it is there. The folder is there as a whole or not at all. `resources`: the
/// folder of descriptions. Throws UsageError for a configuration that is not known or cannot be, FileError for files.
GhostCheckpoint makeGhost(const GhostRequest& request, const std::filesystem::path& resources);

} // namespace headroom::experiments
