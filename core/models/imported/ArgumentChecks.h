// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/imported/GraphProgram.h"

namespace headroom::models {

/// Throws TrialError for a list that is shorter or longer than its operator takes it to be: "int[2] padding" is one for
/// each dimension, or one for all. Some of LibTorch's kernels read as many as they need, whatever there is.
void requireWholeList(const ProgramArgument& argument, const c10::Argument& wanted, const archive::Node& source);

/// What is checked of the arguments of a known operator before it runs; null for all but a few of them.
ArgumentCheck argumentCheckOf(const c10::FunctionSchema& schema);

} // namespace headroom::models
