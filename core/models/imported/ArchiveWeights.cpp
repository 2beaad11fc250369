// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/ArchiveWeights.h"

#include "core/base/Error.h"
#include "core/models/layers/Initialised.h"

#include <algorithm>

namespace headroom::models {
namespace {

// From the first element to the last one of a tensor that has any; the largest number for more than there can be.
std::uint64_t elementsSpanned(at::IntArrayRef sizes, const std::vector<std::int64_t>& strides)
{
    double last = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        last += static_cast<double>(sizes[i] - 1) * static_cast<double>(strides[i]);
    constexpr double kMost = 9e15; // of the whole numbers that a double tells apart
    return last < kMost ? static_cast<std::uint64_t>(last) + 1 : UINT64_MAX;
}

} // namespace

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
    const std::vector<std::int64_t> strides = stored.strides.empty() ? target.strides().vec() : stored.strides;
    const std::uint64_t elementBytes = target.element_size();
    const std::uint64_t elements = elementsSpanned(target.sizes(), strides);
    const std::uint64_t entryBytes = m_zip.entries().at(stored.entry).bytes;
    if (elements > entryBytes / elementBytes)
        throw FileError(
            stored.name + " has more elements than its file", m_archive->file.string() + ": " + stored.entry);
    const at::Tensor onHost =
        at::empty({static_cast<std::int64_t>(elements)}, target.options().device(at::kCPU).requires_grad(false));
    m_zip.read(stored.entry, static_cast<std::uint64_t>(stored.offsetElements) * elementBytes,
        {static_cast<char*>(onHost.data_ptr()), onHost.nbytes()});
    target.copy_(onHost.as_strided(target.sizes(), strides));
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
