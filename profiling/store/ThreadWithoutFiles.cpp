// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/ThreadWithoutFiles.h"

#include "core/base/Error.h"

namespace headroom::store {
namespace {

thread_local int t_refusals = 0;

} // namespace

ThreadWithoutFiles::ThreadWithoutFiles()
{
    ++t_refusals;
}

ThreadWithoutFiles::~ThreadWithoutFiles()
{
    --t_refusals;
}

// Not a FileError: nothing is wrong with the file, and a retry would not help.
void requireFilesAllowed(const std::filesystem::path& path)
{
    if (t_refusals > 0)
        throw Error("files of the store must not be used on this thread, which never waits for a disk", path.string(),
            "a background thread");
}

} // namespace headroom::store
