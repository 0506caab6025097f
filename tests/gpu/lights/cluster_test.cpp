#include "passes/lights/cluster.hpp"
#include "tests/gpu/lights/lights_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

namespace tuff {
namespace {

using passes::ClusterLights;
using passes::LightTile;

class LightClusterTest : public LightsTest {
  protected:
    static ClusterLights clustering(Graph& g, const LitPicture& picture, const HostLights& lights,
                                    ClusterLights pass = {}) {
        pass.lights = lights_of(g, lights);
        pass.scene = scene_of(picture);
        pass.width = picture.width;
        pass.height = picture.height;
        pass.camera.mode = passes::CameraMode::file;
        return pass;
    }
};

TEST_F(LightClusterTest, WhateverLiesInTheViewHasItsLights) {
    for (const Projection kind : {Projection::perspective, Projection::orthographic})
        for (const auto [width, height, bins] :
             {std::array{97u, 61u, 64u}, std::array{33u, 16u, 1u}, std::array{40u, 70u, 300u}}) {
            const LitPicture picture = columns(width, height, kind);
            const HostLights lights = random_lights(120, bins);
            Graph g = graph();
            const ClusterLights pass =
                g.add(clustering(g, picture, lights, {.side = LightTile::side16, .bins = bins}));
            g.output("masks", pass.grid.masks);
            g.output("bins", pass.grid.bins);
            testing_gpu::Running running = run(std::move(g));
            const auto masks = running.buffer<std::uint32_t>("masks");
            const auto slices = running.buffer<std::uint32_t>("bins");
            ASSERT_EQ(slices.size(), std::size_t{bins} * pass.grid.words);

            const Camera& camera = picture.scene->cameras[0].camera;
            const auto near = static_cast<double>(camera.near_plane);
            const auto far = static_cast<double>(camera.far_plane);
            const glm::dmat4 world = glm::inverse(picture.view());
            std::mt19937 random(1);
            std::uniform_real_distribution<double> one(0.0, 1.0);
            std::uint64_t tried = 0, needed = 0, missed = 0;
            for (int k = 0; k < 20000; ++k) {
                // In the middle of a pixel, mostly where the lights are.
                const auto x = static_cast<std::uint32_t>(one(random) * width);
                const auto y = static_cast<std::uint32_t>(one(random) * height);
                const double away = near + (k % 4 == 0 ? far - near : 16.0 - near) * one(random);
                const glm::dvec3 a = picture.seen_at(x, y, 0.0), b = picture.seen_at(x, y, 1.0);
                const glm::dvec3 seen = a + (b - a) * ((away - a.z) / (b.z - a.z));
                const glm::dvec3 point(world * glm::dvec4(seen.x, seen.y, -seen.z, 1.0));
                const double place = kind == Projection::perspective
                                         ? std::log2(away / near) / std::log2(far / near)
                                         : (away - near) / (far - near);
                const auto bin = std::min(static_cast<std::uint32_t>(place * bins), bins - 1);
                const std::size_t tile = std::size_t{y / 16} * pass.grid.tiles_x() + x / 16;
                for (std::uint32_t i = 0; i < lights.count(); ++i) {
                    const std::uint32_t both = masks[tile * pass.grid.words + i / 32] &
                                               slices[bin * pass.grid.words + i / 32];
                    const bool listed = both >> (i % 32) & 1;
                    const bool lit = reaches(lights, i, point);
                    tried += listed;
                    needed += lit;
                    missed += lit && !listed;
                }
            }
            EXPECT_EQ(missed, 0u);
            EXPECT_GT(needed, 500u);
            // Far from all lights at each point: with one slice alone the tiles choose.
            EXPECT_LT(tried, (bins > 1 ? 20000u * 120u / 8u : 20000u * 120u * 2u / 3u));
        }
}

TEST_F(LightClusterTest, SlicesAreThoseOfTheFormula) {
    const LitPicture picture = columns(32, 32);
    const HostLights lights = random_lights(70, 5, 0.0f);
    constexpr std::uint32_t kSlices = 50;
    Graph g = graph();
    const ClusterLights pass = g.add(clustering(g, picture, lights, {.bins = kSlices}));
    g.output("bins", pass.grid.bins);
    const auto slices = run(std::move(g)).buffer<std::uint32_t>("bins");
    std::uint32_t set = 0;
    for (std::uint32_t i = 0; i < lights.count(); ++i) {
        const glm::dvec4 c = picture.view() * glm::dvec4(glm::dvec3(lights.spheres[i]), 1.0);
        const auto r = static_cast<double>(lights.spheres[i].w);
        const auto place = [](double away) { // 0.25 and 60: the camera's planes
            return std::log2(std::max(away, 0.25) / 0.25) / std::log2(240.0) * kSlices;
        };
        for (std::uint32_t slice = 0; slice < kSlices; ++slice) {
            const double before = place(-c.z - r) - (slice + 1); // above 0: beyond the slice
            const double behind = slice - place(-c.z + r);
            const bool got = slices[slice * pass.grid.words + i / 32] >> (i % 32) & 1;
            const bool seen = -c.z + r > 0.25;
            set += got;
            if (std::abs(before) < 0.01 || std::abs(behind) < 0.01) continue;
            EXPECT_EQ(got, seen && before < 0.0 && behind < 0.0)
                << "light " << i << ", slice " << slice;
        }
    }
    EXPECT_GT(set, 100u);
}

TEST_F(LightClusterTest, OneGridLightsSeveralLayers) {
    const LitPicture picture = columns(61, 47);
    LitPicture pane = picture; // before all surfaces, and where there is sky
    const glm::dmat4 p = picture.projection();
    for (std::size_t i = 0; i < pane.depth.size(); ++i) {
        const double away = 3.0 + 0.01 * static_cast<double>(i % 61);
        pane.depth[i] =
            static_cast<float>((-p[2][2] * away + p[3][2]) / (-p[2][3] * away + p[3][3]));
        pane.normal[i] = {0, 0, 1, 1};
        pane.albedo[i] = {0.5f, 0.5f, 0.5f, 1.0f};
    }
    const HostLights lights = random_lights(140, 3);
    Graph g = graph();
    const ClusterLights clusters = g.add(clustering(g, picture, lights));
    std::uint32_t number = 0;
    for (const LitPicture* layer : std::array<const LitPicture*, 2>{&picture, &pane}) {
        const std::string name = "layer" + std::to_string(number++);
        passes::ShadeLights pass = shading(g, *layer, clusters.lights, clusters.grid);
        g.output(name, g.add(pass, name).result);
        const passes::LightHeat heat = g.add(passes::LightHeat{.grid = clusters.grid,
                                                               .depth = pass.depth,
                                                               .scene = pass.scene,
                                                               .camera = pass.camera},
                                             name + "_heat");
        g.output(name + "_numbers", heat.numbers);
        pass.grid = {};
        g.output(name + "_all", g.add(pass, name + "_all").result);
    }
    testing_gpu::Running running = run(std::move(g));
    for (const std::string name : {"layer0", "layer1"}) {
        const HostImage got = running.image(name);
        const HostImage wanted = running.image(name + "_all");
        const HostImage numbers = running.image(name + "_numbers");
        double brightest = 0.0, tried = 0.0;
        for (std::uint32_t y = 0; y < 47; ++y)
            for (std::uint32_t x = 0; x < 61; ++x) {
                tried += static_cast<double>(numbers.texel(x, y)[0]);
                for (std::size_t c = 0; c < 4; ++c) {
                    const float all = wanted.texel(x, y)[c];
                    ASSERT_NEAR(got.texel(x, y)[c], all, 1e-6f + 1e-5f * all) << x << ", " << y;
                    brightest = std::max(brightest, static_cast<double>(all));
                }
            }
        EXPECT_GT(brightest, 0.1);
        EXPECT_GT(tried, 100.0);
        EXPECT_LT(tried, 61.0 * 47.0 * 140.0 / 4.0);
    }
}

} // namespace
} // namespace tuff
