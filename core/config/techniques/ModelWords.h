// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

#include <string>

namespace headroom::config {

/// What messages call a model of the family: its name, which exported models (imported/ImportedFamily.h) have none of.
inline std::string calledModel(const ModelFamily& family)
{
    return family.name == "imported" ? "the exported model" : family.name;
}

} // namespace headroom::config
