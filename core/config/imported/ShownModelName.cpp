// SPDX-License-Identifier: Apache-2.0
#include "core/config/imported/ShownModelName.h"

#include "core/config/imported/ImportedFamily.h"

namespace headroom::config {

std::string shownModelName(const std::string& name)
{
    return isImportedName(name) ? name.substr(0, name.rfind('@')) : name;
}

} // namespace headroom::config
