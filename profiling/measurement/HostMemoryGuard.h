// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <optional>

namespace headroom::collectors {

/// Memory that this process can still take without another one, or itself, being killed for it: what the kernel calls
/// available, within the limit of the control group; nothing where the system does not say.
std::optional<Bytes> availableHostBytes();

/// While it lives, this process maps no more than what is available when it is made: something of unknown size fails
/// instead of being killed.
class HostMemoryGuard {
public:
    HostMemoryGuard();
    ~HostMemoryGuard();
    HostMemoryGuard(const HostMemoryGuard&) = delete;
    HostMemoryGuard& operator=(const HostMemoryGuard&) = delete;

private:
    std::optional<Bytes> m_limitBefore; ///< none: nothing was changed
};

} // namespace headroom::collectors
