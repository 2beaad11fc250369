// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/imported/GraphProgram.h"

namespace headroom::models {

/// What is checked of the arguments of a known operator before it runs; null for all but a few of them.
ArgumentCheck argumentCheckOf(const c10::FunctionSchema& schema);

} // namespace headroom::models
