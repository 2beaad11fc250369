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

/// A card that is not there, as one process or a tree of processes gets it: the substitute for the CUDA runtime to be
/// loaded before it, a description of the card (profiling/rehearsal/Card.h), and the account of its memory. They lie in
/// a private folder that lives as long as this.
class RehearsedCard {
public:
    enum class Capacity { OfTheCard, Unlimited };

    struct Terms {
        Capacity capacity = Capacity::OfTheCard;
        int count = 1; ///< cards of this kind that a process sees
    };

    /// Throws UsageError where the profile lacks what CUDA would be asked for, FileError where the substitute for this
    /// version of CUDA is not installed.
    RehearsedCard(const simulator::DeviceProfile& profile, Terms terms);

    const std::filesystem::path& folder() const { return m_folder->path(); }

    /// What the process needs in its environment beside its own: the substitute for the CUDA of the linked LibTorch.
    std::map<std::string, std::string> variables() const;
    /// The same for processes that share the card, and whose PyTorch may be for another CUDA: HEADROOM_CARD_PRELOADS
    /// names the folder with what is preloaded for each, cuda12 and cuda13.
    std::map<std::string, std::string> sharedVariables() const;
    /// The same for a worker, with the right to keep the card's accounts.
    WorkerSurroundings surroundings() const;

    struct Ledger {
        std::map<std::string, int> refused; ///< how often each function that the substitute lacks was called
        std::vector<protocol::UncountedMemory> notCounted; ///< the largest of each function
    };
    /// What the process has noted so far.
    Ledger ledger() const;

    /// What processes with sharedVariables() have taken together.
    struct Taken {
        std::vector<Bytes> mostBytes; ///< of each card at a time, contexts included
        std::vector<Bytes> nowBytes; ///< of each card by the processes that were there last
        Bytes mostHostBytes = 0; ///< pinned and managed
        std::int64_t processes = 0; ///< that took something of a card
    };
    Taken taken() const;

private:
    std::filesystem::path file(const std::filesystem::path& name) const { return m_folder->path() / name; }

    int m_count;
    std::optional<PrivateFolder> m_folder; ///< made once all is known to be there
};

} // namespace headroom::experiments
