// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/WorkerAnswer.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/run/RehearsedCard.h"
#include "experiments/run/WorkerSession.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

namespace headroom::cli {

namespace {

constexpr std::chrono::duration<double> kPatience = std::chrono::seconds(30);
constexpr const char* kAnyCard = "h100-80gb"; ///< to ask whether there can be one

} // namespace

WorkerAnswer askWorker()
{
    try {
        return {experiments::describeWorker(config::workerProgram(), {.timeout = kPatience, .stop = {}}), ""};
    } catch (const Error& error) {
        return {std::nullopt, error.what()};
    }
}

std::string rehearsalProblem()
{
    try {
        const simulator::ProfileCatalogue profiles(config::resourceDirectory());
        const experiments::RehearsedCard card(profiles.device(kAnyCard), experiments::RehearsedCard::Terms{});
        experiments::WorkerSession session(config::workerProgram(), {}, card.surroundings());
        return session.describe({.timeout = kPatience, .stop = {}}).cudaReason;
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace headroom::cli
