// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/isolation/CommandTerms.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::experiments {

struct CommandEnd {
    int exitCode = 0; ///< as a shell has it: 128 and the signal that ended it
    bool timedOut = false;
    bool stopped = false;
    std::string isolation{}; ///< "overlay"; "landlock": it could write in few places alone; "none": everywhere
    std::vector<std::string> lacking{}; ///< what it was not kept from, or kept from beyond its terms, with the reason
};

/// A command that runs from the beginning of this object to its end. Its standard output is our standard error, its
/// standard input is ours. It gains no rights by starting programs. Nothing that descends from it outlives it, the
/// object, or this process, however that ends.
///
/// Several may be there at once, of several threads; each has an overlay and a network of its own.
class IsolatedCommand {
public:
    /// Throws UsageError where it cannot be kept to its terms here, or there is no such program: nothing was started.
    explicit IsolatedCommand(CommandTerms terms);
    ~IsolatedCommand();
    IsolatedCommand(const IsolatedCommand&) = delete;
    IsolatedCommand& operator=(const IsolatedCommand&) = delete;

    /// Waits until all is over. Asks `shallEnd` some 20 ms apart: true ends it now.
    CommandEnd wait(const std::function<bool()>& shallEnd);

private:
    class Run;
    std::unique_ptr<Run> m_run;
};

} // namespace headroom::experiments
