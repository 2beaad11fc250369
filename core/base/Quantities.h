// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <string>

namespace headroom::config {

/// "10.8", "0.0452", "12345" for three digits: at least so many significant ones, never an exponent where people would
/// not write one.
std::string significant(double value, int digits);

/// A binary unit in which people are told amounts.
struct SizeUnit {
    Bytes bytes = 1;
    const char* name = "B";
};

/// GiB from a tenth of one on, as the cards are that an amount is compared with; else MiB, KiB, B.
SizeUnit sizeUnitOf(Bytes bytes);

/// "10.8": three digits in the unit, which is named elsewhere.
std::string sizeIn(Bytes bytes, const SizeUnit& unit);

/// "10.8 GiB", "0.372 GiB", "86.4 MiB", "96 B": how people are told an amount of memory, on the screen and in
/// sentences, so that one amount reads the same everywhere.
std::string sizeText(Bytes bytes);

/// "2.35 it/s": how people are told a speed in steps.
std::string rateText(double stepsPerSecond);

} // namespace headroom::config
