// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace headroom {

/// How a repeat or a trial ended. NotRun applies to trials only: the trial was planned but has not been reached.
enum class Outcome { Completed, OutOfMemory, Failed, TimedOut, Cancelled, Skipped, NotRun };

/// All of them, in the order in which summaries count them.
inline constexpr std::array kOutcomes{Outcome::Completed, Outcome::OutOfMemory, Outcome::Failed, Outcome::TimedOut,
    Outcome::Cancelled, Outcome::Skipped, Outcome::NotRun};

/// The contract's word: "out_of_memory". `inWords` turns it into words for people.
const char* toText(Outcome outcome);

/// The reverse; nothing for an unknown word.
std::optional<Outcome> findOutcome(std::string_view text);

/// The outcomes that a repeat can have, as error messages list them: "completed, out_of_memory, ...".
const char* repeatOutcomes();

/// The outcome of a repeat; nothing for any other word, "not_run" included.
std::optional<Outcome> findRepeatOutcome(std::string_view text);

} // namespace headroom
