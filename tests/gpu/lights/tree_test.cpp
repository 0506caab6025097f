#include "passes/lights/tree.hpp"
#include "tests/gpu/lights/lights_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tuff {
namespace {

using passes::CullLights;
using passes::CullTest;
using passes::DepthSplit;
using passes::LightLists;
using passes::LightTree;

/// The word of a list, where the summary says that there is one.
std::uint32_t word_of(const passes::LightGrid& grid, const std::vector<std::uint32_t>& masks,
                      const std::vector<std::uint32_t>& summaries, std::size_t list,
                      std::uint32_t w) {
    const bool there = summaries[list * grid.summary_words + w / 32] >> (w % 32) & 1;
    return there ? masks[list * grid.words + w] : 0;
}

class LightTreeTest : public LightsTest {};

TEST_F(LightTreeTest, LightsAreTheSameInAnotherOrderAndInTheirBalls) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const std::uint32_t count : {1u, 31u, 33u, 1024u, 1025u, 70000u}) {
        HostLights lights = random_lights(count, count, 0.3f, 0.5f);
        if (count > 1) lights.spheres[count / 2].w = 0.0f;
        if (count > 100) lights.spheres[7].w = infinity;
        if (count > 100) lights.spheres[8].y = std::numeric_limits<float>::quiet_NaN();
        Graph g = graph();
        const LightTree tree = g.add(LightTree{.source = lights_of(g, lights)});
        g.output("order", tree.order);
        g.output("spheres", tree.lights.spheres);
        g.output("shades", tree.lights.shades);
        g.output("nodes", tree.lights.nodes);
        g.output("tops", tree.lights.tops);
        testing_gpu::Running running = run(std::move(g));
        const auto order = running.buffer<std::uint32_t>("order");
        const auto spheres = running.buffer<glm::vec4>("spheres");
        const auto shades = running.buffer<passes::LightShade>("shades");
        const auto nodes = running.buffer<glm::vec4>("nodes");
        const auto tops = running.buffer<glm::vec4>("tops");
        ASSERT_EQ(nodes.size(), (count + 31) / 32);
        ASSERT_EQ(tops.size(), (count + 1023) / 1024);
        std::vector<bool> seen(count);
        double volumes = 0.0;
        for (std::uint32_t i = 0; i < count; ++i) {
            ASSERT_LT(order[i], count);
            ASSERT_FALSE(seen[order[i]]);
            seen[order[i]] = true;
            const glm::vec4 was = lights.spheres[order[i]];
            ASSERT_EQ(std::bit_cast<std::uint32_t>(spheres[i].y),
                      std::bit_cast<std::uint32_t>(was.y));
            ASSERT_EQ(spheres[i].x, was.x);
            ASSERT_EQ(spheres[i].w, was.w);
            ASSERT_EQ(shades[i].color, lights.shades[order[i]].color);
            ASSERT_EQ(shades[i].cos_outer, lights.shades[order[i]].cos_outer);
            if (!(was.w > 0.0f) || std::isnan(was.y)) continue;
            for (const glm::vec4& ball : {nodes[i / 32], tops[i / 1024]})
                ASSERT_GE(static_cast<double>(ball.w) * (1 + 1e-6),
                          glm::distance(glm::dvec3(ball), glm::dvec3(was)) +
                              static_cast<double>(was.w));
            if (std::isfinite(nodes[i / 32].w)) volumes += std::pow(nodes[i / 32].w, 3) / 32.0;
        }
        // Neighbours are near each other: balls are small against the box of 8 x 3.5 x 19.
        EXPECT_LT(count < 70000 ? 0.0 : volumes / (count / 32.0), 3.0);
    }
}

