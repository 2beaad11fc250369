// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::cli {

enum class Colour { Plain, Red, Green, Yellow };

/// Standard error, where everything goes that is meant for people and is not the data itself.
class Console {
public:
    /// Looks at the terminal and at NO_COLOR and TERM.
    Console();

    bool isTerminal() const { return m_isTerminal; }
    /// Columns of the terminal; 80 where it does not say.
    int columns() const;

    /// The text in colour, or as it is where colours are not wanted.
    std::string painted(const std::string& text, Colour colour) const;

    /// A whole line; a status line that stands there is removed first.
    void line(const std::string& text);
    /// Replaces the status line; nothing where standard error is no terminal.
    void status(const std::string& text);
    void clearStatus();

private:
    bool m_isTerminal = false;
    bool m_hasColours = false;
    bool m_hasStatus = false;
};

} // namespace headroom::cli
