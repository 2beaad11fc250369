// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Ledger.h"

#include "profiling/rehearsal/Lock.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <string>
#include <unistd.h>

namespace headroom::rehearsal {

namespace {

int ledgerFile()
{
    static const int file = [] {
        const char* path = std::getenv("HEADROOM_CARD_LEDGER");
        return path != nullptr && *path != '\0' ? ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644) : -1;
    }();
    return file;
}

void writeLine(int file, const char* text, int length)
{
    if (file >= 0 && length > 0) [[maybe_unused]]
        const auto written = ::write(file, text, static_cast<std::size_t>(length));
}

/// Whether nobody told it before.
bool isNews(const std::string& what)
{
    static Lock lock;
    static auto& told = *new std::set<std::string>;
    const LockScope scope(lock);
    return told.insert(what).second;
}

} // namespace

void noteRefused(const char* function)
{
    const bool isFirst = isNews(function);
    char line[512];
    if (isFirst)
        writeLine(STDERR_FILENO, line,
            std::snprintf(line, sizeof line, "headroom: rehearsal: %s is not rehearsed: it answers \"not supported\"\n",
                function));
    writeLine(ledgerFile(), line,
        std::snprintf(line, sizeof line,
            R"({"refused":"%s","pid":%d})"
            "\n",
            function, ::getpid()));
}

void noteNotCounted(const char* library, const char* function, std::size_t low, std::size_t high)
{
    char line[512];
    const int length = std::snprintf(line, sizeof line,
        R"({"not_counted":"%s","library":"%s","low_bytes":%zu,"high_bytes":%zu,"pid":%d})"
        "\n",
        function, library, low, high, ::getpid());
    if (isNews(line)) // the same call is made in every step
        writeLine(ledgerFile(), line, length);
}

void noteUnknownRead(const char* function, std::size_t bytes)
{
    char line[512];
    const int length = std::snprintf(line, sizeof line,
        R"({"unknown_read":"%s","bytes":%zu,"pid":%d})"
        "\n",
        function, bytes, ::getpid());
    writeLine(ledgerFile(), line, length);
}

} // namespace headroom::rehearsal
