// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom::ui {

/// Watches, while it lives, which files the thread that made it opens: those of users, not of the system (libraries,
/// fonts, themes). The executable links OpenHooks.cpp.
class UiThreadFiles {
public:
    UiThreadFiles();
    ~UiThreadFiles();
    UiThreadFiles(const UiThreadFiles&) = delete;
    UiThreadFiles& operator=(const UiThreadFiles&) = delete;

    const std::vector<std::string>& opened() const;
};

} // namespace headroom::ui
