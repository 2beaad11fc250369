// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/MemoryLabel.h"
#include "core/models/Model.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace headroom::collectors {

/// Says where in a block a label's module is in a way that holds for every block, while memory is attributed: two
/// blocks that do the same have equal labels then.
class BlockPlaces {
public:
    /// The model is borrowed.
    explicit BlockPlaces(models::Model& model);

    tensor::MemoryLabel common(std::size_t block, tensor::MemoryLabel label);
    tensor::MemoryLabel inBlock(std::size_t block, tensor::MemoryLabel label);

private:
    using Ids = std::unordered_map<tensor::ModuleId, tensor::ModuleId>;

    struct Place {
        std::string path; ///< from the block's module on, or from the model where it is not in the block
        std::string source;
        bool isInBlock = false;

        bool operator==(const Place&) const = default;
    };

    tensor::ModuleId numberOf(std::size_t block, tensor::ModuleId module);
    tensor::ModuleId moduleOf(std::size_t block, tensor::ModuleId number);

    std::vector<torch::nn::Module*> m_blocks;
    std::vector<Place> m_places; ///< by common number, from 1 on
    std::vector<tensor::ModuleId> m_samples; ///< of each place, the module that it was first seen in
    std::vector<Ids> m_numbers; ///< by block
    std::vector<Ids> m_modules; ///< by block
};

} // namespace headroom::collectors