TEST_F(LightTreeTest, CullingByTheTreeFindsTheSetsThatTryingAllFinds) {
    const LitPicture picture = columns(131, 90);
    HostLights lights = random_lights(5000, 3, 0.2f, 0.4f);
    lights.spheres[11].w = std::numeric_limits<float>::infinity();
    lights.spheres[12].w = std::numeric_limits<float>::quiet_NaN();
    const TrueSets truth(picture, lights);
    for (const auto& [test, split] : {std::pair{CullTest::both, DepthSplit::modified_half},
                                      std::pair{CullTest::planes, DepthSplit::none},
                                      std::pair{CullTest::pixels, DepthSplit::mask}}) {
        Graph g = graph();
        CullLights pass =
            connected(g, picture, lights,
                      {.test = test, .split = split, .form = LightLists::capped, .room = 1024});
        const LightTree tree = g.add(LightTree{.source = pass.lights});
        pass.lights = tree.lights;
        const passes::LightGrid with = g.add(pass, "with").grid;
        pass.lights.nodes = pass.lights.tops = {};
        const passes::LightGrid without = g.add(pass, "without").grid;
        pass.macro = passes::MacroTiles::off;
        const passes::LightGrid by_tiles = g.add(pass, "by_tiles").grid;
        g.output("order", tree.order);
        const auto keep = [&](const passes::LightGrid& grid, const std::string& name) {
            g.output(name + "_masks", grid.masks);
            g.output(name + "_summaries", grid.summaries);
            g.output(name + "_lists", grid.lists);
            g.output(name + "_counts", grid.counts);
        };
        keep(with, "with");
        keep(without, "without");
        keep(by_tiles, "by_tiles");
        g.output("bounds", with.bounds);
        g.output("status", with.status);
        testing_gpu::Running running = run(std::move(g));
        const auto order = running.buffer<std::uint32_t>("order");
        const auto bounds = running.buffer<glm::vec4>("bounds");
        EXPECT_EQ(running.buffer<std::uint32_t>("status")[0], 1u);
        std::vector<std::vector<std::uint32_t>> words;
        for (const std::string name : {"with", "without", "by_tiles"}) {
            const auto masks = running.buffer<std::uint32_t>(name + "_masks");
            const auto summaries = running.buffer<std::uint32_t>(name + "_summaries");
            words.emplace_back();
            for (std::size_t list = 0; list < with.list_count(); ++list)
                for (std::uint32_t w = 0; w < with.words; ++w)
                    words.back().push_back(word_of(with, masks, summaries, list, w));
        }
        EXPECT_EQ(words[0], words[1]);
        EXPECT_EQ(words[0], words[2]);
        EXPECT_EQ(running.buffer<std::uint32_t>("with_counts"),
                  running.buffer<std::uint32_t>("without_counts"));
        // No light of a pixel is missing, as those of the brute force by their numbers from before.
        std::uint64_t missed = 0, needed = 0;
        HostGrid found{.grid = with, .masks = words[0], .bounds = bounds, .status = {}};
        std::vector<std::uint32_t> place(lights.count());
        for (std::uint32_t i = 0; i < lights.count(); ++i)
            place[order[i]] = i;
        for (std::uint32_t y = 0; y < picture.height; ++y)
            for (std::uint32_t x = 0; x < picture.width; ++x) {
                const std::size_t pixel = std::size_t{y} * picture.width + x;
                if (!picture.shows(pixel)) continue;
                const std::size_t list = found.list_of(x, y, picture.depth[pixel]);
                for (std::uint32_t w = 0; w < truth.words(); ++w)
                    for (std::uint32_t left = truth.of(pixel)[w]; left != 0; left &= left - 1) {
                        const std::uint32_t i =
                            32 * w + static_cast<std::uint32_t>(std::countr_zero(left));
                        ++needed;
                        missed += !found.has(list, place[i]);
                    }
            }
        EXPECT_EQ(missed, 0u);
        EXPECT_GT(needed, 10000u);
    }
}

TEST_F(LightTreeTest, AHundredThousandLightsGiveThePictureOfTryingAll) {
    const LitPicture picture = columns(40, 24);
    const HostLights lights = random_lights(100000, 5, 0.0f, 0.12f);
    Graph g = graph();
    const LightTree tree = g.add(LightTree{.source = lights_of(g, lights)});
    CullLights cull = connected(g, picture, {}, {});
    cull.lights = tree.lights;
    passes::ShadeLights pass = shading(g, picture, tree.lights, g.add(cull).grid);
    g.output("lit", g.add(pass, "lit").result);
    pass.grid = {};
    g.output("all", g.add(pass, "all").result);
    testing_gpu::Running running = run(std::move(g));
    const HostImage lit = running.image("lit"), all = running.image("all");
    double brightest = 0.0;
    for (std::uint32_t y = 0; y < picture.height; ++y)
        for (std::uint32_t x = 0; x < picture.width; ++x)
            for (std::size_t c = 0; c < 4; ++c) {
                const float wanted = all.texel(x, y)[c];
                ASSERT_NEAR(lit.texel(x, y)[c], wanted, 1e-6f + 1e-5f * wanted) << x << ", " << y;
                brightest = std::max(brightest, static_cast<double>(wanted));
            }
    EXPECT_GT(brightest, 1.0);
}

TEST_F(LightTreeTest, ATreeOfNoLightsAndOneOfOthersAreToldApart) {
    Graph g = graph();
    const LightTree empty = g.add(LightTree{.source = lights_of(g, {})});
    EXPECT_EQ(empty.lights.count, 0u);
    EXPECT_FALSE(empty.lights.nodes);
    const LightTree tree = g.add(LightTree{.source = lights_of(g, random_lights(40, 1))});
    const LitPicture picture = columns(20, 20);
    CullLights pass = connected(g, picture, random_lights(2000, 1));
    pass.lights.nodes = tree.lights.nodes;
    pass.lights.tops = tree.lights.tops;
    (void)g.add(pass);
    const GraphDesc built = std::move(g).finish();
    ASSERT_FALSE(built.diagnostics.empty());
    EXPECT_EQ(built.diagnostics.front().code, "primitives/too-short");
}

} // namespace
} // namespace tuff
