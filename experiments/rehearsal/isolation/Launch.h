// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/confinement/CallFilter.h"
#include "core/confinement/Landlock.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Texts as the kernel takes them: an array of pointers that ends with a null.
class KernelTexts {
public:
    explicit KernelTexts(std::vector<std::string> texts = {});
    KernelTexts(const KernelTexts&) = delete;
    KernelTexts& operator=(const KernelTexts&) = delete;
    KernelTexts(KernelTexts&&) = default; // the texts stay where they are
    KernelTexts& operator=(KernelTexts&&) = default;

    char* const* pointers() const { return m_pointers.data(); }
    /// For a process that was forked to set some of them.
    std::vector<char*>& writable() { return m_pointers; }

private:
    std::vector<std::string> m_texts;
    std::vector<char*> m_pointers;
};

/// One change of the mounts that a command sees.
struct MountStep {
    enum class Kind {
        Overlay, ///< writes go elsewhere; where that cannot be and it is not needed, the place is read only
        Bind,
        ReadOnly, ///< with all that is mounted below
        Memory, ///< an empty folder in memory that all may write
        Terminals,
    };
    Kind kind = Kind::Bind;
    std::string source{};
    std::string target{};
    std::string options{};
    bool isNeeded = true; ///< where it fails, the command is not started
};

/// All that the processes between us and the command do, prepared before the first of them is forked: from then on
/// nothing may be allocated, as another thread may have held the allocator's lock at that moment.
struct Launch {
    KernelTexts arguments{}; ///< after a shell, for a program without a first line that names its interpreter
    KernelTexts environment{};
    KernelTexts programs{}; ///< what the command's name may mean, in order
    std::string workingFolder{};

    int namespaces = 0; ///< flags of unshare(2) for what is prepared by somebody who may mount; 0: none
    std::string ownUsers{}; ///< maps of the user namespace among them; empty: it has none
    std::string ownGroups{};
    std::vector<MountStep> mounts{};
    std::string root{}; ///< becomes the root of the command; empty: it stays
    std::string commandUsers{}; ///< maps of the user namespace of the command, in which all mounts are locked
    std::string commandGroups{};
    std::optional<confinement::LandlockDomain> domain{};
    std::optional<confinement::SocketFilter> filter{};

    bool leavesNoCore = false; ///< what the system does with one is done outside
    bool hasOwnNetwork = false; ///< of which this machine alone is part
    std::string discardedParent{}; ///< where the folder is that is removed in the end
    std::string discardedName{}; ///< empty: there is none
};

/// What is reported on the way, in the order of their coming.
struct LaunchReport {
    enum class Kind { Command, WeakerMount, Failed, NoProgram, Started, Ended };
    enum class Part { None, Fork, Namespaces, Users, Mount, Network, Root, CommandUsers, Rights, WorkingFolder };
    Kind kind = Kind::Failed;
    Part part = Part::None;
    int value = 0; ///< the process, the mount, the status of waitpid(2)
    int error = 0;
};

} // namespace headroom::experiments
