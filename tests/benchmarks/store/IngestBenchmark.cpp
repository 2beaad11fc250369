// SPDX-License-Identifier: Apache-2.0
//
// How fast a trace is taken in, and beside it what SQLite itself takes for as many bytes or rows. Results stand in
// docs/measurements/trace-store.md.
#include "core/base/Wording.h"
#include "profiling/store/RecordTables.h"
#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/profiling/trace/pyramids/CategoryTrace.h"
#include "tests/support/TemporaryFolder.h"

#include <benchmark/benchmark.h>
#include <sqlite3.h>

namespace headroom::store {
namespace {

constexpr std::size_t kEvents = 2'000'000;
constexpr std::size_t kRecords = 300'000;
constexpr std::size_t kRecordsPerPart = 10'000;

void addOwners(SpoolWriter& spool)
{
    const auto owners = trace::testOwners();
    for (trace::OwnerId id = 0; id < owners.size(); ++id)
        spool.addOwner(id, owners[id]);
}

/// Records as a capture gives them: times rise, identifiers repeat, names are few and long.
trace::DeviceRecords capture(std::size_t memory, std::size_t kernels, std::size_t calls)
{
    std::mt19937_64 random(1);
    trace::DeviceRecords records;
    std::int64_t timeNs = 0;
    const auto tick = [&] { return timeNs += static_cast<std::int64_t>(random() % 2'000); };
    for (std::uint32_t i = 0; i < memory; ++i)
        records.memory.push_back({.timeNs = tick(),
            .address = 0x7f0000000000 + random() % (1U << 30U) * 512,
            .bytes = static_cast<Bytes>(random() % (64U << 20U)),
            .operation = 1 + i % 2,
            .kind = 3,
            .correlationId = i,
            .processId = 4'711,
            .contextId = 1,
            .programCounter = random() >> 17});
    for (std::uint32_t i = 0; i < kernels; ++i) {
        const std::int64_t begin = tick();
        records.kernels.push_back({.beginNs = begin,
            .endNs = begin + 900,
            .contextId = 1,
            .streamId = 7,
            .correlationId = i,
            .gridId = i,
            .gridX = 1'024,
            .gridY = 1,
            .gridZ = 1,
            .blockX = 256,
            .blockY = 1,
            .blockZ = 1,
            .registersPerThread = 40,
            .dynamicSharedBytes = 49'152,
            .executedSharedBytes = 65'536,
            .name = "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5arrayIPcLm"
                + std::to_string(random() % 200) + "EEEEviT0_T1_"});
    }
    for (std::uint32_t i = 0; i < calls; ++i) {
        const std::int64_t begin = tick();
        records.calls.push_back({.beginNs = begin,
            .endNs = begin + 300,
            .callbackId = 211,
            .name = i % 3 == 0 ? "cudaMalloc_v3020" : "cudaLaunchKernel_v7000",
            .processId = 4'711,
            .threadId = 4'712,
            .correlationId = i});
    }
    return records;
}

trace::DeviceRecords captureOf(const benchmark::State& state)
{
    return capture(
        state.range(0) == 0 ? kRecords : 0, state.range(0) == 1 ? kRecords : 0, state.range(0) == 2 ? kRecords : 0);
}

void nameKind(benchmark::State& state)
{
    const char* const kinds[] = {"memory records", "kernels", "API calls"};
    state.SetLabel(kinds[state.range(0)]);
}

void count(benchmark::State& state, std::size_t perIteration)
{
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(perIteration));
}

// Events with owners.

void encodeBlock(benchmark::State& state)
{
    const auto events = trace::ownedTrace(trace::kMaxBlockEvents);
    for ([[maybe_unused]] const auto iteration : state)
        benchmark::DoNotOptimize(trace::encodeEventBlock(events, {}));
    count(state, events.size());
}
BENCHMARK(encodeBlock)->Unit(benchmark::kMillisecond);

void writeEvents(benchmark::State& state)
{
    const TemporaryFolder folder;
    const auto events = trace::ownedTrace(kEvents);
    for ([[maybe_unused]] const auto iteration : state) {
        SpoolWriter spool(folder.file("spool"));
        addOwners(spool);
        for (std::size_t i = 0; i < events.size(); i += 4'096)
            spool.append("device", std::span(events).subspan(i, std::min<std::size_t>(4'096, events.size() - i)));
        spool.finish();
        std::filesystem::remove(folder.file("spool"));
    }
    count(state, events.size());
}
BENCHMARK(writeEvents)->Unit(benchmark::kMillisecond);

// The same bytes in the same number of rows, by SQLite alone.
void writeAsManyBytes(benchmark::State& state)
{
    const TemporaryFolder folder;
    const auto block = trace::encodeEventBlock(trace::ownedTrace(trace::kMaxBlockEvents), {});
    const std::size_t blocks = kEvents / trace::kMaxBlockEvents + 1;
    for ([[maybe_unused]] const auto iteration : state) {
        {
            SqliteFile file(folder.file("raw"), Access::Create, spoolSchema(), kDefaultBusyTimeout);
            for (std::size_t i = 0; i < blocks; ++i)
                insertEventBlock(file, 0, "device", static_cast<std::int64_t>(i), {}, block);
        }
        std::filesystem::remove(folder.file("raw"));
    }
    count(state, blocks * trace::kMaxBlockEvents);
}
BENCHMARK(writeAsManyBytes)->Unit(benchmark::kMillisecond);

// Records.

void writeRecords(benchmark::State& state)
{
    const TemporaryFolder folder;
    const trace::DeviceRecords all = captureOf(state);
    std::vector<trace::DeviceRecords> parts(kRecords / kRecordsPerPart);
    eachRecordTable([&](auto table) {
        const auto list = decltype(table)::kList;
        for (std::size_t i = 0; i < (all.*list).size(); ++i)
            (parts[i / kRecordsPerPart].*list).push_back((all.*list)[i]);
    });
    for ([[maybe_unused]] const auto iteration : state) {
        SpoolWriter spool(folder.file("spool"));
        for (const trace::DeviceRecords& part : parts)
            spool.addRecords(part);
        spool.finish();
        std::filesystem::remove(folder.file("spool"));
    }
    nameKind(state);
    count(state, kRecords);
}
BENCHMARK(writeRecords)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

/// One prepared statement run again and again, `rowsAtOnce` rows each: as much as SQLite alone can do.
template <typename Table>
void insertPlainly(SqliteFile& file, const std::vector<typename Table::R>& records, std::size_t rowsAtOnce)
{
    const auto names = columnNames<Table>();
    const std::string row = "(" + joined(std::vector<std::string>(names.size(), "?")) + ")";
    SQLite::Statement insert(file.database(),
        std::string("INSERT INTO ") + Table::kName + " (" + joined(names) + ") VALUES "
            + joined(std::vector<std::string>(rowsAtOnce, row)));
    for (std::size_t i = 0; i < records.size(); i += rowsAtOnce) {
        if (i % kRecordsPerPart == 0)
            file.execute("BEGIN");
        int index = 0;
        for (std::size_t k = i; k < i + rowsAtOnce; ++k) {
            const auto bind = [&](const auto& value) {
                if constexpr (requires { value.size(); })
                    insert.bind(++index, std::int64_t{0});
                else
                    insert.bind(++index, static_cast<std::int64_t>(value));
            };
            bind(0);
            bind(k);
            std::apply([&](const auto&... column) { (bind(records[k].*column.member), ...); }, Table::kColumns);
        }
        insert.exec();
        insert.reset();
        if ((i + rowsAtOnce) % kRecordsPerPart == 0)
            file.execute("COMMIT");
    }
}

void insertRecordsByPlainSql(benchmark::State& state)
{
    const TemporaryFolder folder;
    const trace::DeviceRecords all = captureOf(state);
    const auto rowsAtOnce = static_cast<std::size_t>(state.range(1));
    for ([[maybe_unused]] const auto iteration : state) {
        {
            SqliteFile file(folder.file("raw"), Access::Create, spoolSchema(), kDefaultBusyTimeout);
            insertPlainly<RecordTable<trace::DeviceMemoryRecord>>(file, all.memory, rowsAtOnce);
            insertPlainly<RecordTable<trace::KernelRecord>>(file, all.kernels, rowsAtOnce);
            insertPlainly<RecordTable<trace::ApiRecord>>(file, all.calls, rowsAtOnce);
        }
        std::filesystem::remove(folder.file("raw"));
    }
    nameKind(state);
    count(state, kRecords);
}
BENCHMARK(insertRecordsByPlainSql)->ArgsProduct({{0, 1, 2}, {1, 25}})->Unit(benchmark::kMillisecond);

// The import of both.

std::int64_t addTrial(Workspace& workspace)
{
    return workspace.addTrials(workspace.addExperiment({.name = "benchmark"}), std::vector{TrialRow{.trialId = "t"}})
        .front();
}

void importRecords(benchmark::State& state)
{
    const TemporaryFolder folder;
    {
        SpoolWriter spool(folder.file("spool"));
        spool.addRecords(captureOf(state));
        spool.finish();
    }
    Workspace workspace = Workspace::open(folder.file("w.db"), Access::Create);
    RepeatImport source;
    source.repeat.trial = addTrial(workspace);
    source.spool = folder.file("spool");
    for ([[maybe_unused]] const auto iteration : state) {
        workspace.importRepeat(source);
        ++source.repeat.repeatIndex;
    }
    nameKind(state);
    count(state, kRecords);
}
BENCHMARK(importRecords)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void importEvents(benchmark::State& state)
{
    const TemporaryFolder folder;
    {
        SpoolWriter spool(folder.file("spool"));
        addOwners(spool);
        spool.append("device", trace::ownedTrace(kEvents));
        spool.finish();
    }
    Workspace workspace = Workspace::open(folder.file("w.db"), Access::Create);
    RepeatImport source;
    source.repeat.trial = addTrial(workspace);
    source.spool = folder.file("spool");
    for ([[maybe_unused]] const auto iteration : state) {
        workspace.importRepeat(source);
        ++source.repeat.repeatIndex;
    }
    count(state, kEvents);
}
BENCHMARK(importEvents)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace headroom::store
