// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace headroom::store {

/// During its lifetime, the thread that made it can neither open a file of the store nor run a statement on one: each
/// attempt throws Error. For a thread that must never wait for a disk, such as a user interface's.
class ThreadWithoutFiles {
public:
    ThreadWithoutFiles();
    ~ThreadWithoutFiles();
    ThreadWithoutFiles(const ThreadWithoutFiles&) = delete;
    ThreadWithoutFiles& operator=(const ThreadWithoutFiles&) = delete;
};

/// Throws Error, which names the file, on a thread that must not use files.
void requireFilesAllowed(const std::filesystem::path& path);

} // namespace headroom::store
