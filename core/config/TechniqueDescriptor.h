// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"
#include "core/config/MemoryCategory.h"
#include "core/config/ModelFamily.h"
#include "core/config/Value.h"
#include "core/config/Workload.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::config {

/// A technique's setting in a finished trial, and its counters there.
struct TechniqueEngagement {
    std::string notation; ///< canonical; a record of another version may hold one that does not parse
    std::string options; ///< as text, equal if the options are
    std::map<std::string, std::int64_t> counters;

    /// Nothing if there is no such counter.
    std::optional<std::int64_t> counter(const std::string& name) const
    {
        const auto found = counters.find(name);
        return found == counters.end() ? std::nullopt : std::optional(found->second);
    }
};

/// An order of a technique's settings that measurements must respect, among trials that are equal in everything else: a
/// higher level needs no more memory per step, and if it costs time, no less time. A violation means that something was
/// measured wrongly.
struct MonotoneOrder {
    /// How much the technique did, from its counters; nothing if they are missing.
    std::function<std::optional<std::int64_t>(const TechniqueEngagement&)> level;
    /// Whether two settings are of the same kind, and the second has so much higher a level that the order must show.
    /// Only called for settings that have a level.
    std::function<bool(const TechniqueEngagement& fewer, const TechniqueEngagement& more)> isClearlyMore;
    /// Whether this level takes time however well it is implemented; null: the order does not cover time.
    std::function<bool(const TechniqueEngagement& more)> costsTime{};
    /// The only kind of step in which the order holds; nothing: it holds in every kind.
    std::optional<StepKind> step{};

    // Parts of sentences.
    std::string more; ///< "checkpointing more blocks", followed by "cannot need more memory"
    std::string cost{}; ///< "recomputing blocks", followed by "cannot save time"
    std::string unit; ///< of a level, after its number: "blocks checkpointed"
    std::string unitAgain{}; ///< the same in a sentence that has just used it; may be empty
};

/// One of all the settings that a technique can have.
struct RangeSetting {
    std::string notation; ///< canonical
    ValueMap options = {}; ///< those that it sets; all others stay as they are
    int effort = 0; ///< as of a Candidate; 0: the technique is off
    /// Settings of one kind differ by their extent: a share, or the logarithm of a count.
    std::string kind = {};
    double extent = 0;
};

/// All settings that a technique can have with a model and still do the same task, and what is known of them before
/// anything is measured: what `headroom plan` searches.
struct TechniqueRange {
    /// Indices of two settings, the lower first.
    using Pair = std::pair<std::size_t, std::size_t>;

    std::vector<RangeSetting> settings = {};
    /// The first allocates no more device memory at its peak than the second, whatever else is set.
    std::vector<Pair> lessMemory = {};
    /// The first takes no more time than the second, whatever else is set.
    std::vector<Pair> lessTime = {};
    /// If not empty: the technique that has to be off for `lessTime` to hold.
    std::string timeOrderWithout = {};
    /// Whether its memory and time do not depend on how the other levers are set, so that its settings can be compared
    /// in one place.
    bool isIndependent = false;
};

/// A technique's setting: its compact notation (canonical) and its named options (complete).
struct TechniqueSetting {
    std::string notation;
    ValueMap options;

    bool operator==(const TechniqueSetting&) const = default;
};

/// One form of a technique's notation, for help texts: "tokens:N", "the tokens in N slices".
struct NotationForm {
    std::string form;
    std::string meaning;
};

/// An engagement counter: evidence that the technique did what its setting asks for.
struct CounterDescriptor {
    std::string name;
    std::string help;
};

/// A setting worth trying when memory is short.
struct Candidate {
    std::string notation; ///< canonical; valid without further options
    /// How much it demands of the user: 1 for a plain word with no other requirements, 1 more if it selects part of the
    /// model or changes the numbers, 2 more if it needs host memory.
    int effort = 1;
    /// Settings between this one and `off`, the one that saves most first: each is expected to need no less memory and
    /// no more time than the one before. They are tried after this one was found to leave room. Their effort is one
    /// more.
    std::vector<std::string> milder = {};

    bool operator==(const Candidate&) const = default;
};

/// Whether a workload's shapes are those of the inputs that the model will get.
enum class ShapesAre { Known, Unknown };

