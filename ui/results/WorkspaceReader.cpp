// SPDX-License-Identifier: Apache-2.0
#include "ui/results/WorkspaceReader.h"

#include "core/base/Error.h"
#include "core/base/FreedMemory.h"
#include "core/base/Wording.h"
#include "core/config/Installation.h"
#include "core/config/imported/ShownModelName.h"
#include "experiments/report/reading/ReportReader.h"
#include "experiments/report/reading/SeveralExperiments.h"
#include "profiling/store/StoreErrors.h"

#include <algorithm>

namespace headroom::ui {
namespace {

namespace fs = std::filesystem;

constexpr Bytes kMostFreedMemory = 16 * kMiB;

QString namesText(const std::set<std::string>& names)
{
    return QString::fromStdString(joined({names.begin(), names.end()}));
}

QString outcomesText(const store::ExperimentTally& tally)
{
    std::vector<std::pair<std::int64_t, std::string>> counts;
    for (const auto& [outcome, count] : tally.outcomes)
        counts.emplace_back(count, headroom::inWords(toText(outcome)));
    return QString::fromStdString(tallied(counts));
}

report::RunState stateOf(const store::ExperimentRow& row)
{
    if (!row.summaryJson)
        return report::RunState::Open;
    const auto summary = experiments::OrderedJson::parse(*row.summaryJson, nullptr, false);
    const bool isInterrupted = summary.is_object() && summary.value("interrupted", false);
    return isInterrupted ? report::RunState::Interrupted : report::RunState::Finished;
}

ExperimentEntry entryOf(const store::ExperimentRow& row, const store::ExperimentTally& tally)
{
    ExperimentEntry entry;
    entry.id = row.id;
    entry.name = QString::fromStdString(row.name);
    entry.startedAt = QDateTime::fromMSecsSinceEpoch(row.createdAt.time_since_epoch().count());
    std::set<std::string> models;
    for (const std::string& model : tally.models)
        models.insert(config::shownModelName(model));
    entry.models = namesText(models);
    entry.devices = namesText(tally.devices);
    entry.trials = tally.trials;
    entry.reached = tally.reached;
    entry.outcomes = outcomesText(tally);
    entry.hasFailures = tally.outcomes.contains(Outcome::Failed) || tally.outcomes.contains(Outcome::TimedOut);
    entry.state = stateOf(row);
    return entry;
}

Experiments entriesOf(store::Workspace& workspace, const std::vector<store::ExperimentRow>& rows)
{
    std::map<std::int64_t, store::ExperimentTally> tallies = workspace.tallies();
    auto entries = std::make_shared<std::vector<ExperimentEntry>>();
    for (const store::ExperimentRow& row : rows)
        entries->push_back(entryOf(row, tallies[row.id]));
    return entries;
}

} // namespace

void WorkspaceReader::open(const fs::path& path)
{
    store::Workspace opened = experiments::openForReading(path);
    m_workspace.reset();
    m_workspace.emplace(std::move(opened));
    m_path = path;
    m_file = store::fileIdOf(path);
    ++m_connection;
}

bool WorkspaceReader::isInPlace() const
{
    return m_file && store::fileIdOf(m_path) == m_file;
}

void WorkspaceReader::create(const fs::path& path)
{
    if (fs::exists(path))
        throw FileError("there is a file of this name already", path.string(), "another name, or opening that file");
    store::Workspace::open(path, store::Access::Create);
    open(path);
}

void WorkspaceReader::openOrCreate(const fs::path& path)
{
    if (fs::exists(path))
        return open(path);
    std::error_code failure; // creating the file reports a folder that cannot be created
    fs::create_directories(path.parent_path(), failure);
    create(path);
}

void WorkspaceReader::close()
{
    m_workspace.reset();
    m_path.clear();
}

std::optional<WorkspaceContent> WorkspaceReader::read(const Wanted& wanted, const ReadMark& known)
{
    if (m_path.empty())
        return std::nullopt;
    if (!store::fileIdOf(m_path))
        throw store::DisplacedFileError("the workspace was deleted or moved while it was open", m_path.string(),
            "the file back in its place, or another one");
    if (!m_workspace || !isInPlace())
        open(fs::path(m_path));
    const ReadMark mark{m_connection, m_workspace->dataVersion(), wanted};
    if (mark == known)
        return std::nullopt;
    const std::vector<store::ExperimentRow> rows = m_workspace->experiments();
    WorkspaceContent content{mark, entriesOf(*m_workspace, rows), resultsOf(rows, wanted),
        std::make_shared<const std::map<std::string, double>>(m_workspace->repeatSeconds())};
    returnFreedMemory(kMostFreedMemory); // records are many times as large as what is kept of them
    return content;
}

std::string WorkspaceReader::copyTo(const fs::path& target)
{
    if (m_path.empty())
        return {};
    const store::RepairReport copied =
        !m_workspace || isInPlace() ? store::repairWorkspace(m_path, target) : m_workspace->copyTo(target);
    std::string words = counted(copied.copied(), "row");
    return copied.lost() == 0 ? words : words + ", " + std::to_string(copied.lost()) + " at least are lost";
}

experiments::DeletedTrials WorkspaceReader::deleteTrials(
    std::int64_t experiment, const std::set<std::string>& trialIds) const
{
    return experiments::deleteTrials(m_path, experiment, trialIds);
}

report::ReportContent WorkspaceReader::contentOf(const std::vector<store::ExperimentRow>& rows, std::int64_t experiment)
{
    const auto row = std::ranges::find(rows, experiment, &store::ExperimentRow::id);
    if (row == rows.end())
        throw FileError("the workspace has no experiment " + std::to_string(experiment), m_workspace->path().string());
    if (!m_deviceFit)
        m_deviceFit.emplace(config::resourceDirectory());
    return report::readReport(*m_workspace, *row, *m_deviceFit, report::Identity::Shown, report::Extent::Results);
}

Results WorkspaceReader::resultsOf(const std::vector<store::ExperimentRow>& rows, const Wanted& wanted)
{
    std::vector<std::int64_t> numbers = wanted.experiments;
    if (numbers.empty() && !rows.empty())
        numbers.push_back(rows.front().id);
    if (numbers.empty())
        return nullptr;
    std::vector<report::ReportContent> contents;
    for (const std::int64_t number : numbers)
        contents.push_back(contentOf(rows, number));
    return std::make_shared<const ResultSet>(
        m_workspace->path().string(), report::together(std::move(contents)), wanted.references);
}

} // namespace headroom::ui
