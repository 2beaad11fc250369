// SPDX-License-Identifier: Apache-2.0
#include "core/config/SegmentAddresses.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"

#include <algorithm>

namespace headroom::config {

const std::vector<std::string>& segmentAddressesWords()
{
    static const std::vector<std::string> kWords{"linux", "ascending"};
    return kWords;
}

const std::string& toText(SegmentAddresses addresses)
{
    return segmentAddressesWords().at(static_cast<std::size_t>(addresses));
}

SegmentAddresses segmentAddressesFromText(const std::string& text, const std::string& where)
{
    const auto& words = segmentAddressesWords();
    const auto found = std::ranges::find(words, text);
    if (found == words.end())
        throw UsageError("found \"" + text + "\"", where, joined(words));
    return static_cast<SegmentAddresses>(found - words.begin());
}

SegmentAddresses otherThan(SegmentAddresses addresses)
{
    return addresses == SegmentAddresses::Linux ? SegmentAddresses::Ascending : SegmentAddresses::Linux;
}

} // namespace headroom::config
