// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace headroom::experiments {

/// A folder in a place that others use too, for what this process and its workers write and nobody keeps: nobody else
/// may look into it, and it is removed with what is in it.
///
/// The folder is locked while this lives. The system lets go of the lock when the process ends, however it does, so
/// what a killed one has left is told from what is in use without judging process numbers; it goes with the next folder
/// that is made in its place. Where folders cannot be locked, as on some network disks, it stays.
class PrivateFolder {
public:
    /// What it is for, which its name says: headroom-trace-XXXXXX and so on.
    enum class Purpose { Trace, Card, Writes };

    /// Makes one in `parent`. Throws FileError where none can be made.
    PrivateFolder(Purpose purpose, const std::filesystem::path& parent);
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

    /// Removes those that killed processes of this user have left in `parent`.
    static void removeLeft(const std::filesystem::path& parent);
    /// The same where temporary files go.
    static void removeLeft();

private:
    bool make(const std::string& pattern);

    std::filesystem::path m_path;
    int m_descriptor = -1;
};

} // namespace headroom::experiments
