// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace headroom::recordings {

/// A value of a Python pickle: what plain data consists of (None, bool, int, float, str, list, tuple, dict). Containers
/// are shared, as a pickle refers to one that it has had.
class Pickle {
public:
    using List = std::vector<Pickle>;

    Pickle() = default;
    template <typename T>
    explicit Pickle(T value)
        : m_value(std::move(value))
    {
    }

    /// Reads protocol 4 of plain data. Throws std::runtime_error for anything else, a cut file included.
    static Pickle read(const std::filesystem::path& file);

    static Pickle emptyList() { return Pickle(std::make_shared<List>()); }
    static Pickle emptyDict() { return Pickle(std::make_shared<Dict>()); }

    bool isNone() const { return std::holds_alternative<std::monostate>(m_value); }
    std::int64_t integer() const { return std::get<std::int64_t>(m_value); }
    bool truth() const { return std::get<bool>(m_value); }
    const std::string& text() const { return std::get<std::string>(m_value); }
    List& list() const { return *std::get<std::shared_ptr<List>>(m_value); }
    /// None where a dict has no such key.
    Pickle at(const std::string& key) const;
    void put(const Pickle& key, Pickle value) const;

private:
    struct Dict {
        std::vector<std::pair<Pickle, Pickle>> entries;
    };

    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::shared_ptr<List>, std::shared_ptr<Dict>>
        m_value;
};

} // namespace headroom::recordings
