// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"

#include <random>

namespace headroom {

/// Trials drawn from everything the catalogues allow, for property tests with fixed seeds.
class RandomTrial {
public:
    explicit RandomTrial(std::uint64_t seed)
        : m_random(seed)
    {
    }

    config::Trial next();
    config::Configuration nextConfiguration();

private:
    std::size_t below(std::size_t count) { return m_random() % count; }
    config::Value valueOf(const config::Field& field);
    config::ValueMap valuesOf(const config::FieldSet& fields);
    std::string notationOf(const config::TechniqueDescriptor& technique);

    std::mt19937_64 m_random;
};

} // namespace headroom
