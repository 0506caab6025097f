#include "passes/image/chart.hpp"
#include "passes/image/plot.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tuff::testing_gpu {
namespace {

using passes::Plot;

class PlotTest : public GpuTest {
  protected:
    static Buffer curve(Graph& g, const std::string& name, const std::vector<float>& values) {
        return g.constant_buffer(name, {.size = values.size() * 4, .stride = 4}, bytes_of(values));
    }
};

/// Texels of a column that a curve covers: those of a hue. The grid is grey.
std::vector<std::uint32_t> colored(const HostImage& picture, std::uint32_t x) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t y = 0; y < picture.extent.height; ++y) {
        const auto texel = picture.texel(x, y);
        if (texel[0] != texel[1] || texel[1] != texel[2]) rows.push_back(y);
    }
    return rows;
}

TEST_F(PlotTest, CurvesGoThroughTheirValues) {
    constexpr std::uint32_t kWidth = 200;
    constexpr std::uint32_t kHeight = 101;
    for (const bool logarithmic : {false, true}) {
        // A straight line on either axis.
        std::vector<float> values(41);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double t = static_cast<double>(i) / 40.0;
            values[i] = static_cast<float>(logarithmic ? std::pow(10.0, -4.0 + 3.0 * t) : t);
        }
        Graph g = graph();
        Plot plot{.width = kWidth,
                  .height = kHeight,
                  .logarithmic = logarithmic,
                  .line = 2.0f,
                  .axes = false};
        if (logarithmic) plot.low = 1e-4f;
        if (logarithmic) plot.high = 1e-1f;
        plot.curves = {curve(g, "curve", values)};
        g.output("picture", g.add(plot).result);
        const HostImage picture = run(std::move(g)).image("picture");
        for (std::uint32_t x = 5; x < kWidth - 5; x += 7) {
            const std::vector<std::uint32_t> rows = colored(picture, x);
            ASSERT_FALSE(rows.empty()) << x;
            const double middle = 0.5 * (rows.front() + rows.back()) + 0.5;
            const double wanted = kHeight * (1.0 - (x + 0.5) / kWidth);
            EXPECT_NEAR(middle, wanted, 1.0) << x;
            EXPECT_LE(rows.back() - rows.front(), 4u) << x;
        }
    }
}

TEST_F(PlotTest, WhatIsNoNumberIsAGapAndShortCurvesEnd) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    Graph g = graph();
    Plot plot{
        .width = 90, .height = 30, .logarithmic = true, .low = 0.1f, .high = 10.0f, .axes = false};
    plot.curves = {curve(g, "gaps", {1, 1, kNan, kInfinite, -1, 0, 1, 1, 1, 1}),
                   curve(g, "short", {5, 5, 5})};
    const Plot made = g.add(plot);
    g.output("picture", made.result);
    g.output("table", made.table);
    Running running = run(std::move(g));
    const HostImage picture = running.image("picture");
    EXPECT_FALSE(colored(picture, 5).empty());
    EXPECT_TRUE(colored(picture, 40).empty());
    EXPECT_FALSE(colored(picture, 75).empty());
    const auto table = running.buffer<float>("table");
    ASSERT_EQ(table.size(), 20u);
    EXPECT_EQ(table[2 * 2 + 1], 5.0f);
    EXPECT_TRUE(std::isnan(table[2 * 3 + 1]));
    EXPECT_EQ(table[2 * 4], -1.0f);
}

