// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"
#include "core/config/MemoryCategory.h"
#include "core/config/ModelFamily.h"
#include "core/config/MonotoneOrder.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::config {

/// What a technique is set to: its compact notation (canonical) and its named options (complete).
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

/// An engagement counter: what proves that the technique did what the toggle says.
struct CounterDescriptor {
    std::string name;
    std::string help;
};

/// A setting that is worth a try where memory is short.
struct Candidate {
    std::string notation; ///< canonical; works by itself
    /// How much there is to it: 1 for a plain word that asks for nothing else, 1 more where a part of the model is
    /// chosen or other numbers come out, 2 more where host memory is needed.
    int effort = 1;
    /// Settings between this one and `off`, the one that saves most first: each is expected to need no less memory and
    /// no more time than the one before. For those who have found that this one leaves room. Their effort is one more.
    std::vector<std::string> milder = {};

    bool operator==(const Candidate&) const = default;
};

/// Whether a workload's shapes are those of the inputs that a model will get.
enum class ShapesAre { Known, Unknown };

/// The model a technique is checked against: the family with complete fields and workload.
struct ModelContext {
    const ModelFamily& family;
    const ValueMap& fields;
    const Workload& workload;
    const std::map<std::string, TechniqueSetting>& techniques; ///< of every key, for what depends on another one
    ShapesAre shapes = ShapesAre::Known;

    const std::string& notationOf(const std::string& key) const { return techniques.at(key).notation; }
};

/// What a technique's setting decides. Lever: how memory and time are traded for the same result; a trial's baseline
/// has it off. Task: what is computed at all (which weights are trained, by which optimizer); a baseline keeps it.
enum class TechniqueRole { Lever, Task };

/// What becomes of options where a technique's notation is `off`.
enum class OffOptions { Dropped, Kept };

/// After how many steps what a technique does in them repeats.
struct StepPeriod {
    std::int64_t steps = 1;
    std::string option{}; ///< what sets it, where it is above 1: "ema.interval"
    std::string event{}; ///< what does not happen in each step: "an EMA update"
};

/// What a technique is, without doing it.
struct TechniqueDescriptor {
    std::string key;
    std::string title;
    std::string summary;
    std::vector<NotationForm> forms; ///< the first is the one that means "not used"
    std::string off; ///< the notation that means "not used"
    /// What switching it on begins with, canonical: what most people take. Where it is empty or does not work with the
    /// model, a notation of `candidates` or `forms` does.
    std::string firstNotation{};
    FieldSet options;
    /// Of `off`: a lever's options mean nothing then; a choice between ways that all do something keeps them.
    OffOptions offOptions = OffOptions::Dropped;
    TechniqueRole role = TechniqueRole::Lever;
    std::vector<MemoryCategory> relieves; ///< categories of a peak that it can make smaller; empty: none
    /// Whether it is sure that all weights, and in training all gradients, are on the device at a step's peak with it,
    /// in the workload's dtype: a smaller peak is implausible then.
    bool keepsWeights = false;
    /// Whether a step may have fewer operations with it than the closed form of its model counts: a rate of them says
    /// nothing then.
    bool sparesOperations = false;
    /// The notation of comparisons with reference values, where their numbers depend on it; empty: `off`. Where it does
    /// not work with a model, `off` does.
    std::string referenceNotation{};
    std::vector<CounterDescriptor> counters;
    std::vector<MonotoneOrder> orders; ///< what its trials are held to, one against the other

    /// The canonical form of a notation; throws UsageError at `where` when it does not parse.
    std::function<std::string(const std::string& notation, const std::string& where)> normalise;
    /// Reasons why the setting cannot work with this model and workload; empty when it can.
    std::function<std::vector<std::string>(const TechniqueSetting&, const ModelContext&)> problems;
    /// Whether a notation, canonical, only means something in training, so that who gives it wants to train; none: no
    /// notation does.
    std::function<bool(const std::string& notation)> asksForTraining = nullptr;
    /// Where it has a problem: changes of other settings with which it works, the likeliest first. May be left out.
    std::function<std::vector<Repair>(const TechniqueSetting&, const ModelContext&)> repairs{};
    /// Options of a setting that do as if they had not been given: what they are is no part of a trial's identity.
    /// None: every option of a technique that is on counts.
    std::function<std::vector<std::string>(const TechniqueSetting&)> idleOptions{};
    /// Number format of what is trained, where a setting decides it; none: the workload's.
    std::function<std::optional<Dtype>(const TechniqueSetting&)> trainedDtype{};
    /// After how many steps what it does repeats; none: it does the same in each step.
    std::function<StepPeriod(const TechniqueSetting&)> period{};
    /// What is worth a try where memory is short, the simplest first.
    std::function<std::vector<Candidate>(const ModelContext&)> candidates;

    /// The notation's forms in one line, for messages: "off, N, tokens:N".
    std::string validForms() const;
    /// The notations of `candidates`; none where there are no candidates.
    std::vector<std::string> candidateNotations(const ModelContext& context) const;
};

/// A positive integer written in decimal without sign, or nothing.
std::optional<std::int64_t> parseCount(const std::string& text);

} // namespace headroom::config
