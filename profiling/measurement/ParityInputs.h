// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Upstream.h"
#include "core/models/Model.h"

namespace headroom::collectors {

/// Reads the inputs of a forward from a file of tensors, in the forms that the family's forward takes: activations in
/// the type of `options`, on its device; inputs read by the host in host memory. Throws FileError for a file that
/// cannot be read, that lacks an argument, or that has an argument which the forward of a model with these fields does
/// not take.
models::Inputs readParityInputs(const std::string& file, const config::UpstreamFamily& upstream,
    const config::ValueMap& fields, const at::TensorOptions& options);

} // namespace headroom::collectors
