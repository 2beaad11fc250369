// SPDX-License-Identifier: Apache-2.0
#include "experiments/archive/StoredRepeat.h"

#include "core/base/Error.h"
#include "core/protocol/Json.h"

namespace headroom::experiments {
namespace {

StoredRepeat damagedRepeat(const store::RepeatRow& row, const std::string& problem)
{
    StoredRepeat repeat{.id = row.id, .index = row.repeatIndex, .result = {}};
    repeat.damage = "the stored result of repeat " + std::to_string(row.id) + " is damaged: " + problem;
    repeat.result.outcome = Outcome::Failed;
    repeat.result.reason = repeat.damage;
    return repeat;
}

} // namespace

StoredRepeat readRepeat(const store::RepeatRow& row)
{
    if (!row.resultJson)
        return damagedRepeat(row, "there is none");
    try {
        return {row.id, row.repeatIndex, protocol::repeatResultFromJson(protocol::Json::parse(*row.resultJson)), {}};
    } catch (const protocol::Json::exception& error) {
        return damagedRepeat(row, protocol::problemOf(error));
    } catch (const Error& error) {
        return damagedRepeat(row, error.what());
    }
}

} // namespace headroom::experiments
