// SPDX-License-Identifier: Apache-2.0
#include "ui/results/WorkspaceService.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "profiling/store/StoreErrors.h"

namespace headroom::ui {
namespace {

// People cannot follow more than a few changes a second.
constexpr qint64 kLeastPauseMs = 200;

QString sentence(const Error& error)
{
    QString text = QString::fromStdString(error.problem());
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    if (!error.where().empty())
        text += QStringLiteral(": ") + QString::fromStdString(error.where());
    if (!error.valid().empty())
        text += QStringLiteral(" (needed: ") + QString::fromStdString(error.valid()) + QLatin1Char(')');
    return text + QLatin1Char('.');
}

// Converts Headroom's errors to sentences at the boundary of the background job.
template <typename Body> auto saidInSentences(const Body& body)
{
    try {
        return body();
    } catch (const Error& error) {
        throw Error(sentence(error).toStdString());
    }
}

// Even if the file can no longer be read, the results that runs have in memory are saved.
QString copiedBy(WorkspaceReader& reader, const std::filesystem::path& file, const UnsavedRuns& runs)
{
    try {
        return QString::fromStdString(reader.copyTo(file));
    } catch (const FileError& error) {
        if (runs.empty() || std::filesystem::exists(file))
            throw;
        return QStringLiteral("nothing of the old file could be read: ") + QString::fromUtf8(error.what());
    }
}

QString savedBy(WorkspaceReader& reader, const std::filesystem::path& file, const UnsavedRuns& runs)
{
    QStringList what{copiedBy(reader, file, runs)};
    for (const auto& run : runs) {
        experiments::saveRun(*run, file);
        what += QString::fromStdString(
            counted(static_cast<std::int64_t>(run->repeats.size()), "finished repeat") + " of " + run->spec.name);
    }
    what.removeAll(QString());
    return what.join(QStringLiteral("; "));
}

} // namespace

WorkspaceService::WorkspaceService(QObject* parent)
    : QObject(parent)
    , m_reader(std::make_shared<WorkspaceReader>())
    , m_jobs(QStringLiteral("workspace"))
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_isDue)
            refresh();
    });
    // The connection is closed on the thread that used it.
    m_jobs.setCleanup([reader = m_reader] { reader->close(); });
}

WorkspaceService::~WorkspaceService() = default;

void WorkspaceService::open(const QString& path)
{
    beginOpening(path, &WorkspaceReader::open);
}

void WorkspaceService::create(const QString& path)
{
    beginOpening(path, &WorkspaceReader::create);
}

void WorkspaceService::openOrCreate(const QString& path)
{
    beginOpening(path, &WorkspaceReader::openOrCreate);
}

void WorkspaceService::beginOpening(const QString& path, OpenWay way)
{
    ++m_opening;
    m_jobs.run(
        this,
        [reader = m_reader, file = std::filesystem::path(path.toStdString()), way](
            std::stop_token) { saidInSentences([&] { ((*reader).*way)(file); }); },
        [this, path] { takeOpened(path); },
        [this](const QString& message) {
            --m_opening;
            Q_EMIT failed(message);
        });
}

void WorkspaceService::takeOpened(const QString& path)
{
    --m_opening;
    m_path = path;
    m_wanted = {};
    m_content = {};
    setState(WorkspaceState::Sound, {});
    Q_EMIT opened(path);
    Q_EMIT experimentsChanged();
    Q_EMIT resultsChanged(nullptr);
    read(Cause::Asked);
}

void WorkspaceService::showExperiment(qint64 id)
{
    showExperiments({id});
}

void WorkspaceService::showExperiments(const QList<qint64>& ids)
{
    Wanted wanted{{ids.begin(), ids.end()}, {}};
    if (wanted.experiments == m_wanted.experiments)
        wanted.references = m_wanted.references;
    want(wanted);
}

void WorkspaceService::showNewest()
{
    showExperiments({});
}

void WorkspaceService::want(const Wanted& wanted)
{
    const bool isShown = m_content.mark.connection != 0 && m_content.mark.wanted == wanted;
    if (m_wanted == wanted && isShown)
        return;
    m_wanted = wanted;
    read(Cause::Asked);
}

void WorkspaceService::toggleReference(const QString& trial)
{
    const Results& shown = m_content.results;
    const report::ReportTrial* chosen = shown ? shown->find(trial.toStdString()) : nullptr;
    if (chosen == nullptr)
        return;
    Wanted wanted = m_wanted;
    const report::ComparisonGroup& group = shown->comparison().groupOf(*chosen);
    for (const report::ReportTrial* other : group.trials)
        wanted.references.erase(other->id());
    if (group.reference != chosen)
        wanted.references.insert(chosen->id());
    want(wanted);
}

