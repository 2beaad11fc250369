// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"

#include <memory>
#include <string>

namespace headroom::experiments {

/// A repeat that has ended, which a run keeps to its end: a workspace that cannot take it any more must not cost it.
/// Once its trial has a record, the text alone is kept, which takes a third of the room.
class KeptRepeat {
public:
    KeptRepeat() = default;
    explicit KeptRepeat(protocol::RepeatResult result);
    /// As it was read: `json` is its text.
    KeptRepeat(protocol::RepeatResult result, std::string json);

    /// As a workspace stores it.
    const std::string& json() const { return m_json; }
    protocol::RepeatResult result() const;
    void pack() { m_result.reset(); }

private:
    std::string m_json;
    std::unique_ptr<protocol::RepeatResult> m_result; ///< null: packed
};

} // namespace headroom::experiments
