// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace headroom::simulator {

inline std::filesystem::path shippedResources()
{
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources";
}

inline std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A folder of its own for each test, gone afterwards.
class ProfileFolder : public testing::Test {
protected:
    ProfileFolder()
        : m_folder(std::filesystem::path(testing::TempDir())
              / ("headroom-profiles-"
                  + std::string(testing::UnitTest::GetInstance()->current_test_info()->test_suite_name()) + "-"
                  + testing::UnitTest::GetInstance()->current_test_info()->name()))
    {
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }
    ~ProfileFolder() override { std::filesystem::remove_all(m_folder); }

    std::filesystem::path write(const std::string& name, const std::string& content) const
    {
        const std::filesystem::path file = m_folder / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << content;
        return file;
    }

    const std::filesystem::path& folder() const { return m_folder; }

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
    std::filesystem::path m_folder;
};

} // namespace headroom::simulator
