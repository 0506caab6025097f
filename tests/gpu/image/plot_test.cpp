#include "tests/gpu/gpu_fixture.hpp"
#include "passes/image/plot.hpp"

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
        Plot plot{.width = kWidth, .height = kHeight, .logarithmic = logarithmic, .line = 2.0f};
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
    Plot plot{.width = 90, .height = 30, .logarithmic = true, .low = 0.1f, .high = 10.0f};
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
    Plot one{.width = 31, .height = 31, .line = 6.0f};
    one.curves = {curve(g, "one", {0.5f})};
    g.output("one", g.add(one, "one").result);
    Plot band{.width = 31, .height = 40};
    band.curves = {curve(g, "many", many)};
    g.output("many", g.add(band, "many").result);
    Running running = run(std::move(g));
    EXPECT_FALSE(colored(running.image("one"), 15).empty());
    EXPECT_TRUE(colored(running.image("one"), 3).empty());
    EXPECT_GE(colored(running.image("many"), 15).size(), 20u);
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
    EXPECT_EQ(code_of({.high = std::numeric_limits<float>::infinity()}, 1), "pass/out-of-range");
}

} // namespace
} // namespace tuff::testing_gpu
