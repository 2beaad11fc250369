// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace headroom {

/// Base of all errors of Headroom: it says what was wrong, where, and what would be right. The message is one line that
/// a stranger can act on; `where` and `valid` may be empty.
class Error : public std::runtime_error {
public:
    explicit Error(std::string what, std::string where = {}, std::string valid = {});

    const std::string& problem() const noexcept { return m_problem; }
    const std::string& where() const noexcept { return m_where; }
    const std::string& valid() const noexcept { return m_valid; }

private:
    std::string m_problem;
    std::string m_where;
    std::string m_valid;
};

/// Bad usage, a bad spec or an unknown name: nothing was run. Exit code 2.
class UsageError : public Error {
public:
    using Error::Error;
};

/// A workspace, spool or other file that cannot be read or written. Exit code 5.
class FileError : public Error {
public:
    using Error::Error;
};

/// A trial that cannot be carried out: worker crash, missing device, broken protocol. Exit code 3.
class TrialError : public Error {
public:
    using Error::Error;
};

} // namespace headroom
