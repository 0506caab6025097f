// Stochastic transparency: each sample is known to the bit, and the mean is that of a sorter.

#include "passes/oit/stochastic.hpp"
#include "tests/gpu/oit/oit_fixture.hpp"

#include <fmt/format.h>
#include <glm/vec3.hpp>

#include <cmath>
#include <optional>

namespace tuff {
namespace {

using passes::StochasticTransparency;

/// shaders/include/hash.glsl.
glm::uvec3 pcg3d(glm::uvec3 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

/// Triangles of a pane are cut along the line from its lower left to its upper right corner;
/// nothing where a pixel's middle lies on that line.
std::optional<std::uint32_t> triangle_at(const Pane& pane, double x, double y) {
    const double right = (x - pane.left) / (pane.right - pane.left);
    const double up = (pane.bottom - y) / (pane.bottom - pane.top);
    if (std::abs(right - up) < 1e-6) return {};
    return 2 * pane.draw + (right > up ? 0 : 1);
}

/// What comes of one pixel, sample by sample; nothing where a triangle is in doubt.
std::optional<glm::dvec3> mean_of_samples(const PaneScene& scene, std::uint32_t x, std::uint32_t y,
                                          std::uint32_t samples, std::uint32_t seed) {
    glm::dvec3 background(scene.background);
    float solid = -100.0f;
    for (const Pane& pane : scene.solids)
        if (pane.covers(x + 0.5, y + 0.5) && pane.z > solid) {
            solid = pane.z;
            background = glm::dvec3(pane.color);
        }
    glm::dvec3 sum(0.0);
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
        const Pane* nearest = nullptr;
        for (const Pane& pane : scene.panes) {
            if (!pane.covers(x + 0.5, y + 0.5) || pane.z <= solid) continue;
            const auto triangle = triangle_at(pane, x + 0.5, y + 0.5);
            if (!triangle) return {};
            const glm::uvec3 words = pcg3d({x | (y << 16), *triangle, sample});
            const std::uint32_t chance = pcg3d({words.x, words.y, seed}).x >> 8;
            if (!(static_cast<float>(chance) / 16777216.0f < pane.color.a)) continue;
            if (!nearest || pane.z > nearest->z) nearest = &pane; // in draw order where equal
        }
        sum += nearest ? glm::dvec3(nearest->color) : background;
    }
    return sum / static_cast<double>(samples);
}

PaneScene panes_before_a_solid(std::uint32_t count, std::uint32_t depths) {
    std::mt19937 random(47);
    PaneScene scene = random_panes(random, 48, count, depths);
    scene.solids.push_back({.left = 9,
                            .right = 21,
                            .top = 2,
                            .bottom = 15,
                            .z = 0.07f,
                            .color = {0.5f, 0.25f, 0.75f, 1.0f}});
    return scene;
}

TEST_F(OitTest, EachSampleOfStochasticTransparencyIsWhatItsHashSays) {
    const PaneScene scene = panes_before_a_solid(9, 5);
    for (const std::uint32_t samples : {1u, 7u}) {
        Graph g = graph();
        const Seen seen = see(g, scene);
        const StochasticTransparency pass{
            .scene = seen.scene, .view = seen.view, .samples = samples, .seed = 5 * samples};
        g.output("color", g.add(pass).color);
        const HostImage got = run(std::move(g)).image("color");
        ASSERT_FALSE(got.empty());
        std::size_t compared = 0;
        for (std::uint32_t y = 0; y < scene.height; ++y)
            for (std::uint32_t x = 0; x < scene.width; ++x) {
                const auto expected = mean_of_samples(scene, x, y, samples, pass.seed);
                if (!expected) continue;
                ++compared;
                for (int c = 0; c < 3; ++c)
                    ASSERT_NEAR(static_cast<double>(got.texel(x, y)[static_cast<std::size_t>(c)]),
                                (*expected)[c], 1.0 / 1024.0)
                        << samples << " samples, texel " << x << ", " << y;
            }
        EXPECT_GT(compared, std::size_t{48} * 48 * 3 / 4);
    }
}

TEST_F(OitTest, StochasticTransparencyComesToThePictureOfASorter) {
    TUFF_ONLY_ON(lavapipe);
    const PaneScene scene = panes_before_a_solid(12, 12);
    const auto expected = blended_by_sorting(scene, [](glm::vec4 c) { return glm::dvec4(c); });
    Graph g = graph();
    const Seen seen = see(g, scene);
    for (const std::uint32_t samples : {4u, 64u})
        g.output(fmt::format("{}", samples),
                 g.add(StochasticTransparency{
                           .scene = seen.scene, .view = seen.view, .samples = samples})
                     .color);
    testing_gpu::Running running = run(std::move(g));
    for (const std::uint32_t samples : {4u, 64u}) {
        const HostImage got = running.image(fmt::format("{}", samples));
        double sum = 0.0;
        double squares = 0.0;
        for (std::uint32_t i = 0; i < expected.size(); ++i)
            for (int c = 0; c < 3; ++c) {
                const double off =
                    static_cast<double>(got.texel(i % 48, i / 48)[static_cast<std::size_t>(c)]) -
                    expected[i][c];
                sum += off;
                squares += off * off;
            }
        const double numbers = 3.0 * static_cast<double>(expected.size());
        // Of one sample the standard deviation is at most a half; pixels are independent, the
        // three channels of one are not.
        const double deviation = 0.5 / std::sqrt(static_cast<double>(samples));
        EXPECT_LT(std::sqrt(squares / numbers), deviation) << samples;
        EXPECT_GT(std::sqrt(squares / numbers), 0.1 * deviation) << samples;
        EXPECT_LT(std::abs(sum / numbers),
                  4.0 * deviation / std::sqrt(static_cast<double>(expected.size())))
            << samples;
    }
}

} // namespace
} // namespace tuff
