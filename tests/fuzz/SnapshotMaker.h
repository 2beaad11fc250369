// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace headroom {

/// Makes pickles of memory snapshots by their structure, where any container may be one that was named before: by memo
/// numbers few bytes say much, and bytes that are changed at random rarely hit them.
class SnapshotMaker {
public:
    explicit SnapshotMaker(std::uint32_t seed);

    std::string make();

private:
    std::string segment();
    std::string block();
    std::string entry();
    std::string frame();
    std::string annotation();
    std::string notes();
    /// Up to `most` of them, some of them names of earlier containers.
    std::string listOf(std::string (SnapshotMaker::*one)(), std::size_t most);
    std::string number();
    std::string word();
    std::string named();
    /// What the next container is remembered under.
    std::string next();
    std::size_t upTo(std::size_t most);
    bool once(std::size_t in) { return upTo(in - 1) == 0; }

    std::minstd_rand m_random;
    std::uint32_t m_named = 0; ///< containers so far
};

} // namespace headroom
