// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/KeptRepeat.h"

#include <utility>

namespace headroom::experiments {

KeptRepeat::KeptRepeat(protocol::RepeatResult result)
    : m_json(protocol::toJson(result).dump())
    , m_result(std::make_unique<protocol::RepeatResult>(std::move(result)))
{
}

KeptRepeat::KeptRepeat(protocol::RepeatResult result, std::string json)
    : m_json(std::move(json))
    , m_result(std::make_unique<protocol::RepeatResult>(std::move(result)))
{
    m_json.shrink_to_fit();
}

protocol::RepeatResult KeptRepeat::result() const
{
    return m_result ? *m_result : protocol::repeatResultFromJson(protocol::Json::parse(m_json));
}

} // namespace headroom::experiments
