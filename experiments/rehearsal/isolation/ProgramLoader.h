// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace headroom::experiments {

/// The loader that a program asks the kernel for, "/lib64/ld-linux-x86-64.so.2". `program` is a path or is looked for
/// in PATH. Empty for static programs, scripts and what is not there.
std::filesystem::path loaderOf(const std::string& program);

/// Whether that loader is musl's, which cannot load the card's libraries.
bool isOfMusl(const std::filesystem::path& loader);

} // namespace headroom::experiments
