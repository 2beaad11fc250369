// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ArchiveWeights.h"

#include "core/models/layers/Initialised.h"

#include <algorithm>

namespace headroom::models {

ArchiveWeights::ArchiveWeights(std::shared_ptr<const archive::ExportedModel> archive)
    : m_archive(std::move(archive))
    , m_zip(m_archive->file)
{
    for (const archive::StoredTensor& stored : m_archive->tensors)
        m_byName.emplace(stored.name, &stored);
}

bool ArchiveWeights::hasWeights(const archive::ExportedModel& archive)
{
    return std::ranges::any_of(archive.tensors, [](const archive::StoredTensor& stored) {
        return stored.kind == archive::StoredKind::Parameter && !stored.entry.empty();
    });
}

bool ArchiveWeights::read(const archive::StoredTensor& stored, at::Tensor& target) const
{
    if (stored.entry.empty())
        return false;
    if (target.is_meta() || target.numel() == 0)
        return true;
    const torch::NoGradGuard noGradients;
    const at::Tensor onHost = at::empty(target.sizes(), target.options().device(at::kCPU).requires_grad(false));
    const auto offset = static_cast<std::uint64_t>(stored.offsetElements) * onHost.element_size();
    m_zip.read(stored.entry, offset, {static_cast<char*>(onHost.data_ptr()), onHost.nbytes()});
    target.copy_(onHost);
    return true;
}

void ArchiveWeights::fill(const std::string& path, torch::nn::Module& module) const
{
    if (auto* initialised = dynamic_cast<Initialised*>(&module))
        initialised->initialise(); // for what the archive does not have
    for (auto& item : module.named_parameters(false)) {
        const auto found = m_byName.find(path.empty() ? item.key() : path + "." + item.key());
        at::Tensor parameter = item.value();
        if (found != m_byName.end())
            read(*found->second, parameter);
    }
}

} // namespace headroom::models
