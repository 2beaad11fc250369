// SPDX-License-Identifier: Apache-2.0
//
// How long the live answer takes from a change to the figures on the screen. Prints the table of
// docs/measurements/desktop-live-answer.md. Usage: benchmark-live-answer (with headroom-worker beside it).

#include "core/base/Statistics.h"
#include "experiments/spec/SpecLoader.h"
#include "ui/answer/LiveAnswer.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace {

using namespace headroom;
using Plan = std::vector<experiments::PlannedTrial>;

constexpr int kToggles = 50;

// Every toggle is another combination, so that nothing is answered from memory: block lists differ by what they hold.
std::string ltxPolicy(int toggle)
{
    return toggle % 2 == 0 ? fmt::format("skip:{}.{}", toggle / 2 % 28, 27 - toggle / 56)
                           : fmt::format("blocks:0-{}", toggle / 2 % 28);
}

Plan plan(const std::string& text)
{
    return experiments::expand(experiments::loadSpecText(text, "benchmark", {}));
}

Plan ltx(const std::string& checkpointing, const std::string& more)
{
    return plan(fmt::format("model.name = \"ltx-video-2b\"\ntechniques.checkpointing = \"{}\"\n"
                            "device.name = \"sim:rtx4090\"\n[workload]\ndtype = \"bfloat16\"\nframes = 81\n"
                            "height = 512\nwidth = 768\ntext_tokens = 128\n{}",
        checkpointing, more));
}

Plan ffn(int toggle)
{
    return plan(fmt::format("model.name = \"ffn-stack\"\ntechniques.split_ffn = \"{}\"\n"
                            "device.name = \"sim:rtx4090\"\nworkload.sequence_length = {}\n",
        toggle % 2 == 0 ? "off" : "4", 4096 + 64 * (toggle / 2)));
}

/// Milliseconds from the change to the answer on the screen.
double answerTo(ui::LiveAnswer& view, Plan trials)
{
    QEventLoop loop;
    QObject::connect(&view, &ui::LiveAnswer::answered, &loop, &QEventLoop::quit);
    QObject::connect(&view, &ui::LiveAnswer::failed, &loop, [](const QString& message) {
        std::fprintf(stderr, "%s\n", qPrintable(message));
        std::exit(1);
    });
    QElapsedTimer timer;
    timer.start();
    view.setTrials(std::make_shared<const Plan>(std::move(trials)));
    loop.exec();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void printRow(const char* what, const std::vector<double>& milliseconds)
{
    fmt::print("| {} | {} | {:.0f} | {:.0f} |\n", what, milliseconds.size(), median(milliseconds).value_or(0),
        *std::max_element(milliseconds.begin(), milliseconds.end()));
}

template <typename Make> void measure(ui::LiveAnswer& view, const char* what, Make make)
{
    std::vector<double> milliseconds;
    for (int toggle = 0; toggle < kToggles; ++toggle)
        milliseconds.push_back(answerTo(view, make(toggle)));
    printRow(what, milliseconds);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    ui::Theme theme;
    ui::Predictor predictor;
    QEventLoop loop;
    QObject::connect(&predictor, &ui::Predictor::warmedUp, &loop, &QEventLoop::quit);
    QElapsedTimer timer;
    timer.start();
    predictor.warmUp();
    loop.exec();
    const auto warmUp = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    ui::LiveAnswer view(theme, predictor);
    fmt::print("| what changes | changes | median ms | worst ms |\n|---|---:|---:|---:|\n");
    printRow("start of the worker, warmed up", {warmUp});
    printRow("the first answer: LTX-Video 2B, train", {answerTo(view, ltx("none", "step = \"train\"\n"))});
    measure(view, "LTX-Video 2B, train: checkpointing none and all, back and forth (remembered after the first)",
        [](int toggle) { return ltx(toggle % 2 == 0 ? "none" : "all", "step = \"train\"\n"); });
    measure(view, "LTX-Video 2B, train: another checkpointing each time",
        [](int toggle) { return ltx(ltxPolicy(toggle), "step = \"train\"\n"); });
    measure(view, "the same under the protocol of the preset ltx-checkpointing (plain warm-up)", [](int toggle) {
        return ltx(ltxPolicy(toggle), "step = \"forward_backward\"\n[protocol]\nplain_warmup = true\n");
    });
    measure(view, "LTX-Video 2B, train, two videos: does not fit, and how much it needs",
        [](int toggle) { return ltx("none", fmt::format("step = \"train\"\nbatch = 2\nseed = {}\n", toggle)); });
    measure(view, "feed-forward stack: split_ffn and length", [](int toggle) { return ffn(toggle); });
    return 0;
}
