// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"

#include <map>
#include <string>

namespace headroom::techniques {

/// Engagement counters by name.
using Counters = std::map<std::string, std::int64_t>;

/// How an optimizer's update went about; a technique may be one.
class ParameterUpdater {
public:
    virtual ~ParameterUpdater() = default;
    /// Updates the parameters that have gradients. `parameters` are the trainable ones, the same each time.
    virtual void update(const std::vector<at::Tensor>& parameters) = 0;
};

/// A memory/speed lever applied to a model, or a choice of what is computed. Lives as long as the model does what it
/// says.
///
/// holdInputs comes once. What a step calls comes in this order: beginStep; for each micro-step prepareInputs, forward,
/// backward, microStepDone; then the optimizer, parametersUpdated, updateDone. Inference: beginStep, prepareInputs,
/// forward.
class Technique {
public:
    virtual ~Technique() = default;

    /// A module of the model that is being loaded has its parameters: they may be put where the technique keeps them,
    /// so that the load needs no more than the rest plus one module. Not called where a plain model has to run first:
    /// `apply` finds the parameters as they were built then. In the documented order of the techniques for each module.
    virtual void moduleLoaded(const std::string&, torch::nn::Module&) { }
    /// Whether `moduleLoaded` has anything to do.
    virtual bool loadsDirectly() const { return false; }

    /// Changes the model. Called once for a model, in the documented order of the techniques. What a plain stack of the
    /// same task has applied already stays as it is.
    virtual void apply(models::Model& model) = 0;

    /// Clears the counters that count per step.
    virtual void beginStep() = 0;

    /// The batch that steps will use, once before the first: it may be put where the technique keeps it.
    virtual void holdInputs(models::Inputs&) { }
    /// The batch is about to be used; it may be replaced by another copy of it.
    virtual void prepareInputs(models::Inputs&) { }
    /// A micro-step's backward is done; its loss, without graph.
    virtual void microStepDone(const at::Tensor& /*loss*/) { }
    /// The optimizer has changed the parameters. Runs in the phase "ema".
    virtual void parametersUpdated(models::Model&) { }
    /// Whether `parametersUpdated` has anything to do.
    virtual bool followsUpdates() const { return false; }
    /// The update is done; the sum of its micro-steps' losses, without graph.
    virtual void updateDone(const at::Tensor& /*loss*/) { }
    /// The optimizer, if the technique is one.
    virtual ParameterUpdater* optimizer() { return nullptr; }

    /// The counters of the catalogue's descriptor, each with its value.
    virtual Counters counters() const = 0;

    /// What the technique really does to this model, in words.
    virtual std::string effective() const = 0;
};

} // namespace headroom::techniques
