// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/isolation/Launch.h"

#include <sys/types.h>

#include <array>
#include <cstddef>

namespace headroom::experiments {

// What forked processes use that must not allocate.

void report(int pipe, const LaunchReport& report);

/// Writes a text into a file that is there. False, with errno, where it cannot.
bool writeTo(const char* path, const char* text, std::size_t length);

/// "/proc/PROCESS/FILE".
class ProcessFile {
public:
    ProcessFile(pid_t process, const char* file);
    const char* path() const { return m_path; }

private:
    char m_path[64];
};

/// The parent of a process; 0: it is not there.
pid_t parentOf(pid_t process);

void killChildrenOf(pid_t parent);

/// Removes a folder with what is in it, and nothing that is mounted there. False: it is still there.
bool removeFolder(int parent, const char* name);

/// Closes everything from descriptor 3 on but these, of which some may be none.
void closeAllBut(std::array<int, 3> kept);

} // namespace headroom::experiments
