#include "core/xml_text.hpp"

#include <cstddef>

namespace tuff {

std::vector<std::string> code_points(std::string_view text) {
    std::vector<std::string> points;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
        bool valid = length > 0 && i + length <= text.size() &&
                     ((lead >= 0x20 && lead != 0x7f) || lead == '\n');
        for (std::size_t k = 1; valid && k < length; ++k)
            valid = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
        points.emplace_back(valid ? text.substr(i, length) : "\xef\xbf\xbd");
        i += valid ? length : 1;
    }
    return points;
}

std::string xml_text(std::string_view text) {
    std::string result;
    for (const std::string& point : code_points(text)) {
        if (point == "&")
            result += "&amp;";
        else if (point == "<")
            result += "&lt;";
        else if (point == ">")
            result += "&gt;";
        else if (point == "\"")
            result += "&quot;";
        else
            result += point;
    }
    return result;
}

} // namespace tuff
