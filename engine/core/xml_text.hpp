#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// The code points of a text; bytes that are no UTF-8, and control characters, which XML does not
/// allow, become the replacement character.
std::vector<std::string> code_points(std::string_view text);

/// `text` with what means something to XML and HTML escaped, also as the value of an attribute,
/// made of its code points.
std::string xml_text(std::string_view text);

} // namespace tuff
