#pragma once

#include <string>
#include <string_view>

namespace tuff {

/// With the letters A to Z in lower case; others stay.
inline std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

} // namespace tuff
