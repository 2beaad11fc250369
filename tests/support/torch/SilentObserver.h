// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/training/StepObserver.h"

namespace headroom {

/// Ignores the phases of a step.
class SilentObserver final : public training::StepObserver {
public:
    void phaseBegins(const std::string&, std::int64_t) override { }
    void phaseEnds(const std::string&, std::int64_t) override { }
};

} // namespace headroom
