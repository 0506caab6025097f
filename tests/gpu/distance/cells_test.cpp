#include "passes/distance/cells.hpp"
#include "passes/distance/exact.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff {
namespace {

using passes::DistanceCells;
using passes::ExactDistance;

/// pcg3d of Jarzynski and Olano, as numbers from 0 to 1.
std::array<double, 3> cell_random(std::array<std::uint32_t, 3> v) {
    for (std::uint32_t& word : v)
        word = word * 1664525u + 1013904223u;
    const auto mix = [&] {
        v[0] += v[1] * v[2];
        v[1] += v[2] * v[0];
        v[2] += v[0] * v[1];
    };
    mix();
    for (std::uint32_t& word : v)
        word ^= word >> 16u;
    mix();
    return {(v[0] >> 8) * 0x1p-24, (v[1] >> 8) * 0x1p-24, (v[2] >> 8) * 0x1p-24};
}

double cell_drawn(double away, double radius) {
    return radius > 0.0 ? std::clamp(radius + 0.5 - away, 0.0, 1.0) : 0.0;
}

class CellsTest : public DistanceTest {};

TEST_F(CellsTest, EachTexelHasTheColourOfItsSiteUnderLinesAndDots) {
    const reference::Seed seed = random_seed(97, 61, 0.002, 5);
    for (const DistanceCells& look :
         {DistanceCells{}, DistanceCells{.contours = 7.5f, .line = 3.0f, .dot = 0.0f, .colors = 9},
          DistanceCells{.contours = 0.0f, .dot = 5.0f}}) {
        Graph g = graph();
        const auto exact = g.add(ExactDistance{.seed = image_of(g, seed)});
        DistanceCells pass = look;
        pass.site = exact.site;
        pass.field = exact.field;
        g.output("site", exact.site);
        g.output("field", exact.field);
        g.output("result", g.add(pass).result);
        testing_gpu::Running running = run(std::move(g));
        const auto sites = whole_numbers(running.image("site"));
        const auto squares = whole_numbers(running.image("field"));
        const HostImage picture = running.image("result");
        for (std::uint32_t i = 0; i < sites.size(); ++i) {
            const auto random = cell_random({sites[i] & 0xffffu, sites[i] >> 16, look.colors});
            const double away = std::sqrt(static_cast<double>(squares[i]));
            const double spacing = static_cast<double>(look.contours);
            double line = 0.0;
            if (spacing > 0.0)
                line =
                    cell_drawn(std::abs(away - std::max(std::round(away / spacing), 1.0) * spacing),
                               0.5 * static_cast<double>(look.line));
            const double dot = cell_drawn(away, static_cast<double>(look.dot));
            const auto got = picture.texel(i % 97, i / 97);
            for (std::size_t c = 0; c < 3; ++c) {
                const double color = (0.35 + 0.6 * random[c]) * (1.0 - 0.55 * line);
                ASSERT_NEAR(got[c], color * (1.0 - dot) + 0.05 * dot, 0.6 / 255) << i;
            }
            ASSERT_EQ(got[3], 1.0f);
        }
    }
}

TEST_F(CellsTest, WithoutASiteAllIsGrey) {
    Graph g = graph();
    const auto exact = g.add(
        ExactDistance{.seed = image_of(g, seed_where(20, 9, [](auto, auto) { return false; }))});
    g.output("result", g.add(DistanceCells{.site = exact.site, .field = exact.field}).result);
    const HostImage picture = run(std::move(g)).image("result");
    for (std::uint32_t x = 0; x < 20; ++x)
        EXPECT_NEAR(picture.texel(x, 4)[0], 0.5f, 0.6f / 255);
}

TEST_F(CellsTest, OtherImagesThanThoseOfExactDistancesAreRefused) {
    const auto code_for = [&](ImageDesc site, ImageDesc field) {
        Graph g = graph();
        (void)g.add(DistanceCells{.site = g.image("site", site), .field = g.image("field", field)});
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    const ImageDesc words{.format = Format::r32_uint, .extent = {8, 6, 1}};
    EXPECT_EQ(code_for(words, words), "");
    EXPECT_EQ(code_for({.format = Format::r16_uint, .extent = {8, 6, 1}}, words),
              "distance/field-format");
    EXPECT_EQ(code_for(words, {.format = Format::r32_sfloat, .extent = {8, 6, 1}}),
              "distance/field-format");
    EXPECT_EQ(code_for(words, {.format = Format::r32_uint, .extent = {8, 7, 1}}),
              "image/size-mismatch");
    const ImageDesc volume{
        .format = Format::r32_uint, .extent = {8, 6, 2}, .shape = ImageShape::d3};
    EXPECT_EQ(code_for(volume, volume), "image/not-two-dimensional");
}

} // namespace
} // namespace tuff