/// The model that a technique is checked against: the family with complete fields and workload.
struct ModelContext {
    const ModelFamily& family;
    const ValueMap& fields;
    const Workload& workload;
    const std::map<std::string, TechniqueSetting>&
        techniques; ///< of every key, for techniques that depend on another one
    ShapesAre shapes = ShapesAre::Known;

    const std::string& notationOf(const std::string& key) const { return techniques.at(key).notation; }
};

/// What a technique's setting decides. Lever: how memory is traded for time with the same result; a trial's baseline
/// has it off. Task: what is computed at all (which weights are trained, by which optimizer); a baseline keeps it.
enum class TechniqueRole { Lever, Task };

/// What happens to options when a technique's notation is `off`.
enum class OffOptions { Dropped, Kept };

/// The number of steps after which a technique's behaviour repeats.
struct StepPeriod {
    std::int64_t steps = 1;
    std::string option{}; ///< the setting that makes it greater than 1: "ema.interval"
    std::string event{}; ///< what does not happen in every step: "an EMA update"
};

/// Describes a technique without implementing it.
struct TechniqueDescriptor {
    std::string key;
    std::string title;
    std::string summary;
    std::vector<NotationForm> forms; ///< the first is the one that means "not used"
    std::string off; ///< the notation that means "not used"
    /// The canonical notation that switching it on begins with: the usual choice. If it is empty or does not work with
    /// the model, a notation of `candidates` or `forms` is used.
    std::string firstNotation{};
    FieldSet options;
    /// For `off`: a lever's options have no meaning then; a choice between ways that all do something keeps them.
    OffOptions offOptions = OffOptions::Dropped;
    TechniqueRole role = TechniqueRole::Lever;
    std::vector<MemoryCategory> relieves; ///< categories of a peak that it can reduce; may be empty
    /// Whether all weights, and in training all gradients, are certain to be on the device in the workload's dtype at a
    /// step's peak: a smaller peak is implausible then.
    bool keepsWeights = false;
    /// Whether a step may perform fewer operations than the closed form of its model counts, which makes a rate of
    /// operations meaningless.
    bool sparesOperations = false;
    /// The notation for comparisons with reference values, if their numbers depend on it; empty: `off`. If it does not
    /// work with a model, `off` is used.
    std::string referenceNotation{};
    std::vector<CounterDescriptor> counters;
    std::vector<MonotoneOrder> orders; ///< orders that its trials are checked against

    /// The canonical form of a notation; throws UsageError at `where` if it does not parse.
    std::function<std::string(const std::string& notation, const std::string& where)> normalise;
    /// Reasons why the setting cannot work with this model and workload; empty if it can.
    std::function<std::vector<std::string>(const TechniqueSetting&, const ModelContext&)> problems;
    /// Whether a canonical notation only makes sense in training, so that whoever gives it means to train; null: no
    /// notation does.
    std::function<bool(const std::string& notation)> asksForTraining = nullptr;
    /// If it has a problem: changes of other settings that make it work, the likeliest first. May be null.
    std::function<std::vector<Repair>(const TechniqueSetting&, const ModelContext&)> repairs{};
    /// Options of a setting that behave as if they had not been given: their values are not part of a trial's identity.
    /// Null: every option counts while the technique is on.
    std::function<std::vector<std::string>(const TechniqueSetting&)> idleOptions{};
    /// Number format of what is trained, if the setting decides it; nothing: the workload's.
    std::function<std::optional<Dtype>(const TechniqueSetting&)> trainedDtype{};
    /// The number of steps after which its behaviour repeats; null: it does the same in every step.
    std::function<StepPeriod(const TechniqueSetting&)> period{};
    /// Settings worth trying when memory is short, the simplest first.
    std::function<std::vector<Candidate>(const ModelContext&)> candidates;
    /// Every setting that does the same task, with what is known of their order; some may not work with the model.
    /// Null: the setting of a trial stays as it is.
    std::function<TechniqueRange(const ModelContext&)> range{};

    /// The forms of the notation in one line, for messages: "off, N, tokens:N".
    std::string validForms() const;
    /// The notations of `candidates`; empty if that is null.
    std::vector<std::string> candidateNotations(const ModelContext& context) const;
};

/// A positive integer written in decimal without sign, or nothing.
std::optional<std::int64_t> parseCount(const std::string& text);

} // namespace headroom::config
