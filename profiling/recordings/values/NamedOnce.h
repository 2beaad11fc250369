// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/recordings/values/Objects.h"

#include <vector>

namespace headroom::recordings {

/// Lists and dictionaries that a file may name once: what is read at each place that names it would be much more than
/// the file's own size if a few bytes could name it again.
class NamedOnce {
public:
    explicit NamedOnce(const Objects& objects);

    /// Throws std::length_error "`what` named twice ..." for the second time. Lists without elements may come again.
    void requireOnce(const Value& value, const char* what);

private:
    const Objects& m_objects;
    std::vector<bool> m_lists; ///< whether it was named, by its number
    std::vector<bool> m_dicts;
};

} // namespace headroom::recordings
