// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

namespace headroom::simulator {

/// Keeps the nodes that leave a set or a map and puts them back in with other contents: the blocks of an allocator come
/// and go thousands of times in a step, and each would else be a request to the host's memory.
template <typename Container> class SpareNodes {
public:
    using Iterator = typename Container::iterator;

    void take(Container& from, Iterator place) { m_nodes.push_back(from.extract(place)); }

    /// Like insert() of the container. Its key must not be there.
    Iterator put(Container& into, typename Container::value_type&& value)
    {
        if (m_nodes.empty())
            return into.insert(std::move(value)).first;
        auto node = std::move(m_nodes.back());
        m_nodes.pop_back();
        if constexpr (requires { node.mapped(); }) {
            node.key() = value.first;
            node.mapped() = std::move(value.second);
        } else
            node.value() = std::move(value);
        return into.insert(std::move(node)).position;
    }

private:
    std::vector<typename Container::node_type> m_nodes;
};

} // namespace headroom::simulator
