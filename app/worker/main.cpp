// SPDX-License-Identifier: Apache-2.0
#include "app/worker/EventWriter.h"
#include "app/worker/RequestQueue.h"
#include "app/worker/TrialService.h"
#include "app/worker/WorkerRules.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <csignal>
#include <unistd.h>

namespace {

constexpr const char* kUsage =
    "headroom-worker runs trials for headroom: JSON requests on standard input, JSON events on standard output.\n"
    "It is started by headroom, which tells it what it may do: --read PATH (files, or folders with all in them),\n"
    "--spool FOLDER (where it may write), --gpu. It gives up everything else.\n";

// Before anything else: what comes from strangers is not looked at with rights that nobody needs for it.
int serve(const std::vector<std::string>& arguments)
{
    headroom::confinement::Confinement confinement =
        headroom::worker::confineTo(headroom::protocol::rightsFromArguments(arguments));
    headroom::worker::EventWriter events;
    headroom::worker::RequestQueue requests(std::cin);
    headroom::worker::TrialService(requests, events, std::move(confinement)).run();
    return 0;
}

int answer(const std::vector<std::string>& arguments)
{
    if (arguments == std::vector<std::string>{"--help"})
        std::fputs(kUsage, stdout);
    else if (arguments == std::vector<std::string>{"--version"})
        std::printf("headroom-worker %s\n", headroom::config::version().c_str());
    else
        return serve(arguments);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN); // a parent that is gone is noticed as the end of input
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a full disk
    try {
        const int code = answer({argv + 1, argv + argc});
        std::fflush(stdout);
        // LibTorch's own teardown is slow and has nothing left to do here.
        _exit(code);
    } catch (const headroom::UsageError& error) {
        std::fprintf(stderr, "headroom-worker: error: %s\n%s", error.what(), kUsage);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "headroom-worker: error: %s\n", error.what());
        return 3;
    }
}
