// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/techniques/Technique.h"
#include "core/techniques/stack/StepHookLists.h"

#include <functional>
#include <memory>
#include <vector>

namespace headroom::techniques {

/// How one technique of the catalogue is made from its setting, and from what it is used for.
struct TechniqueFactory {
    std::string key;
    std::function<std::unique_ptr<Technique>(const config::TechniqueSetting&, const config::Configuration&)> make;
};

/// Every technique that can be applied; the same keys in the same order as config::techniqueCatalogue() (a test
/// compares them). The order is that of application.
const std::vector<TechniqueFactory>& techniqueFactories();

/// All techniques of a configuration on one model.
class TechniqueStack {
public:
    /// Throws UsageError with the reason when the combination cannot work.
    explicit TechniqueStack(
        const config::Configuration& configuration, config::ShapesAre shapes = config::ShapesAre::Known);

    /// The configured model, initialised from the current random state, with weights put at once where techniques keep
    /// them. `apply` comes later.
    std::shared_ptr<models::Model> load(const at::TensorOptions& options);

    /// Applies every technique in order. The model and the stack live and end together. What techniques draw at random
    /// (adapters) depends on the workload's seed alone, so that a trial and its baseline have the same; the random
    /// state is as it was afterwards. Returns what the techniques do in the model's steps.
    const StepHookLists& apply(models::Model& model);

    /// The same again; empty before `apply`.
    const StepHookLists& hooks() const { return m_hooks; }

    /// Whether one of them does (Technique::followsBlocks).
    bool followsBlocks() const;

    /// Has each technique count what this block would have counted, by key, as `like` did (Technique::countRepeated).
    bool countRepeated(std::int64_t block, std::int64_t like, const std::map<std::string, Counters>& counted);

    /// Counters and effective text of each technique, by key.
    std::map<std::string, Counters> counters() const;
    std::map<std::string, std::string> effective() const;

private:
    config::Configuration m_configuration;
    std::vector<std::pair<std::string, std::unique_ptr<Technique>>> m_techniques;
    StepHookLists m_hooks;
};

} // namespace headroom::techniques
