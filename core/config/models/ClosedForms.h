// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"

#include <cstdint>

namespace headroom::config {

/// The integer of that name.
std::int64_t integerOf(const ValueMap& map, const char* name);

/// Parameters of a Linear: weight, and bias where it has one.
std::int64_t linearParameters(std::int64_t in, std::int64_t out, bool bias = true);

/// Floating-point operations (2 per multiply-add) of a product of [rows, in] and [in, out].
double productFlops(std::int64_t rows, std::int64_t in, std::int64_t out);

/// A field that counts something. The upper end keeps every count of parameters, bytes and tokens far inside 64 bits.
Field countField(
    const char* name, std::int64_t value, const char* help, std::int64_t maximum, std::int64_t minimum = 1);

/// The same, null by default.
Field optionalCountField(const char* name, const char* help, std::int64_t maximum);

/// A number within bounds, both of which are valid.
Field realField(const char* name, double value, const char* help, double minimum, double maximum);

Field flagField(const char* name, bool value, const char* help);

} // namespace headroom::config
