// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/StepHooks.h"

#include <map>
#include <string>

namespace headroom::techniques {

/// Engagement counters by name.
using Counters = std::map<std::string, std::int64_t>;

/// What a technique counted while one block of a model ran, for another block that a simulation takes to do the same.
struct RepeatedBlock {
    std::int64_t block = 0; ///< the one that is not run
    std::int64_t like = 0; ///< the one that was
    Counters counted; ///< in one of its passes
};

/// A memory/speed lever applied to a model, or a choice of what is computed. Lives as long as the model does what it
/// says.
class Technique {
public:
    virtual ~Technique() = default;

    /// What it does with each module of a model that is being loaded, empty: nothing. Parameters may be put where the
    /// technique keeps them, so that the load needs no more than the rest plus one module. Not asked for where a plain
    /// model has to run first: `apply` finds the parameters as they were built then.
    virtual models::ModuleLoaded loadHook() { return {}; }

    /// Changes the model, and says what is to be done in its steps. Called once for a model, in the documented order of
    /// the techniques. What a plain stack of the same task has applied already stays as it is.
    virtual StepHooks apply(models::Model& model) = 0;

    /// The counters of the catalogue's descriptor, each with its value.
    virtual Counters counters() const = 0;

    /// Counts what the block would have counted if it had run. False, and nothing is counted, if it cannot.
    virtual bool countRepeated(const RepeatedBlock& block);

    /// Whether what it does while one block runs depends on which ones ran before, as where weights are fetched ahead.
    virtual bool followsBlocks() const { return false; }

    /// What the technique really does to this model, in words.
    virtual std::string effective() const = 0;
};

} // namespace headroom::techniques
