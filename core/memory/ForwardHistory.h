// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryLabel.h"

#include <optional>
#include <vector>

namespace headroom::tensor {

/// Where in a model a range of ops ran, and on whose behalf.
struct OpOrigin {
    ModuleId module = kNoModule;
    std::string_view technique{};

    bool operator==(const OpOrigin&) const = default;
};

/// The origin of each autograd node of one thread's forward, by the node's sequence number. Sequence numbers rise by
/// one with each node, so recording the changes of origin suffices, at no cost per op.
class ForwardHistory {
public:
    /// Applies from the node with this number on. Numbers must not decrease.
    void changesTo(const OpOrigin& origin, std::uint64_t sequence);

    /// Nothing for a node from before the first change.
    std::optional<OpOrigin> originOf(std::uint64_t sequence) const;

    void forget() { m_changes.clear(); }

private:
    struct Change {
        std::uint64_t sequence;
        OpOrigin origin;
    };
    std::vector<Change> m_changes;
};

} // namespace headroom::tensor
