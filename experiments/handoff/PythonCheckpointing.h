// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "experiments/handoff/SettingsDraft.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// The lists of modules that hold a model's blocks, in the order in which they run: {"transformer_blocks"},
/// {"transformer_blocks", "single_transformer_blocks"}. Empty if the names of the layers do not tell.
std::vector<std::string> blockListPaths(const config::Configuration& configuration);

/// The number of blocks of the model that a configuration runs.
int blockCountOf(const config::Configuration& configuration);

/// Checkpointing of a trial as Python for torch.utils.checkpoint.
class PythonCheckpointing {
public:
    explicit PythonCheckpointing(SettingsDraft& draft);

    /// Whether the trial trains and checkpoints blocks.
    bool isOn() const { return m_isOn; }
    /// Whether every block is checkpointed as a whole and nothing else is asked for: what trainers have a switch for.
    bool isPlain() const;
    /// "{0, 2, 4}": the checkpointed blocks, or "None" if they are all of them.
    std::string chosenBlocks() const;
    /// The import lines that `functions` needs.
    TextLines imports() const;
    /// Functions of the module: `kept_results` if results of ops are kept, and `checkpointed(block, *args, **kwargs)`,
    /// which runs a block as a checkpointed region. Also says what is lacking.
    TextLines functions();
    /// An expression for the list of all blocks of `model`, in the order in which they run; empty if it is not known.
    std::string blocksOfModel() const { return m_blocks; }

private:
    bool keepsResults() const;
    TextLines keptResults();
    TextLines region() const;

    SettingsDraft& m_draft;
    bool m_isOn = false;
    std::string m_blocks;
    std::optional<std::vector<bool>> m_chosen; ///< nullopt: which blocks is not known
};

} // namespace headroom::experiments
