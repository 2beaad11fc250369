// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace headroom::rehearsal {

/// Ends the process with one sentence on the standard error: this library lives in processes of others, where an
/// exception has nobody to catch it.
[[noreturn]] void endProcess(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// The system refused to `what` ("reserve device memory") of so many bytes: ends the process and names the limits that
/// can refuse it, with their values. It is not the card that is full.
[[noreturn]] void endAtLimit(const char* what, std::size_t bytes);

} // namespace headroom::rehearsal
