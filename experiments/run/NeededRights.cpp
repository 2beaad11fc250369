// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/NeededRights.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <filesystem>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

// The shards lie beside an index.
std::string weightsPlace(const fs::path& weights)
{
    return weights.extension() == ".json" ? fs::absolute(weights).parent_path().string() : weights.string();
}

void addFiles(std::set<std::string>& reads, const config::Trial& trial)
{
    const config::ValueMap& fields = trial.configuration.modelFields;
    if (const auto archive = fields.find(config::kArchiveField); archive != fields.end() && archive->second.isText())
        reads.insert(archive->second.text());
    if (const std::string weights = config::weightsOf(fields); weights != config::kFilledWeights)
        reads.insert(weightsPlace(weights));
    if (trial.device.isSimulated() && simulator::isProfileFile(trial.device.profile))
        reads.insert(trial.device.profile);
}

bool isOfGpu(const protocol::WorkerRequest& request)
{
    if (request.calibration)
        return config::parseDevice(request.calibration->device, "--device").kind == config::DeviceKind::Cuda;
    return request.kind == protocol::RequestKind::Describe
        || (request.trial && request.trial->device.kind == config::DeviceKind::Cuda);
}

} // namespace

protocol::WorkerRights neededRights(const protocol::WorkerRequest& request)
{
    protocol::WorkerRights rights;
    if (request.trial)
        addFiles(rights.reads, *request.trial);
    if (request.parity)
        rights.reads.insert({request.parity->inputs, request.parity->expected});
    rights.reads.erase("");
    if (!request.spoolPath.empty())
        rights.spoolFolder = fs::absolute(request.spoolPath).parent_path().string();
    rights.usesGpu = isOfGpu(request);
    return rights;
}

} // namespace headroom::experiments
