// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::interchange {

/// "void at::native::foo<float>(int)" for a mangled C++ name; any other name is returned unchanged.
std::string demangled(const std::string& name);

/// "foo": the demangled name without namespaces, template arguments, parameters and return type.
std::string shortName(const std::string& demangledName);

} // namespace headroom::interchange
