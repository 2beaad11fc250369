// SPDX-License-Identifier: Apache-2.0
#include "app/worker/EventWriter.h"
#include "app/worker/RequestQueue.h"
#include "app/worker/TrialService.h"

#include "core/config/Installation.h"

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include <csignal>
#include <unistd.h>

namespace {

constexpr const char* kUsage =
    "headroom-worker runs trials for headroom: JSON requests on standard input, JSON events on standard output.\n"
    "It is started by headroom and takes no arguments except --help and --version.\n";

int serve()
{
    headroom::worker::EventWriter events;
    headroom::worker::RequestQueue requests(std::cin);
    headroom::worker::TrialService(requests, events).run();
    return 0;
}

int answerArgument(const std::string& argument)
{
    if (argument == "--help") {
        std::fputs(kUsage, stdout);
        return 0;
    }
    if (argument == "--version") {
        std::printf("headroom-worker %s\n", headroom::config::version().c_str());
        return 0;
    }
    std::fprintf(stderr, "headroom-worker: error: unknown argument \"%s\"\n%s", argument.c_str(), kUsage);
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN); // a parent that is gone is noticed as the end of input
    try {
        const int code = argc > 1 ? answerArgument(argv[1]) : serve();
        std::fflush(stdout);
        // LibTorch's own teardown is slow and has nothing left to do here.
        _exit(code);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "headroom-worker: error: %s\n", error.what());
        return 3;
    }
}
