// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"

#include <map>
#include <string>

namespace headroom {

/// A technique's setting. Throws UsageError for an unknown technique or notation.
inline config::TechniqueSetting settingOf(
    const std::string& technique, const std::string& notation, const config::ValueMap& options = {})
{
    return config::makeSetting(config::findTechnique(technique, ""), notation, options, "techniques." + technique);
}

/// Sets one technique of a configuration; the others stay unchanged.
inline void choose(config::Configuration& configuration, const std::string& technique, const std::string& notation,
    const config::ValueMap& options = {})
{
    configuration.techniques[technique] = settingOf(technique, notation, options);
}

/// All fields of a model: the given ones, and defaults for the others.
inline config::ValueMap fieldsOf(const std::string& model, const config::ValueMap& given = {})
{
    return config::findModel(model, "").fields.complete(given, "model");
}

/// A model's workload: the given settings and shapes, and defaults for the others.
inline config::Workload workloadOf(const std::string& model, const config::ValueMap& given = {})
{
    return config::makeWorkload(given, config::findModel(model, "").shapes, "workload");
}

/// A model's configuration with notations by technique, fields and workload; the rest has its defaults.
inline config::Configuration configurationOf(const std::string& model,
    const std::map<std::string, std::string>& techniques = {}, const config::ValueMap& fields = {},
    const config::ValueMap& workload = {})
{
    config::Configuration configuration = config::defaultConfiguration(model, "");
    configuration.modelFields = fieldsOf(model, fields);
    configuration.workload = workloadOf(model, workload);
    for (const auto& [technique, notation] : techniques)
        choose(configuration, technique, notation);
    return configuration;
}

} // namespace headroom
