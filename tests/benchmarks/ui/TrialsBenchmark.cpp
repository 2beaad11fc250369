// SPDX-License-Identifier: Apache-2.0
//
// How long an experiment of many trials takes to be read and shown: docs/measurements/desktop-tables.md.
//
// benchmark-trials WORKSPACE [REPETITIONS]     measures the newest experiment of the workspace, prints Markdown
#include "core/config/Installation.h"
#include "experiments/archive/StoredResults.h"
#include "experiments/report/reading/ReportReader.h"
#include "ui/results/TrialsView.h"
#include "ui/results/WorkspaceReader.h"

#include <QApplication>
#include <QLineEdit>
#include <QScrollBar>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

namespace headroom::ui {
namespace {

double millisecondsOf(const std::function<void()>& body)
{
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// `prepare` is not measured.
void measure(const char* what, int repetitions, const std::function<void()>& prepare, const std::function<void()>& body)
{
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        prepare();
        times.push_back(millisecondsOf(body));
    }
    std::sort(times.begin(), times.end());
    std::printf("| %s | %.1f (%.1f to %.1f) |\n", what, times[times.size() / 2], times.front(), times.back());
    std::fflush(stdout);
}

void nothing() { }

void measureReading(const std::string& path, int repetitions)
{
    WorkspaceReader reader;
    measure("open the workspace", repetitions, nothing, [&] { reader.open(path); });
    measure("read list, results and durations", repetitions, nothing, [&] { reader.read(Wanted{}, {}); });
    const auto content = reader.read(Wanted{}, {});
    measure("see that nothing has changed", repetitions, nothing, [&] { reader.read(Wanted{}, content->mark); });
    store::Workspace workspace = experiments::openForReading(path);
    const auto row = experiments::chooseExperiment(workspace, "", "WORKSPACE");
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    measure(
        "of which: rows and their JSON", repetitions, nothing, [&] { experiments::readExperiment(workspace, row); });
    const auto stored = experiments::readExperiment(workspace, row);
    measure(
        "of which: records and plausibility", repetitions, nothing, [&] { experiments::resultsOf(stored, deviceFit); });
    const auto read = [&] {
        return report::readReport(workspace, row, deviceFit, report::Identity::Shown, report::Extent::Results);
    };
    report::ReportContent report = read();
    measure(
        "of which: groups, comparison and table", repetitions, [&] { report = read(); },
        [&] { ResultSet(path, std::move(report)); });
}

void draw(QWidget& widget)
{
    widget.grab();
}

void measureTable(const Results& results, int repetitions)
{
    Theme theme;
    Selection selection;
    TrialsView view(theme, selection);
    view.resize(1280, 800);
    view.show();
    TrialsTable& table = *view.table();
    const auto clear = [&] { view.setResults(nullptr); };
    measure("fill the table, to the first picture", repetitions, clear, [&] {
        view.setResults(results);
        draw(table);
    });
    const int speed = table.trials().trials().columnOf(QStringLiteral("steps/s"));
    const int names = table.trials().trials().columnOf(QStringLiteral("techniques"));
    const auto refill = [&] {
        view.setResults(nullptr);
        table.sortByColumn(-1, Qt::AscendingOrder);
        view.setResults(results);
    };
    measure("sort by a number, the first time", repetitions, refill,
        [&] { table.sortByColumn(speed, Qt::DescendingOrder); });
    measure(
        "sort by words, the first time", repetitions, refill, [&] { table.sortByColumn(names, Qt::AscendingOrder); });
    measure(
        "sort by a number again", repetitions, [&] { table.sortByColumn(speed, Qt::AscendingOrder); },
        [&] { table.sortByColumn(speed, Qt::DescendingOrder); });
    const auto unfiltered = [&] { view.filterField()->clear(); };
    measure("filter by a word in any column", repetitions, unfiltered,
        [&] { view.filterField()->setText(QStringLiteral("split")); });
    measure("filter by a comparison", repetitions, unfiltered,
        [&] { view.filterField()->setText(QStringLiteral("allocated<8GiB")); });
    unfiltered();
    measure("select all rows", repetitions, [&] { selection.clear(); }, [&] { table.selectAll(); });
    selection.clear();
    int place = 0;
    measure(
        "scroll by a page and draw it", 20 * repetitions, [&] { place += 30; },
        [&] {
            table.verticalScrollBar()->setValue(place);
            draw(table);
        });
}

} // namespace
} // namespace headroom::ui

int main(int argc, char** argv)
{
    using namespace headroom::ui;
    qputenv("QT_LOGGING_RULES", "qt.qpa.*=false"); // what the offscreen platform lacks
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "usage: benchmark-trials WORKSPACE [REPETITIONS]\n");
        return 2;
    }
    const int repetitions = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
    WorkspaceReader reader;
    reader.open(argv[1]);
    const Results results = reader.read(Wanted{}, {})->results;
    std::printf("%zu trials\n\n| what | milliseconds, median (least to most) |\n|---|---:|\n",
        results->content().trials.size());
    measureReading(argv[1], repetitions);
    measureTable(results, repetitions);
    return 0;
}
