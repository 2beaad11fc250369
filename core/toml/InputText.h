// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace headroom {

/// Most bytes of a file that a person has written.
inline constexpr std::size_t kLargestInput = std::size_t{64} << 20;

/// For how long the writer of a pipe may say nothing: one that computes what it writes takes its time.
inline constexpr std::chrono::seconds kWriterMayBeSilent{60};

/// What a file says, to its end. It may be a pipe, as `<(command)` is one: that is waited for as long as somebody
/// writes, with pauses of `patience` at most. Throws FileError "`what` cannot be read" with the reason and `valid`: for
/// what is not there, folders and devices, a pipe that nobody writes to, and for more than kLargestInput.
std::string readInputText(const std::filesystem::path& file, const std::string& what, const std::string& valid,
    std::chrono::milliseconds patience = kWriterMayBeSilent);

} // namespace headroom
