// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace headroom::config {

/// The smallest model of every family: made for tests, a step takes milliseconds.
std::vector<std::string> tinyModels();

/// A model that configurations are drawn of.
struct DrawnModel {
    std::string name;
    ValueMap fields = {}; ///< that are not the model's defaults
    ValueMap shapes = {}; ///< the same of the workload
    /// What numbers of layers (2 to 4), sequences and widths of feed-forward stacks are drawn in multiples of; 0: the
    /// model's size is left as it is.
    int unit = 0;
};

/// Every family's smallest model, in sizes of a few rows and columns.
std::vector<DrawnModel> tinyDraw();
/// Every family with the heads and layers of its published models, but few of them: widths of about 512, some hundreds
/// of tokens. A step takes a CPU about a second.
std::vector<DrawnModel> middleDraw();
/// A model of the catalogue: one of `tinyModels` in drawn sizes, any other one as it is. Throws UsageError at `where`.
DrawnModel drawnModel(const std::string& name, const std::string& where);

/// Draws models with workloads and techniques that work together, the same ones for the same seed on every platform.
/// Every technique of the catalogue takes part.
class CombinationDraw {
public:
    explicit CombinationDraw(unsigned seed, std::vector<DrawnModel> models = tinyDraw());

    /// A configuration without conflicts: a random subset of the techniques, at least one lever. Throws UsageError if
    /// none of many draws can work.
    Configuration next();
    /// The same with these techniques on, each with a notation that works, and adapters where cast weights are to be
    /// trained; nothing if there is none. The model is one of the catalogue.
    std::optional<Configuration> nextWith(const std::vector<std::string>& keys, const std::string& model);

private:
    std::size_t below(std::size_t count) { return m_random() % count; }
    Configuration plain(const DrawnModel& model);
    void drawFields(const DrawnModel& model, Configuration& configuration);
    Workload drawWorkload(const DrawnModel& model);
    void drawWidths(const DrawnModel& model, Configuration& configuration);
    void turnOn(Configuration& configuration, const std::string& key);

    std::mt19937 m_random;
    std::vector<DrawnModel> m_models;
};

} // namespace headroom::config
