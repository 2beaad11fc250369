// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "experiments/run/PrivateFolder.h"
#include "experiments/run/WorkerProcess.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A card that is not there, as one process gets it: the substitute for the CUDA runtime to be loaded before it, and a
/// description of the card (profiling/rehearsal/Card.h). Both lie in a private folder that lives as long as this.
class RehearsedCard {
public:
    enum class Capacity { OfTheCard, Unlimited };

    /// Throws UsageError where the profile lacks what CUDA would be asked for, FileError where the substitute for this
    /// version of CUDA is not installed.
    RehearsedCard(const simulator::DeviceProfile& profile, Capacity capacity);

    /// What the process needs in its environment beside its own.
    std::map<std::string, std::string> variables() const;
    /// The same for a worker, with the right to keep the card's accounts.
    WorkerSurroundings surroundings() const;

    struct Ledger {
        std::map<std::string, int> refused; ///< how often each function that the substitute lacks was called
        std::vector<protocol::UncountedMemory> notCounted; ///< the largest of each function
    };
    /// What the process has noted so far.
    Ledger ledger() const;

private:
    std::filesystem::path file(const std::filesystem::path& name) const { return m_folder->path() / name; }

    std::optional<PrivateFolder> m_folder; ///< made once all is known to be there
};

} // namespace headroom::experiments
