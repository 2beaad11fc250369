// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "core/config/ModelFamily.h"
#include "core/config/catalogue/Configuration.h"
#include "core/config/imported/ImportedFacts.h"

#include <filesystem>
#include <memory>
#include <string>

namespace headroom::config {

/// Reads an archive and makes it a model that findModel knows by the name returned. Throws FileError.
std::string importModel(const std::filesystem::path& archive);

/// Makes the model of a stored or transmitted configuration known: from the archive that its fields name, if that still
/// has the content of its name; else so that the configuration can be read, but not run, with the facts that were
/// stored with it. Never throws for the archive's sake.
void recallModel(
    const std::string& name, const ValueMap& fields, const ValueMap& shapes, const std::optional<ImportedFacts>& facts);

/// Null if no archive of this name was read, or it is gone. Valid as long as the process lives.
const ModelFamily* importedFamilyOf(const std::string& name);
/// The archive of a model's name; null if it is gone.
std::shared_ptr<const archive::ExportedModel> importedArchiveOf(const std::string& name);

/// What results say of a configuration's model; nothing for a model of the catalogue, and for one of which nothing is
/// known any more.
std::optional<ImportedFacts> importedFactsOf(const Configuration& configuration);

} // namespace headroom::config
