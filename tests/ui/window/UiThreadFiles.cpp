// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/UiThreadFiles.h"

#include "tests/hooks/OpenHooks.h"

#include <array>
#include <string_view>

namespace headroom::ui {
namespace {

thread_local std::vector<std::string>* t_opened = nullptr;

constexpr std::array<std::string_view, 9> kSystemFolders{
    "/usr/", "/etc/", "/proc/", "/sys/", "/dev/", "/lib/", "/var/cache/", "/run/", "/opt/"};

bool isOfTheSystem(std::string_view path)
{
    for (const std::string_view folder : kSystemFolders)
        if (path.substr(0, folder.size()) == folder)
            return true;
    return path.find("fontconfig") != std::string_view::npos || path.find("/fonts") != std::string_view::npos
        || path.find("/icons") != std::string_view::npos;
}

void lookAtThread(const char* path, const void* /*caller*/)
{
    if (t_opened && !isOfTheSystem(path))
        t_opened->emplace_back(path);
}

} // namespace

UiThreadFiles::UiThreadFiles()
{
    addOpenListener(&lookAtThread);
    t_opened = new std::vector<std::string>;
}

UiThreadFiles::~UiThreadFiles()
{
    delete t_opened;
    t_opened = nullptr;
}

const std::vector<std::string>& UiThreadFiles::opened() const
{
    return *t_opened;
}

} // namespace headroom::ui
