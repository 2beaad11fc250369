// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/Rehearsal.h"

#include "core/config/Installation.h"

#include <algorithm>
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

// What a launcher with a process for each card tells it. For the ranks that are not there the rehearsal's Python
// answers (resources/rehearsal).
Variables variablesOf(const RankPlace& place, const RehearsalTerms& terms)
{
    const auto text = [](int number) { return std::to_string(number); };
    std::string rehearsed;
    for (const int rank : terms.ranks)
        rehearsed += (rehearsed.empty() ? "" : ",") + text(rank);
    const std::string rank = text(place.rank);
    const std::string node = text(place.rank / terms.cards);
    const std::string size = text(terms.worldSize());
    return {{"HEADROOM_REHEARSAL_RANK", rank}, {"HEADROOM_REHEARSAL_RANKS", rehearsed},
        {"HEADROOM_REHEARSAL_NODE_GPUS", text(terms.cards)}, {"HEADROOM_REHEARSAL_NODES", text(terms.nodes)},
        {"HEADROOM_REHEARSAL_MESSAGES", place.messages.string()}, {"RANK", rank},
        {"LOCAL_RANK", text(place.rank % terms.cards)}, {"WORLD_SIZE", size}, {"LOCAL_WORLD_SIZE", text(terms.cards)},
        {"NODE_RANK", node}, {"GROUP_RANK", node}, {"GROUP_WORLD_SIZE", text(terms.nodes)}, {"ROLE_RANK", rank},
        {"ROLE_WORLD_SIZE", size}, {"ROLE_NAME", "default"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", "29500"},
        {"TORCHELASTIC_RUN_ID", "none"}, {"TORCHELASTIC_RESTART_COUNT", "0"}, {"TORCHELASTIC_MAX_RESTARTS", "0"},
        {"TORCHELASTIC_USE_AGENT_STORE", "True"}};
}

Variables variablesFor(const RehearsalTerms& terms, const RehearsedCard& card, const std::optional<RankPlace>& place)
{
    Variables all = card.sharedVariables();
    all["PYTHONPATH"] =
        withUsersOwn(fs::canonical(config::resourceDirectory() / "rehearsal" / "site").string(), "PYTHONPATH");
    all["HEADROOM_REHEARSAL"] = card.folder().string();
    all["HEADROOM_REHEARSAL_STEPS"] = std::to_string(terms.steps);
    all["HEADROOM_REHEARSAL_ASSUME"] = terms.assume;
    if (!terms.allocator.empty())
        all["HEADROOM_REHEARSAL_ALLOCATOR"] = terms.allocator;
    if (terms.network == CommandTerms::Network::Loopback)
        all.insert(kOffline.begin(), kOffline.end());
    if (place)
        all.merge(variablesOf(*place, terms));
    return all;
}

CommandTerms commandTerms(const RehearsalTerms& terms, const RehearsedCard& card, const std::optional<RankPlace>& place)
{
    CommandTerms command;
    command.command = terms.command;
    command.variables = variablesFor(terms, card, place);
    command.folder = card.folder();
    command.writes = terms.writes;
    command.network = terms.network;
    command.timeout = terms.timeout;
    if (place)
        command.written.push_back(place->messages);
    return command;
}

/// Tells a watcher some ten times a second.
class Teller {
public:
    Teller(const RehearsalWatcher& watcher, const RehearsedCard& card, bool isUnlimited)
        : m_watcher(watcher)
        , m_card(card)
        , m_isUnlimited(isUnlimited)
    {
    }

    void tell(const LatestRecords& records)
    {
        const auto now = std::chrono::steady_clock::now();
        if (!m_watcher || now < m_next)
            return;
        m_next = now + kPause;
        const RehearsedCard::Taken taken = m_card.taken();
        m_watcher({std::chrono::duration<double>(now - m_begun).count(), m_isUnlimited,
            taken.nowBytes.empty() ? 0 : std::ranges::max(taken.nowBytes), records});
    }

private:
    static constexpr std::chrono::milliseconds kPause{100};
    const RehearsalWatcher& m_watcher;
    const RehearsedCard& m_card;
    bool m_isUnlimited;
    std::chrono::steady_clock::time_point m_begun = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_next = m_begun;
};

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

RehearsedRun runRehearsed(const RehearsalTerms& terms, RehearsedCard::Capacity capacity, const std::stop_token& stop,
    const RehearsalWatcher& watcher, const std::optional<RankPlace>& place)
{
    RehearsedRun run;
    if (place)
        run.rank = place->rank;
    const auto card = std::make_shared<const RehearsedCard>(
        terms.device, RehearsedCard::Terms{.capacity = capacity, .count = terms.cards});
    fs::create_directory(card->folder() / "records");
    fs::create_directory(card->folder() / "snapshots");
    RecordWatch watch(card->folder());
    Teller teller(watcher, *card, capacity == RehearsedCard::Capacity::Unlimited);
    IsolatedCommand command(commandTerms(terms, *card, place));
    run.end = command.wait([&] {
        const bool isAllDone = watch.isAllDone();
        teller.tell(watch.latest());
        return isAllDone || stop.stop_requested();
    });
    run.processes = readRecords(card->folder());
    run.ledger = card->ledger();
    run.taken = card->taken();
    run.card = card;
    return run;
}

} // namespace headroom::experiments
