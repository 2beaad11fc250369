// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace headroom::rehearsal {

/// What a rehearsal has to tell those who judge it: lines of JSON in the file that HEADROOM_CARD_LEDGER names, each
/// written with one write() so that processes of one rehearsal can share it, and lost with nothing else when a process
/// is killed. Without the variable nothing is written. All functions may be called from any thread.

/// A function that this card cannot answer was called. Its caller got the library's "not supported".
/// `function` is the exported name: "cusolverDnXgesvdp".
/// It is told once a function on the standard error too.
void noteRefused(const char* function);

/// The real library would take memory here that cannot be known without a card, somewhere between `low` and `high`
/// bytes.
void noteNotCounted(const char* library, const char* function, std::size_t low, std::size_t high);

/// `function` gave `bytes` to the host that no kernel has computed: zeros. What depends on them is a guess.
void noteUnknownRead(const char* function, std::size_t bytes);

} // namespace headroom::rehearsal
