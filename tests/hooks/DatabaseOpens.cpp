// SPDX-License-Identifier: Apache-2.0
#include "tests/hooks/DatabaseOpens.h"

#include "tests/hooks/OpenHooks.h"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <mutex>
#include <string_view>

namespace headroom {
namespace {

std::atomic<bool> g_isWatching = false;
std::atomic<int> g_bySqlite = 0;
std::mutex g_foreignMutex;
std::vector<std::string> g_foreign;

bool isDatabase(std::string_view path)
{
    constexpr std::array<std::string_view, 4> kEndings{".db", ".db-wal", ".db-shm", ".db-journal"};
    for (const std::string_view ending : kEndings)
        if (path.ends_with(ending))
            return true;
    return false;
}

void lookAtDatabases(const char* path, const void* caller)
{
    if (!g_isWatching || !isDatabase(path))
        return;
    Dl_info code{};
    const std::string_view library = dladdr(caller, &code) != 0 && code.dli_fname ? code.dli_fname : "unknown code";
    if (library.find("libsqlite3") != std::string_view::npos) {
        ++g_bySqlite;
        return;
    }
    const std::scoped_lock lock(g_foreignMutex);
    g_foreign.push_back(std::string(path) + " by " + std::string(library));
}

} // namespace

DatabaseOpens::DatabaseOpens()
{
    addOpenListener(&lookAtDatabases);
    const std::scoped_lock lock(g_foreignMutex);
    g_foreign.clear();
    g_bySqlite = 0;
    g_isWatching = true;
}

DatabaseOpens::~DatabaseOpens()
{
    g_isWatching = false;
}

std::vector<std::string> DatabaseOpens::foreign() const
{
    const std::scoped_lock lock(g_foreignMutex);
    return g_foreign;
}

int DatabaseOpens::bySqlite() const
{
    return g_bySqlite;
}

} // namespace headroom
