#include "passes/image/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tuff::passes {
namespace {

constexpr glm::vec4 kPaper(1.0f);
constexpr glm::vec4 kInk(0.13f, 0.13f, 0.13f, 1.0f);
constexpr glm::vec4 kGridLine(0.86f, 0.86f, 0.86f, 1.0f);
constexpr int kLeastSide = 32; // texels; below it numbers would leave no room for curves

std::string power_of_ten(int exponent) {
    constexpr std::string_view kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (exponent == 0) return "1";
    if (exponent == 1) return "10";
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent)))
        text += kDigits[digit - '0'];
    return text;
}

/// Ends of an axis are given as floats: 1e-7 is meant as 10⁻⁷.
constexpr double kRounding = 1e-6;

/// 1, 2 or 5 times a power of ten: the least from `least` on.
double round_step(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1.0 - 1e-9)) return factor * power;
    return 10.0 * power;
}

std::vector<Tick> linear_ticks(const ChartAxis& axis, std::size_t most) {
    const double step =
        round_step((axis.high - axis.low) / static_cast<double>(std::max<std::size_t>(most, 1)));
    const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
    const int decimals =
        static_cast<int>(std::clamp(-std::floor(std::log10(step) + 1e-9), 0.0, 12.0));
    const bool plain = largest < 1e6 && step >= 1e-4;
    std::vector<Tick> ticks;
    const double end = axis.high + kRounding * step;
    for (double i = std::ceil(axis.low / step - kRounding); i * step <= end; ++i) {
        const double value = i == 0.0 ? 0.0 : i * step;
        ticks.push_back({value, plain ? fmt::format("{:.{}f}", value, decimals)
                                      : fmt::format("{:.4g}", value)});
    }
    return ticks;
}

std::vector<Tick> logarithmic_ticks(const ChartAxis& axis, std::size_t most) {
    const int first = static_cast<int>(std::ceil(std::log10(axis.low) - kRounding));
    const int last = static_cast<int>(std::floor(std::log10(axis.high) + kRounding));
    if (last <= first) return linear_ticks(axis, most);
    const int count = last - first + 1;
    const int every =
        std::max(1, (count + static_cast<int>(most) - 1) / std::max(1, static_cast<int>(most)));
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; ++exponent)
        ticks.push_back({std::pow(10.0, exponent),
                         (exponent - first) % every == 0 ? power_of_ten(exponent) : std::string()});
    return ticks;
}

float widest(const std::vector<Tick>& ticks, float size) {
    float width = 0.0f;
    for (const Tick& tick : ticks)
        width = std::max(width, text_width(tick.text, size));
    return width;
}

/// Names with a sample of their colour, in as many lines as they take from `y` on. Returns the
/// number of lines; draws nothing without a canvas.
int lay_legend(Canvas* canvas, const Chart& chart, glm::ivec2 corner, int width) {
    if (chart.names.empty()) return 0;
    const float size = chart.text;
    const int line = static_cast<int>(std::ceil(1.35f * size));
    const auto sample = static_cast<int>(1.5f * size);
    int lines = 1;
    float x = 0.0f;
    for (std::size_t i = 0; i < chart.names.size(); ++i) {
        const std::string name =
            shortened(chart.names[i], size, static_cast<float>(width) - 2.0f * size);
        const float taken = 2.0f * size + text_width(name, size);
        if (x > 0.0f && x + taken > static_cast<float>(width)) {
            x = 0.0f;
            ++lines;
        }
        if (canvas) {
            const glm::ivec2 at = corner + glm::ivec2(static_cast<int>(x), (lines - 1) * line);
            const int middle = at.y + line / 2;
            const glm::vec4 color = kCurveColors[i % kCurveColors.size()];
            canvas->fill({at.x, middle - 1}, {at.x + sample, middle + 2}, color);
            const float base = static_cast<float>(middle) + 0.5f * capital_height(size);
            draw_text(*canvas, name, size, {static_cast<float>(at.x) + 1.8f * size, base}, kInk);
        }
        x += taken + size;
    }
    return lines;
}

} // namespace

std::vector<Tick> ticks_of(const ChartAxis& axis, std::size_t most) {
    return axis.logarithmic ? logarithmic_ticks(axis, most) : linear_ticks(axis, most);
}

