#pragma once

#include "passes/common/text.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What stands around curves: axes with their numbers, titles, a legend. Drawn on the host.
namespace tuff::passes {

/// Blue, orange, green, red, violet, brown, pink and grey.
inline constexpr std::array<glm::vec4, 8> kCurveColors{
    glm::vec4(0.12f, 0.47f, 0.71f, 1.0f), glm::vec4(1.0f, 0.5f, 0.05f, 1.0f),
    glm::vec4(0.17f, 0.63f, 0.17f, 1.0f), glm::vec4(0.84f, 0.15f, 0.16f, 1.0f),
    glm::vec4(0.58f, 0.4f, 0.74f, 1.0f),  glm::vec4(0.55f, 0.34f, 0.29f, 1.0f),
    glm::vec4(0.89f, 0.47f, 0.76f, 1.0f), glm::vec4(0.5f, 0.5f, 0.5f, 1.0f)};

/// The numbers along a side of the chart.
struct ChartAxis {
    double low = 0.0;
    double high = 1.0;
    bool logarithmic = false; ///< powers of ten at equal distances
    std::string label;
};

/// A line of the grid, with the number that stands at it.
struct Tick {
    double value = 0.0;
    std::string text; ///< empty: a line without a number

    bool operator==(const Tick&) const = default;
};

/// At most `most` numbers, round ones at equal distances: 1, 2 or 5 times a power of ten; on a
/// logarithmic axis powers of ten, or where that would be fewer than two the round ones.
std::vector<Tick> ticks_of(const ChartAxis& axis, std::size_t most);

/// Where `value` is between the ends of the axis: 0 to 1.
double place_on(const ChartAxis& axis, double value);

struct Chart {
    std::uint32_t width = 640;
    std::uint32_t height = 480;
    std::string title;
    ChartAxis x;
    ChartAxis y;
    std::vector<std::string> names; ///< of the curves, for the legend
    float text = 13.0f;             ///< height of a line, texels
};

/// A chart without its curves, and the rectangle they go into: its lower corner and the one behind
/// it. What has no room is left out, so that a small chart is all curves.
struct ChartPicture {
    Canvas canvas;
    glm::ivec2 low;
    glm::ivec2 high;
};
ChartPicture draw_chart(const Chart& chart);

} // namespace tuff::passes
