// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <optional>

namespace headroom::collectors {

/// Resident memory of this process as the kernel accounts for it (Linux, /proc/self); nullopt where it does not.
std::optional<Bytes> residentBytes();
std::optional<Bytes> peakResidentBytes();
/// The same as residentBytes() in a tenth of the time, from a counter that may lag by some pages per thread; for
/// samples.
std::optional<Bytes> sampledResidentBytes();
/// Resets the peak to the present figure. Where the kernel refuses, the peak is that of the whole run.
void resetPeakResident();

/// Address space of this process.
std::optional<Bytes> addressSpaceBytes();
/// Lets this process map at most `bytes` from now on (RLIMIT_AS), which also stops memory that an allocator's own limit
/// does not see. Throws TrialError when the system refuses.
void limitAddressSpace(Bytes bytes);

} // namespace headroom::collectors
