// SPDX-License-Identifier: Apache-2.0
#include "core/config/Installation.h"

#include "core/base/Error.h"

#include <cstdlib>

namespace headroom::config {
namespace {

namespace fs = std::filesystem;

// The path in the environment variable if it is set, else `otherwise`; throws if nothing exists there.
fs::path existing(const char* variable, const fs::path& otherwise, const char* what)
{
    const char* given = std::getenv(variable);
    const fs::path path = given != nullptr && *given != '\0' ? fs::path(given) : otherwise;
    if (!fs::exists(path))
        throw FileError(
            std::string(what) + " not found", path.string(), std::string("an existing path in ") + variable);
    return path;
}

} // namespace

std::string version()
{
    return HEADROOM_VERSION;
}

fs::path programDirectory()
{
    return fs::read_symlink("/proc/self/exe").parent_path();
}

fs::path resourceDirectory()
{
    return existing("HEADROOM_RESOURCES", programDirectory() / ".." / "share" / "headroom", "resource folder");
}

fs::path cardDirectory()
{
    return existing("HEADROOM_CARD_LIBRARIES",
        programDirectory() / ".." / "lib" / "headroom-card" / ("cuda" HEADROOM_CUDA_MAJOR),
        "the substitute for the CUDA runtime");
}

fs::path workerProgram()
{
    return existing("HEADROOM_WORKER", programDirectory() / "headroom-worker", "headroom-worker");
}

} // namespace headroom::config
