// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::confinement {

/// Local: those of this machine (AF_UNIX) alone, as drivers use them.
enum class Sockets { None, Local };

/// From now on this process can start no program, open no socket of another kind, and call nothing that changes
/// permissions and owners of files, other processes or the system. For good. Returns why that is not possible; empty
/// if it was done.
std::string restrictCalls(Sockets sockets);

} // namespace headroom::confinement
