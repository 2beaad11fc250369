// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::cli {

/// Whether an argument that may be a trial or a file is meant as a file: by its ending ("oom.pickle",
/// "runs/before.db").
bool isFileName(const std::string& name);

/// For commands that take a file or a trial: throws FileError, if it is meant as a file and there is none.
/// `valid`: what such a file holds.
void requireNamedFile(const std::string& name, const std::string& valid);

/// For commands that take trials only: throws UsageError that says how to get from a file to a trial, if it is meant as
/// one.
void refuseFile(const std::string& name, const std::string& where);

} // namespace headroom::cli