double place_on(const ChartAxis& axis, double value) {
    if (!axis.logarithmic) return (value - axis.low) / (axis.high - axis.low);
    return std::log(value / axis.low) / std::log(axis.high / axis.low);
}

ChartPicture draw_chart(const Chart& chart) {
    const float size = chart.text;
    const glm::ivec2 all(chart.width, chart.height);
    const int line = static_cast<int>(std::ceil(1.35f * size));
    const int gap = static_cast<int>(0.6f * size) + 1;

    // From the outside to the inside. How many numbers there is room for follows from the sides.
    glm::ivec2 low(gap), high = all - gap;
    if (!chart.title.empty()) low.y += line + gap;
    low.y += line * lay_legend(nullptr, chart, {}, high.x - low.x);
    if (!chart.names.empty()) low.y += gap;
    const int title_end = chart.title.empty() ? gap : 2 * gap + line;
    high.y -= line + (chart.x.label.empty() ? 0 : line);
    const std::size_t rows =
        static_cast<std::size_t>(std::clamp((high.y - low.y) / (2 * line), 2, 12));
    const std::vector<Tick> y_ticks = ticks_of(chart.y, rows);
    low.x += static_cast<int>(std::ceil(widest(y_ticks, size))) + gap / 2 +
             (chart.y.label.empty() ? 0 : line);
    std::size_t columns = 10;
    std::vector<Tick> x_ticks = ticks_of(chart.x, columns);
    const auto overlap = [&] {
        const float room = static_cast<float>(high.x - low.x) / static_cast<float>(x_ticks.size());
        return widest(x_ticks, size) + size > room;
    };
    while (columns > 2 && overlap())
        x_ticks = ticks_of(chart.x, --columns);
    high.x -= static_cast<int>(0.5f * widest(x_ticks, size)); // the last number reaches out

    Canvas canvas(chart.width, chart.height, kPaper);
    if (high.x - low.x < kLeastSide || high.y - low.y < kLeastSide)
        return {std::move(canvas), glm::ivec2(0), all};

    const glm::vec2 sides(high - low);
    const float half_capital = 0.5f * capital_height(size);
    for (const Tick& tick : y_ticks) {
        const auto up = static_cast<float>(place_on(chart.y, tick.value));
        const float y = static_cast<float>(high.y) - up * sides.y;
        const int row = std::clamp(static_cast<int>(std::floor(y)), low.y, high.y - 1);
        canvas.fill({low.x, row}, {high.x, row + 1}, kGridLine);
        draw_text(canvas, tick.text, size,
                  {static_cast<float>(low.x - gap / 2 - 1), y + half_capital}, kInk,
                  TextAnchor::right);
    }
    for (const Tick& tick : x_ticks) {
        const auto along = static_cast<float>(place_on(chart.x, tick.value));
        const float x = static_cast<float>(low.x) + along * sides.x;
        const int column = std::clamp(static_cast<int>(std::floor(x)), low.x, high.x - 1);
        canvas.fill({column, low.y}, {column + 1, high.y}, kGridLine);
        draw_text(canvas, tick.text, size, {x, static_cast<float>(high.y + gap / 2) + size}, kInk,
                  TextAnchor::middle);
    }
    // The frame stands outside the rectangle of the curves.
    canvas.fill({low.x - 1, low.y}, {low.x, high.y + 1}, kInk);
    canvas.fill({low.x - 1, high.y}, {high.x, high.y + 1}, kInk);

    const float center = 0.5f * static_cast<float>(low.x + high.x);
    const float middle = 0.5f * static_cast<float>(low.y + high.y);
    const auto end = static_cast<float>(all.y - gap);
    const std::string title =
        shortened(chart.title, 1.15f * size, static_cast<float>(all.x - 2 * gap));
    draw_text(canvas, title, 1.15f * size,
              {0.5f * static_cast<float>(all.x), static_cast<float>(gap) + size}, kInk,
              TextAnchor::middle);
    lay_legend(&canvas, chart, {gap, title_end}, all.x - 2 * gap);
    draw_text(canvas, shortened(chart.x.label, size, sides.x), size, {center, end}, kInk,
              TextAnchor::middle);
    draw_text(canvas, shortened(chart.y.label, size, sides.y), size,
              {static_cast<float>(gap) + 0.8f * size, middle}, kInk, TextAnchor::middle, true);
    return {std::move(canvas), low, high};
}

} // namespace tuff::passes
