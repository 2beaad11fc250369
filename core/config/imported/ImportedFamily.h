// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "core/config/ModelFamily.h"
#include "core/config/imported/ImportedFacts.h"

#include <memory>
#include <string>

namespace headroom::config {

/// The family of every model that was read from an archive; each archive is one model of a family of its own.
inline constexpr const char* kImportedFamily = "imported";
/// The field with the archive's absolute path.
inline constexpr const char* kArchiveField = "archive";
/// The field that says which modules are blocks: as archive::findBlocks has it; null: found by themselves.
inline constexpr const char* kBlocksField = "blocks";

/// "llama@0123456789abcdef": the file's name without its ending, and its content. Two files of equal content are one
/// model, and have equal ids.
std::string importedName(const archive::ExportedModel& model);
/// Whether a model's name has that form.
bool isImportedName(const std::string& name);
/// The part that says the content, with its "@".
std::string contentOf(const std::string& importedName);

/// Describes the model: free dimensions are its shapes, numbers of parameters, blocks and operations come from the
/// graph.
ModelFamily importedFamily(std::shared_ptr<const archive::ExportedModel> model);

/// What results say of the model with these fields and shapes.
ImportedFacts importedFacts(
    const ModelFamily& family, const archive::ExportedModel& model, const ValueMap& fields, const ValueMap& shapes);

/// Parameters that are tensors of their own.
std::int64_t ownParameters(const archive::ExportedModel& model);
/// The number format that most parameters have.
Dtype ownDtype(const archive::ExportedModel& model);
/// Paths of the modules that are a Linear: their node multiplies by their own weight.
std::vector<std::string> linearPaths(const archive::ExportedModel& model);

} // namespace headroom::config
