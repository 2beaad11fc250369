// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/ghost/GhostDescription.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// The architectures whose checkpoints are known: every file of resources/ghost.
class GhostCatalogue {
public:
    /// `folder`: resources/ghost, and in it `layers`. Throws as readGhostDescription does.
    explicit GhostCatalogue(const std::filesystem::path& folder);

    /// The description of the class that a configuration file names, and the class. Throws UsageError, naming the class
    /// and those that are known, for any other.
    std::pair<const GhostDescription*, std::string> find(
        const config::ValueMap& entries, const std::string& where) const;

    /// The description of a class. Throws UsageError at `where`, naming those that are known, for another one.
    const GhostDescription& describing(const std::string& className, const std::string& where) const;

    std::vector<std::string> classNames() const; ///< sorted
    const GhostLayers& layers() const { return m_layers; }

private:
    const GhostDescription* ofClass(const std::string& name) const;

    std::vector<GhostDescription> m_descriptions;
    GhostLayers m_layers;
};

} // namespace headroom::experiments
