// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/Rehearsal.h"

#include "core/config/Installation.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;
using Variables = std::map<std::string, std::string>;

// What hubs and trackers of runs are asked to do without: their waiting for a network that is not there, and their
// remarks about it, help nobody.
constexpr auto kOffline = std::to_array<std::pair<const char*, const char*>>({
    {"HF_HUB_OFFLINE", "1"},
    {"HF_DATASETS_OFFLINE", "1"},
    {"TRANSFORMERS_OFFLINE", "1"},
    {"HF_HUB_DISABLE_TELEMETRY", "1"},
    {"WANDB_MODE", "disabled"},
    {"WANDB_DISABLED", "true"},
    {"COMET_MODE", "disabled"},
    {"CLEARML_OFFLINE_MODE", "1"},
    {"NEPTUNE_MODE", "debug"},
    {"SWANLAB_MODE", "disabled"},
    {"MLFLOW_TRACKING_URI", "file:///tmp/mlruns"},
    {"DISABLE_TELEMETRY", "1"},
});

std::string withUsersOwn(const std::string& ours, const char* variable)
{
    const char* const own = std::getenv(variable);
    return own != nullptr && *own != '\0' ? ours + ":" + own : ours;
}

Variables variablesFor(const RehearsalTerms& terms, const RehearsedCard& card)
{
    Variables all = card.sharedVariables();
    all["PYTHONPATH"] =
        withUsersOwn(fs::canonical(config::resourceDirectory() / "rehearsal" / "site").string(), "PYTHONPATH");
    all["HEADROOM_REHEARSAL"] = card.folder().string();
    all["HEADROOM_REHEARSAL_STEPS"] = std::to_string(terms.steps);
    all["HEADROOM_REHEARSAL_ASSUME"] = terms.assume;
    if (!terms.allocator.empty())
        all["HEADROOM_REHEARSAL_ALLOCATOR"] = terms.allocator;
    if (terms.timeout > std::chrono::nanoseconds::zero()) // on the monotonic clock, which processes share
        all["HEADROOM_REHEARSAL_DEADLINE"] = std::to_string(
            std::chrono::duration<double>((std::chrono::steady_clock::now() + terms.timeout).time_since_epoch())
                .count());
    if (terms.network == CommandTerms::Network::Loopback)
        all.insert(kOffline.begin(), kOffline.end());
    return all;
}

CommandTerms commandTerms(const RehearsalTerms& terms, const RehearsedCard& card)
{
    CommandTerms command;
    command.command = terms.command;
    command.variables = variablesFor(terms, card);
    command.folder = card.folder();
    command.writes = terms.writes;
    command.network = terms.network;
    command.timeout = terms.timeout;
    return command;
}

} // namespace

const ProcessRecords* RehearsedRun::main() const
{
    const ProcessRecords* most = nullptr;
    for (const ProcessRecords& process : processes)
        if (process.usesDevice && (most == nullptr || process.mostReserved() > most->mostReserved()))
            most = &process;
    return most;
}

std::optional<Bytes> RehearsedRun::mostTaken() const
{
    const auto most = std::ranges::max_element(taken.mostBytes);
    return most == taken.mostBytes.end() || *most == 0 ? std::nullopt : std::optional(*most);
}

const RecordedProblem* RehearsedRun::problem() const
{
    const auto found =
        std::ranges::find_if(processes, [](const ProcessRecords& process) { return process.problem.has_value(); });
    return found == processes.end() ? nullptr : &*found->problem;
}

RehearsedRun runRehearsed(const RehearsalTerms& terms, RehearsedCard::Capacity capacity, const std::stop_token& stop)
{
    RehearsedRun run;
    const auto card = std::make_shared<const RehearsedCard>(
        terms.device, RehearsedCard::Terms{.capacity = capacity, .count = terms.cards});
    fs::create_directory(card->folder() / "records");
    fs::create_directory(card->folder() / "snapshots");
    RecordWatch watch(card->folder());
    IsolatedCommand command(commandTerms(terms, *card));
    run.end = command.wait([&] { return stop.stop_requested() || watch.isAllDone(); });
    run.processes = readRecords(card->folder());
    run.ledger = card->ledger();
    run.taken = card->taken();
    run.card = card;
    return run;
}

} // namespace headroom::experiments
