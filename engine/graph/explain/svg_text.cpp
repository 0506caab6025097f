#include "graph/explain/svg_text.hpp"

#include <cstddef>
#include <vector>

namespace tuff {
namespace {

constexpr double kCharacter = 6.7; ///< pixels
constexpr std::size_t kLongestLabel = 28;

/// Columns that a code point takes in a monospaced font: East Asian letters and pictures take two.
std::size_t columns_of(std::string_view code_point) {
    return code_point.size() > 2 && static_cast<unsigned char>(code_point[0]) >= 0xe1 ? 2 : 1;
}

/// The code points of a text; bytes that are no UTF-8, and control characters, which XML does not
/// allow, become the replacement character.
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

} // namespace

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

SvgLabel svg_label(std::string_view text, std::string_view suffix) {
    const std::vector<std::string> points = code_points(text);
    const auto width_of = [&](std::size_t first, std::size_t last) {
        std::size_t width = 0;
        for (std::size_t i = first; i < last; ++i)
            width += columns_of(points[i]);
        return width;
    };
    std::size_t head = points.size(), tail = points.size();
    const std::size_t room = kLongestLabel - suffix.size();
    if (width_of(0, points.size()) > room) {
        for (head = 0; width_of(0, head + 1) <= room / 3;)
            ++head;
        for (tail = points.size(); width_of(tail - 1, points.size()) <= room - room / 3 - 1;)
            --tail;
    }
    std::string cut;
    for (std::size_t i = 0; i < head; ++i)
        cut += points[i];
    std::size_t width = width_of(0, head);
    if (head < tail) {
        cut += "\xe2\x80\xa6";
        ++width;
    }
    for (std::size_t i = tail; i < points.size(); ++i)
        cut += points[i];
    width += width_of(tail, points.size()) + suffix.size();
    return {xml_text(cut + std::string(suffix)), static_cast<double>(width) * kCharacter};
}

} // namespace tuff
