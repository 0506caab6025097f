#include "tests/gpu/lights/lights_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace tuff {
namespace {

using passes::CullLights;
using passes::CullTest;
using passes::DepthSplit;
using passes::LightGrid;
using passes::LightHeat;
using passes::LightLists;
using passes::LightTile;
using passes::ShadeLights;

class LightShadeTest : public LightsTest {
  protected:
    /// The lit picture, and how each grid's differs.
    static double greatest_difference(const HostImage& a, const HostImage& b) {
        double most = 0.0;
        for (std::uint32_t y = 0; y < a.extent.height; ++y)
            for (std::uint32_t x = 0; x < a.extent.width; ++x)
                for (std::size_t c = 0; c < 4; ++c) {
                    const auto p = static_cast<double>(a.texel(x, y)[c]);
                    const auto q = static_cast<double>(b.texel(x, y)[c]);
                    most = std::max(most, std::abs(p - q) / (1e-1 + std::abs(p)));
                }
        return most;
    }
};

TEST_F(LightShadeTest, EachListGivesThePictureOfAllLights) {
    for (const Projection kind : {Projection::perspective, Projection::orthographic}) {
        const LitPicture picture = columns(97, 61, kind);
        const HostLights lights = random_lights(90, 4);
        Graph g = graph();
        const passes::Lights in_graph = lights_of(g, lights);
        ShadeLights all = shading(g, picture, in_graph, {});
        all.ambient = {0.01f, 0.02f, 0.03f};
        g.output("all", g.add(all, "all").result);
        std::vector<std::string> names;
        for (const LightTile side : {LightTile::side8, LightTile::side16, LightTile::side32})
            for (const DepthSplit split :
                 {DepthSplit::none, DepthSplit::half, DepthSplit::modified_half, DepthSplit::mask})
                for (const LightLists form : {LightLists::masks, LightLists::capped}) {
                    const bool usual = side == LightTile::side16;
                    if (!usual && (form == LightLists::capped || kind != Projection::perspective))
                        continue;
                    CullLights pass = connected(
                        g, picture, lights,
                        {.side = side,
                         .test = side == LightTile::side8 ? CullTest::pixels : CullTest::both,
                         .split = split,
                         .form = form,
                         .room = 12}); // of some lists, so that some overflow
                    const std::string name = fmt::format("lists{}", names.size());
                    ShadeLights shade = all;
                    shade.grid = g.add(pass, name + "_cull").grid;
                    g.output(name, g.add(shade, name).result);
                    names.push_back(name);
                }
        testing_gpu::Running running = run(std::move(g));
        const HostImage wanted = running.image("all");
        // The order of the sum is the same, so that what remains is how kernels are compiled.
        for (const std::string& name : names)
            EXPECT_LE(greatest_difference(running.image(name), wanted), 1e-6) << name;
    }
}

TEST_F(LightShadeTest, PicturesAreThoseOfTheFormulasInDoublePrecision) {
    const LitPicture picture = columns(64, 48);
    const HostLights lights = random_lights(60, 8, 0.3f, 4.0f);
    for (const auto [roughness, metallic] : {std::array{0.5f, 0.0f}, std::array{0.3f, 0.7f}}) {
        Graph g = graph();
        const LightGrid grid = g.add(connected(g, picture, lights)).grid;
        ShadeLights pass = shading(g, picture, lights_of(g, lights), grid);
        pass.roughness = roughness;
        pass.metallic = metallic;
        pass.ambient = {0.1f, 0.2f, 0.3f};
        g.output("result", g.add(pass).result);
        const HostImage got = run(std::move(g)).image("result");
        const glm::dmat4 world = glm::inverse(picture.view());
        std::uint32_t lit = 0;
        for (std::uint32_t y = 0; y < picture.height; ++y)
            for (std::uint32_t x = 0; x < picture.width; ++x) {
                const std::size_t pixel = std::size_t{y} * picture.width + x;
                const std::array<float, 4> texel = got.texel(x, y);
                if (!picture.shows(pixel)) {
                    EXPECT_EQ(texel, (std::array{0.25f, 0.5f, 0.75f, 1.0f}));
                    continue;
                }
                const glm::dvec3 seen =
                    picture.seen_at(x, y, static_cast<double>(picture.depth[pixel]));
                const glm::dvec3 point(world * glm::dvec4(seen.x, seen.y, -seen.z, 1.0));
                const glm::dvec3 view = glm::normalize(glm::dvec3(world[3]) - point);
                const glm::dvec3 normal = glm::normalize(glm::dvec3(picture.normal[pixel]));
                const glm::dvec3 color(picture.albedo[pixel]);
                glm::dvec3 wanted = glm::dvec3(pass.ambient) * color;
                for (std::size_t i = 0; i < lights.count(); ++i) {
                    const glm::dvec3 part = reflected_light(lights, i, point, normal, view, color,
                                                            static_cast<double>(roughness),
                                                            static_cast<double>(metallic));
                    wanted += part;
                    lit += part.x + part.y + part.z > 0.0;
                }
                // Places are rounded to 2e-6 at 8 units, which turns directions to near lights by
                // some 1e-5; the steepest edge of a cone makes 60 times that of it.
                for (int c = 0; c < 3; ++c)
                    ASSERT_NEAR(texel[static_cast<std::size_t>(c)], wanted[c],
                                5e-4 * wanted[c] + 5e-5)
                        << x << ", " << y;
            }
        EXPECT_GT(lit, 2000u);
    }
}

TEST_F(LightShadeTest, MoreLightsThanAListHoldsAreToldAndAllShine) {
    const LitPicture picture = columns(32, 32);
    HostLights lights = random_lights(400, 6, 0.0f);
    for (glm::vec4& sphere : lights.spheres)
        sphere.w = 50.0f; // each reaches all
    Graph g = graph();
    const LightGrid grid =
        g.add(connected(g, picture, lights,
                        {.split = DepthSplit::none, .form = LightLists::capped, .room = 256}))
            .grid;
    ShadeLights pass = shading(g, picture, lights_of(g, lights), grid);
    g.output("capped", g.add(pass, "capped").result);
    pass.grid = {};
    g.output("all", g.add(pass, "all").result);
    g.output("counts", grid.counts);
    g.output("lists", grid.lists);
    g.output("status", grid.status);
    testing_gpu::Running running = run(std::move(g));
    EXPECT_LE(greatest_difference(running.image("capped"), running.image("all")), 1e-6);
    EXPECT_THAT(running.buffer<std::uint32_t>("status"), testing::ElementsAre(0, 4, 400));
    EXPECT_THAT(running.buffer<std::uint32_t>("counts"), testing::Each(400));
    const auto lists = running.buffer<std::uint32_t>("lists");
    for (std::uint32_t k = 0; k < 4 * 256; ++k)
        ASSERT_EQ(lists[k], k % 256) << "in ascending order";
    const Diagnostics told = passes::LightStatus{.overflowed = 4, .most = 400}.warnings();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].code, "lights/full-lists");
}

