// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace headroom::report {

/// A piece of HTML, so that text cannot be taken for it by mistake.
struct Html {
    std::string source;

    Html& operator+=(const Html& more)
    {
        source += more.source;
        return *this;
    }
    bool empty() const { return source.empty(); }
};

/// Text as HTML shows it: markup in it is text, what no page may hold (control characters, broken UTF-8) is replaced,
/// and marks of direction, which would turn around what follows, are spelled out.
Html text(const std::string& text);

/// Text that a user or a file gave, by itself: letters that are read from the right leave alone what stands beside it.
Html name(const std::string& text);

/// A sentence in which what stands in backquotes is code.
Html sentence(const std::string& text);

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// An element with an end tag; values of attributes are escaped.
Html element(const std::string& name, const Attributes& attributes, const Html& content);
Html element(const std::string& name, const Html& content);

} // namespace headroom::report
