// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/ExperimentArchive.h"
#include "experiments/archive/UnsavedRun.h"
#include "experiments/results/Environment.h"
#include "experiments/run/RepeatSchedule.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// Puts the repeats of a run into its archive, each once and as soon as it is finished: that may be long before its
/// turn to be told, and a kill until then costs nothing.
class RepeatStore {
public:
    /// By trial, then repeat.
    using Results = std::vector<std::map<int, KeptRepeat>>;

    /// Borrowed; a repeat is stored with the environment as it is then.
    RepeatStore(ExperimentArchive& archive, Environment& environment)
        : m_archive(archive)
        , m_environment(environment)
    {
    }

    /// Of one that will be kept later. Its worker is the environment's from now on.
    void storeEarly(const SimulatedRepeat& repeat, const RepeatEnd& end);

    /// Stores it unless it was stored early, and has it in `kept` before that; one that was interrupted is planned
    /// again. Returns a remark of the archive or an empty text.
    std::string keep(const RepeatTask& task, const RepeatEnd& end, const std::filesystem::path& spool,
        store::Timestamp startedAt, KeptRepeat& kept);

    /// What there is in `told`, and what was to be stored early.
    std::vector<UnsavedRepeat> all(const Results& told) const;

private:
    struct Early {
        KeptRepeat repeat;
        std::string remark;
    };
    using Place = std::pair<std::size_t, int>; ///< trial and repeat

    std::string add(const RepeatTask& task, const protocol::RepeatResult& result, const KeptRepeat& kept,
        const std::filesystem::path& spool, store::Timestamp startedAt);

    ExperimentArchive& m_archive;
    Environment& m_environment;
    std::map<Place, Early> m_early; ///< until it is kept
    std::map<Place, store::Timestamp> m_startedAt; ///< of repeats of this run
};

} // namespace headroom::experiments