TEST_F(LightShadeTest, ListsHoldTheBitsOfLongMasks) {
    // More words than invocations, so that each takes several.
    const LitPicture picture = columns(33, 17);
    const HostLights lights = random_lights(9000, 2, 0.1f, 0.6f);
    Graph g = graph();
    const LightGrid grid =
        g.add(connected(g, picture, lights, {.form = LightLists::capped, .room = 4096})).grid;
    g.output("masks", grid.masks);
    g.output("counts", grid.counts);
    g.output("lists", grid.lists);
    testing_gpu::Running running = run(std::move(g));
    const auto masks = running.buffer<std::uint32_t>("masks");
    const auto counts = running.buffer<std::uint32_t>("counts");
    const auto lists = running.buffer<std::uint32_t>("lists");
    std::size_t listed = 0;
    for (std::uint32_t list = 0; list < grid.list_count(); ++list) {
        std::uint32_t k = 0;
        for (std::uint32_t i = 0; i < grid.words * 32; ++i)
            if (masks[list * grid.words + i / 32] >> (i % 32) & 1) {
                ASSERT_EQ(lists[list * 4096 + k], i) << "list " << list;
                ++k;
            }
        EXPECT_EQ(counts[list], k);
        listed += k;
    }
    EXPECT_GT(listed, 1000u);
}