TEST_F(PlotTest, OneElementAndManyMoreThanTexelsAreDrawn) {
    std::vector<float> many(5'000);
    for (std::size_t i = 0; i < many.size(); ++i)
        many[i] = i % 2 == 0 ? 0.25f : 0.75f;
    Graph g = graph();
    Plot one{.width = 31, .height = 31, .line = 6.0f, .axes = false};
    one.curves = {curve(g, "one", {0.5f})};
    g.output("one", g.add(one, "one").result);
    Plot band{.width = 31, .height = 40, .axes = false};
    band.curves = {curve(g, "many", many)};
    g.output("many", g.add(band, "many").result);
    Running running = run(std::move(g));
    EXPECT_FALSE(colored(running.image("one"), 15).empty());
    EXPECT_TRUE(colored(running.image("one"), 3).empty());
    EXPECT_GE(colored(running.image("many"), 15).size(), 20u);
}

/// The rectangle that is not white, and how many of its texels are dark.
struct Drawn {
    std::uint32_t left = ~0u, top = ~0u, right = 0, bottom = 0, dark = 0;
};

Drawn drawn_in(const HostImage& picture, Extent low, Extent high) {
    Drawn drawn;
    for (std::uint32_t y = low.height; y < high.height; ++y)
        for (std::uint32_t x = low.width; x < high.width; ++x) {
            const auto texel = picture.texel(x, y);
            if (texel[0] > 0.5f || texel[1] > 0.5f || texel[2] > 0.5f) continue;
            drawn.left = std::min(drawn.left, x);
            drawn.right = std::max(drawn.right, x);
            drawn.top = std::min(drawn.top, y);
            drawn.bottom = std::max(drawn.bottom, y);
            ++drawn.dark;
        }
    return drawn;
}

TEST_F(PlotTest, CurvesLieAtTheNumbersOfTheAxes) {
    // 10 to 20 along, 0 to 4 up: at 15 the curve is at 3, whose line of the grid it lies on there.
    Graph g = graph();
    Plot plot{.width = 400, .height = 300, .high = 4.0f, .line = 1.0f};
    plot.first = 10.0f;
    plot.step = 5.0f;
    plot.title = "A title";
    plot.x_label = "along";
    plot.y_label = "up";
    plot.names = {"flat"};
    plot.curves = {curve(g, "flat", {3.0f, 3.0f, 3.0f})};
    g.output("picture", g.add(plot).result);
    const HostImage picture = run(std::move(g)).image("picture");
    const passes::ChartPicture chart =
        passes::draw_chart({.width = 400,
                            .height = 300,
                            .title = "A title",
                            .x = {.low = 10.0, .high = 20.0, .label = "along"},
                            .y = {.low = 0.0, .high = 4.0, .label = "up"},
                            .names = {"flat"}});
    const auto column = static_cast<std::uint32_t>((chart.low.x + chart.high.x) / 2);
    const double at = chart.high.y - 0.75 * (chart.high.y - chart.low.y);
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t y : colored(picture, column))
        if (y >= static_cast<std::uint32_t>(chart.low.y)) rows.push_back(y);
    ASSERT_FALSE(rows.empty());
    EXPECT_NEAR(0.5 * (rows.front() + rows.back()) + 0.5, at, 1.0);
    // Outside the rectangle every texel is the chart's.
    for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 400; ++x) {
            if (x >= chart.low.x && x < chart.high.x && y >= chart.low.y && y < chart.high.y)
                continue;
            const auto texel =
                picture.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            const glm::u8vec4 wanted = chart.canvas.texels[static_cast<std::size_t>(y * 400 + x)];
            ASSERT_NEAR(texel[0], wanted.x / 255.0f, 1e-3f) << x << ' ' << y;
            ASSERT_NEAR(texel[2], wanted.z / 255.0f, 1e-3f) << x << ' ' << y;
        }
    // Letters above, below and to the left.
    const auto low = [](int value) { return static_cast<std::uint32_t>(value); };
    EXPECT_GT(drawn_in(picture, {0, 0}, {400, low(chart.low.y - 1)}).dark, 60u);
    EXPECT_GT(drawn_in(picture, {0, low(chart.high.y + 2)}, {400, 300}).dark, 60u);
    EXPECT_GT(
        drawn_in(picture, {0, low(chart.low.y)}, {low(chart.low.x - 2), low(chart.high.y)}).dark,
        60u);
}

TEST_F(PlotTest, ASmallPictureIsAllCurves) {
    Graph g = graph();
    Plot plot{.width = 40, .height = 30, .line = 3.0f};
    plot.title = "far too long a title for such a picture";
    plot.curves = {curve(g, "flat", {0.5f, 0.5f})};
    g.output("picture", g.add(plot).result);
    const HostImage picture = run(std::move(g)).image("picture");
    EXPECT_FALSE(colored(picture, 0).empty());
    EXPECT_FALSE(colored(picture, 39).empty());
}

TEST_F(PlotTest, WhatMakesNoAxisIsRefused) {
    const auto code_of = [&](Plot plot, std::size_t curves) {
        Graph g = graph();
        for (std::size_t i = 0; i < curves; ++i)
            plot.curves.push_back(curve(g, "curve" + std::to_string(i), {1.0f}));
        static_cast<void>(g.add(plot));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(code_of({}, 0), "graph/unconnected");
    EXPECT_EQ(code_of({}, 9), "pass/out-of-range");
    EXPECT_EQ(code_of({.low = 1.0f, .high = 1.0f}, 1), "pass/out-of-range");
    EXPECT_EQ(code_of({.logarithmic = true, .low = 0.0f}, 1), "pass/out-of-range");
    EXPECT_EQ(code_of({.width = 0}, 1), "pass/out-of-range");
    EXPECT_EQ(code_of({.names = {"a", "b"}}, 1), "pass/out-of-range");
    EXPECT_EQ(code_of({.step = 0.0f}, 1), "pass/out-of-range");
    EXPECT_EQ(code_of({.high = std::numeric_limits<float>::infinity()}, 1), "pass/out-of-range");
}

} // namespace
} // namespace tuff::testing_gpu
