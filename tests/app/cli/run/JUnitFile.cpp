// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run/JUnitFile.h"

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace headroom::cli {

experiments::OrderedJson readJUnit(const std::string& file)
{
    const std::string command = "python3 " HEADROOM_SOURCE_DIR "/tests/app/cli/read_junit.py '" + file + "'";
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr)
        throw std::runtime_error("no pipe");
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t count = 0; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        text.append(buffer.data(), count);
    if (::pclose(pipe) != 0)
        throw std::runtime_error(file + " is no JUnit file");
    return experiments::OrderedJson::parse(text);
}

} // namespace headroom::cli
