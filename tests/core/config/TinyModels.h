// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Catalogue.h"

namespace headroom {

/// The smallest model of every family of the catalogue.
inline std::vector<std::string> tinyModels()
{
    std::vector<std::string> names;
    for (const std::string& name : config::modelNames())
        if (name.ends_with("-tiny"))
            names.push_back(name);
    return names;
}

} // namespace headroom
