// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::experiments {

/// The command as it can be typed: words that a shell would split or expand are put in single quotes.
std::string shellCommand(const std::vector<std::string>& words);

/// The words of a command made by shellCommand.
std::vector<std::string> shellWords(const std::string& command);

/// Whether an option, a setting or an environment variable of this name is likely to hold a secret: `--hf-token`,
/// `HF_TOKEN`, `aws_secret_access_key`, `db.password`.
bool isSecretName(std::string_view name);

/// A command line as it may be kept and shown: the values of such names are gone, and every word is quoted, whoever
/// wrote it, so that nothing in it means more to a shell than a word of this command.
std::string shownCommand(const std::string& command);

} // namespace headroom::experiments
