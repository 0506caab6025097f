#include "graph/explain/svg_text.hpp"

#include "core/xml_text.hpp"

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

} // namespace

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
