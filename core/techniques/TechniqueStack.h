// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Configuration.h"
#include "core/techniques/Technique.h"

#include <functional>
#include <memory>
#include <vector>

namespace headroom::techniques {

/// How one technique of the catalogue is made from its setting.
struct TechniqueFactory {
    std::string key;
    std::function<std::unique_ptr<Technique>(const config::TechniqueSetting&)> make;
};

/// Every technique that can be applied; the same keys in the same order as config::techniqueCatalogue() (a test
/// compares them). The order is that of application.
const std::vector<TechniqueFactory>& techniqueFactories();

/// All techniques of a configuration on one model.
class TechniqueStack {
public:
    /// Throws UsageError with the reason when the combination cannot work.
    explicit TechniqueStack(const config::Configuration& configuration);

    /// Applies every technique in order. The model and the stack live and end together.
    void apply(models::Model& model);

    void beginStep();

    /// Counters and effective text of each technique, by key.
    std::map<std::string, Counters> counters() const;
    std::map<std::string, std::string> effective() const;

private:
    std::vector<std::pair<std::string, std::unique_ptr<Technique>>> m_techniques;
};

} // namespace headroom::techniques