TEST_F(LightShadeTest, HeatShowsTheNumbersOfLists) {
    const LitPicture picture = columns(70, 45);
    const HostLights lights = random_lights(150, 11);
    for (const DepthSplit split : {DepthSplit::none, DepthSplit::modified_half}) {
        Graph g = graph();
        CullLights pass = connected(g, picture, lights, {.split = split});
        pass = g.add(pass);
        const LightHeat heat = g.add(LightHeat{.grid = pass.grid,
                                               .depth = pass.depth,
                                               .scene = pass.scene,
                                               .camera = pass.camera,
                                               .most = 15.0f});
        g.output("numbers", heat.numbers);
        g.output("color", heat.color);
        g.output("masks", pass.grid.masks);
        g.output("bounds", pass.grid.bounds);
        testing_gpu::Running running = run(std::move(g));
        const HostGrid found{.grid = pass.grid,
                             .masks = running.buffer<std::uint32_t>("masks"),
                             .bounds = running.buffer<glm::vec4>("bounds"),
                             .status = {}};
        const HostImage numbers = running.image("numbers");
        const HostImage color = running.image("color");
        for (std::uint32_t y = 0; y < picture.height; ++y)
            for (std::uint32_t x = 0; x < picture.width; ++x) {
                const std::size_t pixel = std::size_t{y} * picture.width + x;
                int wanted = 0;
                for (std::uint32_t w = 0; picture.shows(pixel) && w < found.grid.words; ++w)
                    wanted += std::popcount(
                        found.masks[found.list_of(x, y, picture.depth[pixel]) * found.grid.words +
                                    w]);
                ASSERT_EQ(numbers.texel(x, y)[0], static_cast<float>(wanted));
                const std::array<float, 4> shown = color.texel(x, y);
                if (wanted == 0) {
                    EXPECT_EQ(shown[0] + shown[1] + shown[2], 0.0f);
                }
                if (wanted >= 15) {
                    EXPECT_NEAR(shown[0] + shown[1] + shown[2], 3.0f, 1e-3f);
                }
            }
    }
}

TEST_F(LightShadeTest, PicturesOfOtherSizesAndListsOfOthersAreRefused) {
    const LitPicture picture = columns(24, 20);
    const HostLights lights = random_lights(10, 1);
    const auto code_for = [&](auto change) {
        Graph g = graph();
        const LightGrid grid = g.add(connected(g, picture, lights)).grid;
        ShadeLights pass = shading(g, picture, lights_of(g, lights), grid);
        change(g, pass);
        (void)g.add(pass);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    const ImageDesc other{.format = Format::rgba32_sfloat, .extent = {24, 21, 1}};
    EXPECT_EQ(code_for([](Graph&, ShadeLights&) {}), "");
    EXPECT_EQ(code_for([&](Graph& g, ShadeLights& s) { s.normal = g.image("n", other); }),
              "image/size-mismatch");
    EXPECT_EQ(code_for([&](Graph& g, ShadeLights& s) { s.under = g.image("u", other); }),
              "image/size-mismatch");
    EXPECT_EQ(code_for([](Graph&, ShadeLights& s) { s.lights.count = 9; }), "lights/other-grid");
    EXPECT_EQ(code_for([](Graph&, ShadeLights& s) { s.camera.index = 1; }), "scene/no-such-camera");
}

TEST_F(LightShadeTest, WhatIsUnderStaysAndIsAddedTo) {
    const LitPicture picture = columns(40, 30);
    const HostLights lights = random_lights(30, 1);
    Graph g = graph();
    const LightGrid grid = g.add(connected(g, picture, lights)).grid;
    ShadeLights pass = shading(g, picture, lights_of(g, lights), grid);
    g.output("alone", g.add(pass, "alone").result);
    const std::vector<glm::vec4> half(std::size_t{40} * 30, glm::vec4(0.5f, 0.25f, 2.0f, 1.0f));
    pass.under = g.constant_image("under", {.format = Format::rgba32_sfloat, .extent = {40, 30, 1}},
                                  testing_gpu::bytes_of(half));
    g.output("over", g.add(pass, "over").result);
    testing_gpu::Running running = run(std::move(g));
    const HostImage alone = running.image("alone");
    const HostImage over = running.image("over");
    for (std::uint32_t y = 0; y < 30; ++y)
        for (std::uint32_t x = 0; x < 40; ++x)
            for (std::size_t c = 0; c < 3; ++c) {
                const float under = std::array{0.5f, 0.25f, 2.0f}[c];
                const bool shown = picture.shows(std::size_t{y} * 40 + x);
                ASSERT_NEAR(over.texel(x, y)[c], under + (shown ? alone.texel(x, y)[c] : 0.0f),
                            1e-5f);
            }
}

} // namespace
} // namespace tuff
