// SPDX-License-Identifier: Apache-2.0
#include "core/config/Problem.h"

namespace headroom::config {

std::vector<std::string> sentencesOf(const std::vector<Problem>& problems)
{
    std::vector<std::string> sentences;
    for (const Problem& problem : problems)
        sentences.push_back(problem.sentence());
    return sentences;
}

} // namespace headroom::config
