// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/WorkerAnswer.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/run/WorkerSession.h"

namespace headroom::cli {

WorkerAnswer askWorker()
{
    constexpr std::chrono::duration<double> kPatience = std::chrono::seconds(30);
    try {
        return {experiments::describeWorker(config::workerProgram(), {.timeout = kPatience, .stop = {}}), ""};
    } catch (const Error& error) {
        return {std::nullopt, error.what()};
    }
}

std::string detailText(const protocol::WorkerDescription& description, const char* key)
{
    const protocol::Json& details = description.details;
    if (!details.is_object() || !details.contains(key) || details.at(key).is_null() || details.at(key) == 0)
        return {};
    const protocol::Json& value = details.at(key);
    return value.is_string() ? value.get<std::string>() : value.dump();
}

} // namespace headroom::cli