void WorkspaceService::deleteTrials(const QStringList& trials)
{
    std::map<std::int64_t, std::set<std::string>> chosen; // by experiment
    for (const QString& trial : trials)
        if (const auto* found = m_content.results ? m_content.results->find(trial.toStdString()) : nullptr)
            chosen[m_content.results->experimentOf(*found)].insert(ResultSet::storedId(*found));
    struct Deletion {
        std::vector<std::int64_t> gone;
        qint64 trials = 0;
    };
    m_jobs.run(
        this,
        [reader = m_reader, chosen](std::stop_token) {
            return saidInSentences([&] {
                Deletion all;
                for (const auto& [experiment, ids] : chosen) {
                    const auto deleted = reader->deleteTrials(experiment, ids);
                    all.trials += deleted.trials;
                    if (deleted.isExperimentGone)
                        all.gone.push_back(experiment);
                }
                return all;
            });
        },
        [this](const Deletion& deleted) { takeDeleted(deleted.gone, deleted.trials); },
        [this](const QString& message) {
            refresh(); // some may be gone
            Q_EMIT failed(message);
        });
}

// An experiment that went with its last trial cannot be read any more.
void WorkspaceService::takeDeleted(const std::vector<std::int64_t>& gone, qint64 trials)
{
    for (const std::int64_t experiment : gone)
        std::erase(m_wanted.experiments, experiment);
    Q_EMIT trialsDeleted(trials);
    read(Cause::Asked);
}

void WorkspaceService::refresh()
{
    m_isDue = true;
    if (!m_isReading && !m_pause.isActive())
        read(Cause::Refresh);
}

void WorkspaceService::read(Cause cause)
{
    if (m_path.isEmpty() || m_isReading) {
        m_isDue = m_isReading;
        return;
    }
    m_isReading = true;
    m_isDue = false;
    m_readTime.start();
    m_jobs.run(
        this,
        [reader = m_reader, wanted = m_wanted, known = m_content.mark](
            std::stop_token) { return readBy(*reader, wanted, known); },
        [this, cause, wanted = m_wanted](ReadAnswer answer) { takeAnswer(wanted, cause, std::move(answer)); },
        [this, cause](const QString& message) { refuse(cause, message); });
}

// Runs on the job thread, where errors still have types.
WorkspaceService::ReadAnswer WorkspaceService::readBy(
    WorkspaceReader& reader, const Wanted& wanted, const ReadMark& known)
{
    try {
        return {.content = reader.read(wanted, known), .state = WorkspaceState::Sound, .problem = {}};
    } catch (const store::DamagedFileError& error) {
        return {.content = {}, .state = WorkspaceState::Damaged, .problem = sentence(error)};
    } catch (const store::DisplacedFileError& error) {
        return {.content = {}, .state = WorkspaceState::Missing, .problem = sentence(error)};
    } catch (const Error& error) {
        return {.content = {}, .state = WorkspaceState::Sound, .problem = sentence(error)};
    }
}

void WorkspaceService::takeAnswer(const Wanted& wanted, Cause cause, ReadAnswer answer)
{
    const int before = m_content.mark.connection;
    const int now = answer.content ? answer.content->mark.connection : before;
    if (answer.state != WorkspaceState::Sound)
        setState(answer.state, answer.problem);
    else if (before != 0 && now != before && m_opening == 0)
        setState(WorkspaceState::Replaced,
            QStringLiteral("Another file has taken the place of the workspace; that one is shown now."));
    else if (answer.problem.isEmpty() && m_state != WorkspaceState::Replaced)
        setState(WorkspaceState::Sound, {});
    if (answer.problem.isEmpty())
        take(wanted, std::move(answer.content));
    else
        refuse(cause, answer.problem);
}

void WorkspaceService::setState(WorkspaceState state, const QString& text)
{
    if (m_state == state && m_stateText == text)
        return;
    m_state = state;
    m_stateText = text;
    Q_EMIT stateChanged();
}

void WorkspaceService::acceptState()
{
    if (m_state == WorkspaceState::Replaced)
        setState(WorkspaceState::Sound, {});
}

void WorkspaceService::saveElsewhere(const QString& path, const UnsavedRuns& runs)
{
    const auto save = [reader = m_reader, file = std::filesystem::path(path.toStdString()), runs](
                          std::stop_token) { return saidInSentences([&] { return savedBy(*reader, file, runs); }); };
    m_jobs.run(
        this, save,
        [this, path](const QString& what) {
            Q_EMIT saved(path, what);
            open(path);
        },
        [this](const QString& message) {
            Q_EMIT failed(message);
            Q_EMIT notSaved(message);
        });
}

void WorkspaceService::take(const Wanted& wanted, std::optional<WorkspaceContent> content)
{
    m_complaint.clear();
    endReading();
    // Something else has been requested in the meantime: another experiment, or another workspace that is being opened.
    if (wanted != m_wanted || m_opening > 0)
        return read(Cause::Asked);
    if (!content)
        return;
    const bool isOther = !m_content.experiments || *content->experiments != *m_content.experiments;
    m_content = std::move(*content);
    if (isOther)
        Q_EMIT experimentsChanged();
    Q_EMIT resultsChanged(m_content.results);
}

// A file that cannot be read is reported once, not at every refresh during a run.
void WorkspaceService::refuse(Cause cause, const QString& message)
{
    endReading();
    m_wanted = m_content.mark.wanted;
    if (cause == Cause::Refresh && message == m_complaint)
        return;
    m_complaint = message;
    Q_EMIT failed(message);
}

void WorkspaceService::endReading()
{
    m_isReading = false;
    m_pause.start(static_cast<int>(std::max(kLeastPauseMs, m_readTime.elapsed())));
}

} // namespace headroom::ui
