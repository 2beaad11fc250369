// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/Model.h"
#include "core/techniques/ema/EmaModel.h"
#include "core/weights/ModelFolder.h"

namespace headroom::techniques {

/// Saves an EMA as diffusers' `save_pretrained` does: a model folder whose weights are the shadow, and whose config has
/// the seven scalars merged in (decay, min_decay, optimization_step, update_after_step, use_ema_warmup, inv_gamma,
/// power). `parameters` are those that the EMA follows; what else the model has is written as it is.
/// Throws FileError, and UsageError for a simulated model, which has no bytes.
void saveEma(const std::filesystem::path& folder, EmaModel& ema, const models::Model& model, const Tensors& parameters,
    const config::ValueMap& modelConfig, Bytes maxShardBytes = tensor::kDefaultShardBytes);

/// What loadEma found beside what it was looking for.
struct EmaFolderContents {
    config::ValueMap modelConfig; ///< without the seven scalars
    std::vector<std::string> unexpected; ///< weights that the model has no place for
};

/// Makes the EMA what the folder holds: shadow, and the scalars that its config has. Throws FileError for a folder that
/// cannot be read or lacks a parameter that the EMA follows, and for values out of their range; the EMA is then as it
/// was.
EmaFolderContents loadEma(
    const std::filesystem::path& folder, EmaModel& ema, const models::Model& model, const Tensors& parameters);

} // namespace headroom::techniques
