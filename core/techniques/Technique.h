// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"

#include <map>
#include <string>

namespace headroom::techniques {

/// Engagement counters by name.
using Counters = std::map<std::string, std::int64_t>;

/// A memory/speed lever applied to a model. Lives as long as the model does what it says.
class Technique {
public:
    virtual ~Technique() = default;

    /// Changes the model. Called once, in the documented order of the techniques.
    virtual void apply(models::Model& model) = 0;

    /// Clears the counters that count per step.
    virtual void beginStep() = 0;

    /// The counters of the catalogue's descriptor, each with its value.
    virtual Counters counters() const = 0;

    /// What the technique really does to this model, in words.
    virtual std::string effective() const = 0;
};

} // namespace headroom::techniques
