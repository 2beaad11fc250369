// SPDX-License-Identifier: Apache-2.0
//
// Prints the rows of docs/measurements/desktop.md: how long the program takes from its start to a window that can be
// used, and how long the thread of the window is busy at a time while an experiment runs.

#include "ui/answer/LiveAnswer.h"
#include "ui/window/DesktopProgram.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace headroom::ui {
namespace {

constexpr int kStarts = 15;

// The same clock in parent and child.
std::int64_t nowNs()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

double milliseconds(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

// Of this thread: what an event costs where a processor is free.
std::int64_t processorNs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

struct Slot {
    std::int64_t ns = 0;
    std::int64_t processorNs = 0;
    std::string receiver; ///< its class, where the event was long
};

// How long each event took, those that others are handled in once.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth > 0)
            return QApplication::notify(receiver, event);
        ++m_depth;
        const char* name = receiver->metaObject()->className(); // the receiver may be gone afterwards
        const int type = event->type();
        const std::int64_t begin = nowNs();
        const std::int64_t processor = processorNs();
        const bool result = QApplication::notify(receiver, event);
        const std::int64_t used = processorNs() - processor;
        m_slots.push_back(
            {nowNs() - begin, used, used > 16'000'000 ? name + (" event " + std::to_string(type)) : std::string()});
        --m_depth;
        return result;
    }

    std::vector<Slot> takeSlots() { return std::exchange(m_slots, {}); }

private:
    int m_depth = 0;
    std::vector<Slot> m_slots;
};

StartOptions optionsIn(const QTemporaryDir& folder, const QString& workspace)
{
    StartOptions options;
    options.workspace = workspace.isEmpty() ? folder.filePath(QStringLiteral("results.db")) : workspace;
    options.preferencesFile = folder.filePath(QStringLiteral("desktop.ini"));
    return options;
}

void waitFor(const std::function<bool()>& condition)
{
    while (!condition())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

// Painted, and nothing is left to be done first.
class FirstPaint : public QObject {
public:
    bool eventFilter(QObject* /*watched*/, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            QTimer::singleShot(0, this, [this] { painted = true; });
        return false;
    }

    bool painted = false;
};

int startOnce(int argc, char** argv, std::int64_t startedNs)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("headroom"));
    const QTemporaryDir folder;
    DesktopProgram program(optionsIn(folder, QString::fromLocal8Bit(argv[3])));
    program.start();
    waitFor([&] { return program.window() != nullptr; });
    FirstPaint paint;
    program.window()->installEventFilter(&paint);
    waitFor([&] { return paint.painted; });
    const std::int64_t usable = nowNs() - startedNs;
    waitFor([&] { return program.services().workspaces.results() != nullptr; });
    const std::int64_t results = nowNs() - startedNs;
    waitFor([&] { return program.window()->views().answer->answer() != nullptr; });
    std::printf("%.1f %.1f %.1f\n", milliseconds(usable), milliseconds(results), milliseconds(nowNs() - startedNs));
    std::fflush(stdout);
    std::_Exit(0); // the end is not measured
}

std::string outputOf(const std::string& command)
{
    std::string output;
    FILE* pipe = popen(command.c_str(), "r");
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe))
        output.push_back(static_cast<char>(c));
    pclose(pipe);
    return output;
}

void printRow(const char* what, std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    std::printf("| %s | %.0f | %.0f |\n", what, values[values.size() / 2], values.back());
}

void measureStart(const std::string& self, const std::string& workspace)
{
    std::vector<double> usable;
    std::vector<double> results;
    std::vector<double> answer;
    for (int i = 0; i <= kStarts; ++i) {
        const std::string command =
            self + " --start-once " + std::to_string(nowNs()) + " " + workspace + " 2>/dev/null";
        double a = 0;
        double b = 0;
        double c = 0;
        if (std::sscanf(outputOf(command).c_str(), "%lf %lf %lf", &a, &b, &c) != 3 || i == 0) // the first one warms up
            continue;
        usable.push_back(a);
        results.push_back(b);
        answer.push_back(c);
    }
    std::printf("| from start to | median ms | worst ms |\n|---|---:|---:|\n");
    printRow("a window that is painted and takes input", usable);
    printRow("the newest experiment of the workspace shown", results);
    printRow("the first prediction shown", answer);
}

