// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/ui/LongTrace.h"

#include "experiments/archive/ExperimentArchive.h"
#include "experiments/archive/StoredExperiment.h"
#include "experiments/report/reading/ReportReader.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "experiments/verdict/DeviceFit.h"
#include "profiling/store/traces/SpoolWriter.h"

#include <filesystem>
#include <random>
#include <vector>

namespace headroom::ui {
namespace {

constexpr std::int64_t kEventsPerStep = 10'000;
constexpr std::int64_t kStepNs = 100'000'000;
constexpr int kLayers = 28;
constexpr trace::OwnerId kOwnersOfALayer = 5; ///< the last one owns what is given back at once

/// Owners of blocks, of several categories, modules and techniques: what is kept has one of a layer, what is not is a
/// temporary of it. The first is nobody.
std::vector<trace::MemoryOwner> ownersOfLayers()
{
    using config::MemoryCategory;
    std::vector<trace::MemoryOwner> owners{{}};
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::string module = "transformer_blocks." + std::to_string(layer);
        owners.push_back({MemoryCategory::SavedActivations, module + ".attn1", {}});
        owners.push_back({MemoryCategory::Gradients, module + ".ff", {}});
        owners.push_back({MemoryCategory::RecomputedActivations, module, "checkpointing"});
        owners.push_back({MemoryCategory::UpcastCopies, module + ".ff", "casting"});
        owners.push_back({MemoryCategory::Temporaries, module, {}});
    }
    return owners;
}

/// The events of one step: blocks of a forward pass, each with a temporary, that the backward pass gives back.
class StepWriter {
public:
    StepWriter(store::SpoolWriter& spool, Owners owners, unsigned seed)
        : m_spool(spool)
        , m_owners(owners)
        , m_random(seed)
    {
    }

    void write(std::int64_t step)
    {
        m_timeNs = step * kStepNs;
        m_events.clear();
        std::vector<trace::AllocatorEvent> held;
        for (std::int64_t i = 0; i < kEventsPerStep / 4; ++i) {
            const auto layer = static_cast<trace::OwnerId>(i * kLayers / (kEventsPerStep / 4));
            held.push_back(allocate(ownerOf(layer, static_cast<trace::OwnerId>(i % (kOwnersOfALayer - 1)))));
            release(allocate(ownerOf(layer, kOwnersOfALayer - 1)));
        }
        const std::int64_t middle = m_timeNs;
        for (; !held.empty(); held.pop_back())
            release(held.back());
        m_spool.append("device", m_events);
        m_spool.addPhase({"forward", step, step * kStepNs, middle});
        m_spool.addPhase({"backward", step, middle, m_timeNs + 1});
    }

private:
    trace::OwnerId ownerOf(trace::OwnerId layer, trace::OwnerId number) const
    {
        return m_owners == Owners::Named ? 1 + layer * kOwnersOfALayer + number : trace::kUnknownOwner;
    }

    trace::AllocatorEvent allocate(trace::OwnerId owner)
    {
        m_timeNs +=
            kStepNs / (kEventsPerStep + kEventsPerStep / 2) - 500 + static_cast<std::int64_t>(m_random() % 1'000);
        const Bytes bytes = 512 * (1 + static_cast<Bytes>(m_random() % 16'000));
        m_events.push_back({m_timeNs, m_address += 16'000'000, bytes, bytes, 0, trace::Action::Alloc, owner});
        return m_events.back();
    }

    void release(trace::AllocatorEvent event)
    {
        m_timeNs += kStepNs / (kEventsPerStep + kEventsPerStep / 2) - 500;
        event.timeNs = m_timeNs;
        event.action = trace::Action::FreeRequested;
        m_events.push_back(event);
    }

    store::SpoolWriter& m_spool;
    Owners m_owners;
    std::mt19937 m_random;
    std::vector<trace::AllocatorEvent> m_events;
    std::uint64_t m_address = 0;
    std::int64_t m_timeNs = 0;
};

protocol::RepeatResult completed()
{
    protocol::RepeatResult result;
    result.outcome = Outcome::Completed;
    result.stepSeconds = {0.1};
    return result;
}

} // namespace

LongTrace::LongTrace(std::int64_t events, Owners owners, int trials)
{
    std::string lengths;
    for (int trial = 0; trial < trials; ++trial)
        lengths += (trial == 0 ? "" : ", ") + std::to_string(8 * (trial + 1));
    const auto spec = experiments::loadSpecText("model.name = \"ffn-stack-tiny\"\n"
                                                "workload.sequence_length = ["
            + lengths + "]\n",
        "long.toml", {});
    const auto planned = experiments::expand(spec);
    experiments::ExperimentArchive archive(path());
    archive.begin(spec, planned, {}, "benchmark-timeline");
    const auto result = completed();
    for (int trial = 0; trial < trials; ++trial)
        archive.add(
            {static_cast<std::size_t>(trial), 0, result, {}, "{}", writeSpool(trial, events / kEventsPerStep, owners)});
    store::Workspace workspace = experiments::openForReading(path());
    experiments::DeviceFit fit({});
    m_results = std::make_shared<const ResultSet>(path(),
        report::readReport(
            workspace, experiments::chooseExperiment(workspace, "", "benchmark"), fit, report::Identity::Shown));
}

std::string LongTrace::path() const
{
    return m_folder.filePath(QStringLiteral("long.db")).toStdString();
}

std::int64_t LongTrace::fileBytes() const
{
    return static_cast<std::int64_t>(std::filesystem::file_size(path()));
}

std::string LongTrace::writeSpool(int trial, std::int64_t steps, Owners owners)
{
    const std::string spoolPath = m_folder.filePath(QStringLiteral("spool%1").arg(trial)).toStdString();
    store::SpoolWriter spool(spoolPath);
    if (owners == Owners::Named) {
        const auto named = ownersOfLayers();
        for (trace::OwnerId id = 1; id < named.size(); ++id)
            spool.addOwner(id, named[id]);
    }
    StepWriter writer(spool, owners, 7 + static_cast<unsigned>(trial));
    for (std::int64_t step = 0; step < steps; ++step)
        writer.write(step);
    spool.finish();
    m_events = steps * kEventsPerStep;
    return spoolPath;
}

} // namespace headroom::ui
