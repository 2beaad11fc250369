// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Numbers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Text of quantities for people: on the screen, in sentences, reports and figures. Each kind of text has one function
/// here, so that a quantity reads the same everywhere. All are the same in every locale; digits follow
/// core/base/Numbers.h.
///
/// A quantity known to be zero is written as a zero with its unit ("0 B", "0 %"). A quantity that is unknown or does
/// not apply is kUnknownCell in a cell, and words ("not known") in a sentence.
namespace headroom {

inline constexpr const char* kUnknownCell = "-";

// Sizes.

/// A binary unit in which people read bytes.
struct SizeUnit {
    Bytes bytes = 1;
    std::string name = "B";
    int decimals = 0; ///< in columns and tables

    double of(Bytes size) const { return static_cast<double>(size) / static_cast<double>(bytes); }
};

/// For a single amount: GiB from 0.1 GiB on, since it is compared with the memory of cards; below that MiB, KiB, B.
SizeUnit sizeUnitOf(Bytes bytes);
/// For an axis that begins at zero: the unit of the largest value, but at least KiB.
SizeUnit axisUnitFor(Bytes largest);
/// For a column, whose rows are compared with each other: the unit in which the largest is at least 1, or the next
/// finer one (with one decimal) if the smallest would be below 0.1. Three decimals otherwise.
SizeUnit columnUnitFor(const std::vector<std::optional<Bytes>>& amounts);

/// "10.8 GiB", "0.372 GiB", "86.4 MiB", "96 B"; "-1.50 GiB".
std::string sizeText(Bytes bytes);
/// "10.8": as sizeText, for a place that names the unit elsewhere.
std::string sizeIn(Bytes bytes, const SizeUnit& unit);
/// "96 MiB" for a requested size, usually a whole number of its unit; otherwise as sizeText.
std::string requestSizeText(Bytes bytes);
/// "9,663,676,416 bytes"
std::string exactSizeText(Bytes bytes);
/// "26.719": with the decimals of a column or table whose header names the unit; "" for an unknown amount.
std::string inUnit(std::optional<Bytes> bytes, const SizeUnit& unit);
/// "+0.250", "-3.000" in a column of differences.
std::string signedInUnit(Bytes difference, const SizeUnit& unit);
/// "+13.0 GiB", "-64.0 MiB"; "0 B" for zero.
std::string signedSizeText(Bytes difference);
/// "13.0 GiB more", "64.0 MiB less"; the difference must not be zero.
std::string moreOrLessText(Bytes difference);

// Shares and ratios: one decimal, so that the shares of one whole line up and add up.

/// Sentences call a value unchanged if it changes by less than this ratio.
inline constexpr double kLeastShownChange = 0.0005;

/// "64.2 %" for 0.642; "<0.1 %" for a share that would round to zero, "0 %" for zero.
std::string percentText(double ratio);
/// The same for a part of a whole; a part of an empty whole is "0 %".
std::string shareText(Bytes part, Bytes whole);
/// "+5.0 %", "-24.0 %" for a relative change; one digit below kLeastShownChange ("-0.03 %"), "0 %" for zero.
std::string signedPercentText(double change);
/// "99 %" for 0.996 of a task: in whole percents, and 100 only when it is done.
std::string progressText(double doneShare);

// Speeds.

enum class SpeedUnit { Steps, Samples, Tokens }; ///< per second

/// "steps/s", "samples/s", "tokens/s"
std::string speedUnitName(SpeedUnit unit);
/// "2.35 steps/s"
std::string speedText(double perSecond, SpeedUnit unit = SpeedUnit::Steps);
/// The same as a time: "0.425 s/step", "1.23 ms/step" below a tenth of a second; "" for a speed of zero.
std::string stepTimeText(double perSecond, SpeedUnit unit = SpeedUnit::Steps);
/// "2.35 steps/s (0.425 s/step)", for places with enough room.
std::string speedAndTimeText(double perSecond, SpeedUnit unit = SpeedUnit::Steps);

// Times.

struct TimeUnit {
    std::int64_t nanoseconds = 1'000'000;
    std::string name = "ms";

    double of(std::int64_t ns) const { return static_cast<double>(ns) / static_cast<double>(nanoseconds); }
};

/// s, ms or µs, chosen so that the longest time shown is at least two units (µs in any case).
TimeUnit timeUnitFor(std::int64_t longestNs);
/// "412 ms": a point in time or a duration in a trace.
std::string timeText(std::int64_t ns);
/// "< 0.1 s", "0.3 s", "42 s", "3 min 20 s", "2 h 5 min": how long something took that people waited for.
std::string durationText(double seconds);
/// "less than 1 s", "about 40 s", "about 12 min", "about 2 h 5 min": how long something is expected to take, no more
/// precise than an estimate can be.
std::string roughDurationText(double seconds);

// Counts.

/// "1.92 billion", "512"
std::string largeCountText(double count);
/// "65.1 TFLOP", "512 FLOP": with a decimal prefix.
std::string metricText(double amount, const std::string& unit);

} // namespace headroom
