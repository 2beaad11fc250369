// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/Checkout.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace headroom::simulator {

/// A folder of its own for each test, gone afterwards.
class ProfileFolder : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& content) const
    {
        return m_folder.write(name, content);
    }

    const std::filesystem::path& folder() const { return m_folder.path(); }

    static std::string replaced(std::string text, const std::string& from, const std::string& to)
    {
        const std::size_t at = text.find(from);
        if (at == std::string::npos)
            ADD_FAILURE() << "'" << from << "' is not in the profile";
        else
            text.replace(at, from.size(), to);
        return text;
    }

private:
    TemporaryFolder m_folder;
};

} // namespace headroom::simulator
