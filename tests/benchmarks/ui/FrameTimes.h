// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace headroom::ui {

/// The times of frames, by the clock on the wall and as the processor time of this thread alone, which is what a frame
/// costs where other programs leave it a core.
class FrameTimes {
public:
    template <typename Draw> void measure(const Draw& draw)
    {
        const auto begin = std::chrono::steady_clock::now();
        const double busy = processorMilliseconds();
        draw();
        m_wall.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        m_processor.push_back(processorMilliseconds() - busy);
    }

    /// A row of a table: median, 95 % and worst, on the wall and of the processor.
    void printRow(const std::string& what)
    {
        std::printf("| %s", what.c_str());
        for (std::vector<double>* times : {&m_wall, &m_processor}) {
            std::ranges::sort(*times);
            std::printf(" | %.1f | %.1f | %.1f", (*times)[times->size() / 2], (*times)[times->size() * 95 / 100],
                times->back());
        }
        std::printf(" |\n");
    }

private:
    static double processorMilliseconds()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }

    std::vector<double> m_wall;
    std::vector<double> m_processor;
};

} // namespace headroom::ui
