// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"
#include "core/config/Problem.h"

#include <cstdint>

namespace headroom::config {

/// The integer of that name.
std::int64_t integerOf(const ValueMap& map, const char* name);

/// "NAME = VALUE" followed by `rest`: a problem with that field of a model.
Problem fieldProblem(const ValueMap& fields, const char* name, const std::string& rest, const std::string& valid = {});

/// The same for one of the shapes.
Problem shapeProblem(const ValueMap& shapes, const char* name, const std::string& rest, const std::string& valid = {});

/// If an extent is not `offset` (0 or 1) more than a multiple of `step`: adds that problem, with the nearest valid
/// extents.
void requireStep(
    const ValueMap& shapes, const char* name, std::int64_t step, std::int64_t offset, std::vector<Problem>& problems);

/// Parameters of a Linear: weight, and bias where it has one.
std::int64_t linearParameters(std::int64_t in, std::int64_t out, bool bias = true);

/// Floating-point operations (2 per multiply-add) of a product of [rows, in] and [in, out].
double productFlops(std::int64_t rows, std::int64_t in, std::int64_t out);

/// A field that counts something. The upper limit keeps all counts of parameters, bytes and tokens far inside 64 bits.
Field countField(
    const char* name, std::int64_t value, const char* help, std::int64_t maximum, std::int64_t minimum = 1);

/// The same, null by default.
Field optionalCountField(const char* name, const char* help, std::int64_t maximum);

/// A number within inclusive bounds.
Field realField(const char* name, double value, const char* help, double minimum, double maximum);

Field flagField(const char* name, bool value, const char* help);

} // namespace headroom::config
