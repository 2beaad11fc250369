// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/toml/TomlText.h"
#include "profiling/simulator/profiles/ComputeCapability.h"
#include "profiling/simulator/profiles/Sourced.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::simulator {

/// One table of a profile file, read strictly: every key must be known, have the right type and, if it is a constant,
/// carry its source: `key = { value = ..., source = "..." }`, with the `spread` of a measurement. All errors are
/// UsageError with file and line.
class ProfileTable {
public:
    /// Parses a file; throws FileError if it cannot be read, UsageError if it is not TOML (parseToml).
    static ProfileTable parse(const std::filesystem::path& file);
    /// The same for a text that is or will be the content of `file`.
    static ProfileTable parse(const std::string& text, const std::filesystem::path& file);

    bool has(const std::string& key) const { return m_table->contains(key); }

    std::string text(const std::string& key);
    /// The value, which must be one of `valid`.
    std::string choice(const std::string& key, const std::vector<std::string>& valid);
    /// The same; nullopt if the key is missing.
    std::optional<std::string> optionalChoice(const std::string& key, const std::vector<std::string>& valid);
    Bytes positiveBytes(const std::string& key);
    std::int64_t count(const std::string& key) { return positiveInteger(key); }
    /// A list of lists of `columns` numbers each.
    std::vector<std::vector<double>> numberRows(const std::string& key, std::size_t columns);
    ComputeCapability capability(const std::string& key);
    ProfileTable table(const std::string& key);
    std::optional<ProfileTable> optionalTable(const std::string& key);
    std::vector<ProfileTable> tables(const std::string& key);

    Sourced<Bytes> sourcedBytes(const std::string& key);
    Sourced<std::int64_t> sourcedCount(const std::string& key);
    Sourced<double> sourcedPositive(const std::string& key);
    Sourced<double> sourcedFraction(const std::string& key);
    Sourced<ComputeCapability> sourcedCapability(const std::string& key);
    Sourced<std::vector<ComputeCapability>> sourcedCapabilities(const std::string& key);
    Sourced<std::string> sourcedText(const std::string& key);
    Sourced<std::string> sourcedChoice(const std::string& key, const std::vector<std::string>& valid);
    Sourced<std::vector<std::string>> sourcedChoices(const std::string& key, const std::vector<std::string>& valid);

    /// Throws if the table has a key that was never read; the message lists the keys that were read.
    void refuseUnknown() const;

    [[noreturn]] void refuse(const std::string& key, const std::string& problem, const std::string& valid) const;

private:
    ProfileTable(std::shared_ptr<const toml::table> root, const toml::table& table, std::string file, std::string path);

    ProfileTable inner(const toml::table& table, const std::string& key) const;
    /// The inner table with a constant's value, and its source.
    std::pair<ProfileTable, std::string> constant(const std::string& key);
    std::optional<double> spread();
    std::vector<double> numberRow(const std::string& key, const toml::node& row, std::size_t columns) const;
    const toml::node& node(const std::string& key);
    std::vector<std::string> texts(const std::string& key);
    ComputeCapability parseCapability(const std::string& key, const std::string& text) const;
    void requireOneOf(const std::string& key, const std::string& found, const std::vector<std::string>& valid) const;
    double number(const std::string& key);
    std::int64_t positiveInteger(const std::string& key);
    std::string placeOf(const toml::source_region& region) const;
    std::string fullName(const std::string& key) const { return m_path.empty() ? key : m_path + "." + key; }

    std::shared_ptr<const toml::table> m_root; ///< never copied: copies of nodes lose their lines
    const toml::table* m_table;
    std::string m_file;
    std::string m_path;
    std::vector<std::string> m_asked;
};

} // namespace headroom::simulator
