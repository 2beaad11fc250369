// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <optional>

namespace headroom::collectors {

/// Memory that can still be allocated without this process or another one being killed for it: what the kernel reports
/// as available, within the limit of the control group; nullopt where the system does not report it.
std::optional<Bytes> availableHostBytes();

/// During its lifetime this process cannot map more than was available at construction: work of unknown size fails
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
