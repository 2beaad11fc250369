// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace headroom::experiments {

/// Changes single settings of a spec in its text, so that everything else stays as people wrote it: comments, order,
/// blank lines, and keys that a form does not show. After an edit the text means what it meant before, but for the one
/// setting.
///
/// Paths are those of SpecSettings in full (`techniques.KEY` is the notation), and for the top level `name`, `title`
/// and `description`. `part` counts [[part]] from 0; none is the top level. Values are in TOML syntax.
class SpecEditor {
public:
    /// `source` names the text in messages. Throws UsageError with its line for text that is no TOML.
    SpecEditor(std::string toml, std::string source);

    const std::string& text() const { return m_text; }
    std::size_t numberOfParts() const;

    /// The value as it stands in the text; none where the key does not stand there.
    std::optional<std::string> valueText(const std::string& path, std::optional<std::size_t> part = std::nullopt) const;

    /// Replaces the value's characters, or adds the key at the end of its table, or that table. Throws UsageError, the
    /// text unchanged, for what is no value, no path, and no part of this spec.
    void set(const std::string& path, const std::string& value, std::optional<std::size_t> part = std::nullopt);

    /// Takes the key and its line away; its table too, where nothing is left of that but what `set` would write. A key
    /// that is not there is no error.
    void clear(const std::string& path, std::optional<std::size_t> part = std::nullopt);

private:
    std::string m_text;
    std::string m_source;
};

} // namespace headroom::experiments
