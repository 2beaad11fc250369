// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

#include <string>

namespace headroom::archive {

/// Throws FileError for a model whose nodes cannot run one after the other: a value is read before it is made, or made
/// twice (a graph that leads in a circle is one of these), an output or a tensor of the signature does not exist; and
/// for tensors of more elements than a file system holds. `where` is the file and the place in it.
void requireSoundModel(const ExportedModel& model, const std::string& where);

/// Throws FileError for a size whose expression is not what the example had, or no size at all (a division by 0, a
/// negative one): nothing that follows from it could be trusted. Asks for the model's free dimensions.
void requireSoundSizes(const ExportedModel& model, const std::string& where);

} // namespace headroom::archive
