// SPDX-License-Identifier: Apache-2.0
#include "core/models/imported/Lifetimes.h"

#include <algorithm>

namespace headroom::models {
namespace {

constexpr std::ptrdiff_t kNever = -1; // it is made before the graph runs, or never read

/// For each value the index of the node after which it is let go.
class Lifetimes {
public:
    Lifetimes(const GraphProgram& program, const archive::ExportedModel& model)
        : m_program(program)
        , m_last(program.names.size(), kNever)
        , m_made(program.names.size(), kNever)
    {
        findUses();
        if (model.notes.lifetimes)
            takeRecorded(*model.notes.lifetimes);
        else
            holdArguments();
    }

    const std::vector<std::ptrdiff_t>& last() const { return m_last; }

private:
    void findUses()
    {
        for (std::size_t index = 0; index < m_program.nodes.size(); ++index) {
            const auto place = static_cast<std::ptrdiff_t>(index);
            forEachRead(
                m_program.nodes[index], [&](ValueId value) { m_last[static_cast<std::size_t>(value)] = place; });
            forEachMade(m_program.nodes[index], [&](ValueId value) {
                m_last[static_cast<std::size_t>(value)] = m_made[static_cast<std::size_t>(value)] = place;
            });
        }
    }

    // Never before the last use, whatever was recorded: views of Python may be other objects.
    void takeRecorded(const std::map<std::string, std::string>& recorded)
    {
        std::map<std::string, std::ptrdiff_t> places;
        for (std::size_t index = 0; index < m_program.nodes.size(); ++index)
            places.emplace(m_program.nodes[index].source->name, static_cast<std::ptrdiff_t>(index));
        for (const auto& [value, node] : recorded) {
            const auto id = m_program.ids.find(value);
            const auto place = places.find(node);
            if (id == m_program.ids.end() || (place == places.end() && !node.empty()))
                continue;
            const std::ptrdiff_t before =
                node.empty() ? static_cast<std::ptrdiff_t>(m_program.nodes.size()) + 1 : place->second;
            std::ptrdiff_t& last = m_last[static_cast<std::size_t>(id->second)];
            last = std::max(last, before - 1);
        }
    }

    void holdArguments()
    {
        std::map<std::string, std::ptrdiff_t> ends;
        for (std::size_t index = 0; index < m_program.nodes.size(); ++index)
            for (const archive::ModuleCall& call : m_program.nodes[index].source->modules)
                ends[call.key] = static_cast<std::ptrdiff_t>(index);
        for (const ProgramNode& node : m_program.nodes)
            forEachRead(node, [&](ValueId id) {
                const auto value = static_cast<std::size_t>(id);
                if (const auto* entered = firstCallWithout(node, value))
                    m_last[value] = std::max(m_last[value], ends.at(entered->key));
            });
    }

    // The outermost call around the node within which the value was not made.
    const archive::ModuleCall* firstCallWithout(const ProgramNode& node, std::size_t value) const
    {
        if (m_made[value] == kNever)
            return nullptr;
        const auto& uses = node.source->modules;
        const auto& makes = m_program.nodes[static_cast<std::size_t>(m_made[value])].source->modules;
        const std::size_t shared = std::min(uses.size(), makes.size());
        for (std::size_t depth = 0; depth < uses.size(); ++depth)
            if (depth >= shared || uses[depth].key != makes[depth].key)
                return &uses[depth];
        return nullptr;
    }

    const GraphProgram& m_program;
    std::vector<std::ptrdiff_t> m_last;
    std::vector<std::ptrdiff_t> m_made;
};

} // namespace

std::vector<std::size_t> setLifetimes(
    GraphProgram& program, const archive::ExportedModel& model, const std::vector<bool>& kept)
{
    const std::vector<std::ptrdiff_t> last = Lifetimes(program, model).last();
    const std::size_t end = program.nodes.size();
    std::vector<std::size_t> releases(last.size(), end);
    for (std::size_t value = 0; value < last.size(); ++value)
        if (!kept[value] && last[value] != kNever)
            releases[value] = std::min(static_cast<std::size_t>(last[value]), end);
    for (const ValueId output : program.outputs)
        if (output != kNoValue)
            releases[static_cast<std::size_t>(output)] = end;
    for (std::size_t value = 0; value < releases.size(); ++value)
        if (releases[value] < end)
            program.nodes[releases[value]].released.push_back(static_cast<ValueId>(value));
    return releases;
}

} // namespace headroom::models