// " 9.2 | 16.5 | 1": of 99.9 %, the longest, and how many are over a frame.
std::string row(const std::vector<Slot>& all, std::int64_t Slot::* time)
{
    std::vector<std::int64_t> times;
    for (const Slot& slot : all)
        times.push_back(slot.*time);
    std::sort(times.begin(), times.end());
    const auto over = std::count_if(times.begin(), times.end(), [](std::int64_t ns) { return ns > 16'000'000; });
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), " %.1f | %.1f | %td", milliseconds(times[times.size() * 999 / 1000]),
        milliseconds(times.back()), over);
    return text.data();
}

void measureSlots(TimedApplication& application, const char* title, const std::string& spec)
{
    const QTemporaryDir folder;
    DesktopProgram program(optionsIn(folder, {}));
    program.start();
    Services& services = program.services();
    waitFor([&] { return program.window() && !services.workspaces.path().isEmpty(); });
    program.window()->resize(1440, 900);
    services.spec.loadText(spec, QStringLiteral("benchmark"));
    waitFor([&] { return !services.spec.isPlanning(); });
    application.takeSlots();
    QElapsedTimer timer;
    timer.start();
    program.window()->run();
    waitFor([&] { return services.runs.isBusy(); });
    waitFor([&] { return !services.runs.isBusy(); });
    const double seconds = static_cast<double>(timer.elapsed()) / 1000;
    const std::vector<Slot> all = application.takeSlots();
    std::printf("| %s | %.0f | %zu |%s |%s |\n", title, seconds, all.size(), row(all, &Slot::ns).c_str(),
        row(all, &Slot::processorNs).c_str());
    for (const Slot& slot : all)
        if (!slot.receiver.empty())
            std::fprintf(
                stderr, "%.1f ms of the processor: %s\n", milliseconds(slot.processorNs), slot.receiver.c_str());
}

const std::string kManyPredictions =
    "name = \"many\"\n[model]\nname = \"ffn-stack\"\nnum_layers = [1, 2, 3, 4, 5]\n[workload]\nbatch = [1, 2, 3, 4]\n"
    "sequence_length = [1024, 2048, 3072, 4096, 5120]\n[techniques]\nsplit_ffn = [\"off\", \"2\", \"4\", \"8\"]\n"
    "[device]\nname = [\"sim:rtx4090\", \"sim:t4\", \"sim:a100-80gb\"]\n";

const std::string kMeasured =
    "name = \"measured\"\n[model]\nname = \"ffn-stack-tiny\"\n[workload]\nstep = \"train\"\nbatch = "
    "[1, 2, 3, 4]\n[techniques]\nsplit_ffn = [\"off\", \"2\", \"4\"]\n[device]\nname = "
    "\"cpu\"\n[protocol]\nsteps = 20\nmax_warmup_seconds = 1\n";

} // namespace
} // namespace headroom::ui

// benchmark-desktop WORKSPACE
int main(int argc, char** argv)
{
    using namespace headroom::ui;
    if (argc == 4 && std::string(argv[1]) == "--start-once")
        return startOnce(argc, argv, std::atoll(argv[2]));
    if (argc != 2) {
        std::fprintf(stderr, "usage: benchmark-desktop WORKSPACE (one with an experiment)\n");
        return 2;
    }
    measureStart(argv[0], argv[1]);
    TimedApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    std::printf("\n| while this runs | s | events | 99.9 %% within ms | longest ms | over 16 ms | processor: 99.9 %% "
                "within ms | longest ms | over 16 ms |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    measureSlots(application, "1,200 predictions", kManyPredictions);
    measureSlots(application, "12 measured trials", kMeasured);
    return 0;
}
