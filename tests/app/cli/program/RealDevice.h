// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"
#include "experiments/run/WorkerSession.h"
#include "tests/app/cli/program/Program.h"
#include "tests/support/TestDeviceName.h"

#include <cstdlib>
#include <filesystem>

namespace headroom::cli {

/// The program with headroom-worker itself, on the test device (HEADROOM_TEST_DEVICE; else cpu). The tests skip, with
/// the reason, where the worker cannot use it.
class RealDevice : public Program {
protected:
    void SetUp() override
    {
        if (worker().empty())
            GTEST_SKIP() << "headroom-worker is not part of this build";
        setVariable("HEADROOM_WORKER", worker().string());
        if (const std::string reason = whyUnusable(); !reason.empty())
            GTEST_SKIP() << device() << ": " << reason;
    }

    static std::string device() { return testDeviceName(); }

    /// Where it was built, or else the one that the environment names; empty: there is none.
    static std::filesystem::path worker()
    {
#ifdef REAL_WORKER
        if (std::filesystem::exists(REAL_WORKER))
            return REAL_WORKER;
#endif
        const char* const named = std::getenv("HEADROOM_WORKER");
        return named == nullptr ? "" : named;
    }

private:
    static std::string whyUnusable()
    {
        if (!device().starts_with("cuda"))
            return {};
        const protocol::WorkerDescription description = experiments::describeWorker(worker());
        return description.cudaUsable.value_or(false) ? "" : description.cudaReason;
    }
};

} // namespace headroom::cli
