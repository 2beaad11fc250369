// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/GraphReader.h"

#include <map>
#include <string>
#include <string_view>

namespace headroom::archive {

/// Members that are left out, by name, with one that stands before them in the same object and is a number or a text:
/// names of values may be any, so that by itself none tells what it is.
using LeftOut = std::map<std::string_view, std::string_view>;

/// Parses JSON that somebody else wrote, without what is left out: what is never read costs no memory. Throws FileError
/// at `where` for text that is no JSON, has a number beyond every float, or has more values than an archive.
Json parseJson(const std::string& text, const std::string& where, const LeftOut& leftOut = {});

} // namespace headroom::archive
