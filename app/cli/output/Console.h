// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::cli {

enum class Colour { Plain, Red, Green, Yellow };

/// A piece of a line in a colour of its own.
struct ColouredText {
    std::string text;
    Colour colour = Colour::Plain;
};

/// Standard error, where everything goes that is meant for people and is not the data itself. Whatever a text holds, it
/// is one line: control characters are spelled out.
class Console {
public:
    /// Looks at the terminal and at NO_COLOR and TERM.
    Console();

    /// Columns of the terminal; 80 where it does not say.
    int columns() const;

    /// A whole line; a status line that stands there is removed first.
    void line(const std::string& text);
    /// The same, in colours where they are wanted.
    void colouredLine(const std::vector<ColouredText>& pieces);
    /// Replaces the status line; nothing where standard error is no terminal.
    void status(const std::string& text);
    void clearStatus();

private:
    std::string painted(const ColouredText& piece) const;

    bool m_isTerminal = false;
    bool m_hasColours = false;
    bool m_hasStatus = false;
};

} // namespace headroom::cli
