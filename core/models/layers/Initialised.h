// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headroom::models {

/// A module with parameters of its own, which knows how they start when a model is trained from scratch.
class Initialised {
public:
    virtual ~Initialised() = default;
    /// Fills the module's own parameters; called without gradient recording. On meta tensors nothing is written.
    virtual void initialise() = 0;
};

} // namespace headroom::models
