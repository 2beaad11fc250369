// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// A setting of a trial that a trainer has no counterpart for, or only a near one.
struct LackingSetting {
    std::string
        path; ///< as in a spec: "techniques.checkpointing", "workload.clip_grad_norm", "techniques.ema.interval"
    std::string notation; ///< the setting's value: "every:2"
    std::string why; ///< what differs, or what can be done instead; one sentence without a full stop
    std::string instead = {}; ///< the notation of what the text does in its place; empty: nothing, or much the same
};

/// One trial as code or configuration for a trainer.
struct Handoff {
    std::string target; ///< "diffusers"
    std::string file; ///< the name that such a file usually has: "train_config.toml"
    std::string text; ///< the file; ends with a line break
    std::vector<LackingSetting> lacking;
};

/// A trainer or library that settings can be written for.
struct HandoffTarget {
    std::string name; ///< "torchtitan"
    std::string title; ///< "torchtitan 0.2 (TOML)": with the version that the names were checked with
};

/// All of them, in the order in which they are listed.
const std::vector<HandoffTarget>& handoffTargets();

/// Writes a trial for a trainer. Every setting that the trial asks for is either in the text, with its name in a
/// comment, or in `lacking`. Throws UsageError at `--for` for an unknown target, and for a trial that the target cannot
/// run at all.
Handoff handOff(const config::Trial& trial, const std::string& target);

/// Whether the target has a technique just as the trial sets it: nothing of it is lacking. False for a trial that the
/// target cannot run at all.
bool isOffered(const config::Trial& trial, const std::string& technique, const std::string& target);

} // namespace headroom::experiments
