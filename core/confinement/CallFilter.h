// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

namespace headroom::confinement {

/// Local: those of this machine (AF_UNIX) alone, as drivers use them.
enum class Sockets { None, Local };

/// From now on this process can start no program, open no socket of another kind, and call nothing that changes
/// permissions and owners of files, other processes or the system. For good. Returns why that is not possible; empty
/// if it was done.
std::string restrictCalls(Sockets sockets);

/// Sockets of this machine (AF_UNIX) and of its kernel (AF_NETLINK) alone, without anything else being refused but
/// calls that such a filter does not see. Made by one process, entered by another, as a LandlockDomain is.
class SocketFilter {
public:
    SocketFilter();

    /// For this thread and those that it starts, for good. Whether it was done; errno says why not.
    bool enter() const noexcept;

private:
    std::vector<sock_filter> m_lines;
};

} // namespace headroom::confinement
