#include "passes/lights/generate.hpp"
#include "passes/lights/list.hpp"
#include "tests/gpu/lights/lights_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff {
namespace {

using passes::GenerateLights;
using passes::LightBuffers;
using passes::LightShade;
using passes::ListLights;

class LightSourcesTest : public LightsTest {
  protected:
    HostLights made(const GenerateLights& pass) {
        Graph g = graph();
        const passes::Lights lights = g.add(pass).lights;
        g.output("spheres", lights.spheres);
        g.output("shades", lights.shades);
        testing_gpu::Running running = run(std::move(g));
        return {.spheres = running.buffer<glm::vec4>("spheres"),
                .shades = running.buffer<LightShade>("shades")};
    }
    template <typename Pass>
    Diagnostic first_error(const Pass& pass) {
        Graph g = graph();
        (void)g.add(pass);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? Diagnostic{} : built.diagnostics.front();
    }
    template <typename Pass>
    std::string code_for(const Pass& pass) {
        return first_error(pass).code;
    }
};

TEST_F(LightSourcesTest, GeneratedLightsFillTheirBoxEvenlyAtAllTimes) {
    GenerateLights pass{.count = 5000,
                        .seed = 7,
                        .low = {-3, 1, 2},
                        .high = {5, 2, 2.5f},
                        .least_range = 0.5f,
                        .greatest_range = 0.75f,
                        .intensity = 3.0f,
                        .saturation = 1.0f,
                        .spots = 0.4f,
                        .speed = 0.3f};
    const HostLights first = made(pass);
    EXPECT_EQ(made(pass).spheres, first.spheres) << "the same in every run";
    for (const float time : {0.0f, 1.0f, 1234.5f}) {
        pass.time = time;
        const HostLights lights = made(pass);
        glm::dvec3 mean(0.0), square(0.0);
        std::size_t spots = 0;
        for (std::size_t i = 0; i < 5000; ++i) {
            const glm::vec4 s = lights.spheres[i];
            const LightShade& shade = lights.shades[i];
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_GE(s[axis], pass.low[axis] - 1e-5f);
                ASSERT_LE(s[axis], pass.high[axis] + 1e-5f);
            }
            ASSERT_TRUE(s.w >= 0.5f && s.w <= 0.75f);
            const glm::dvec3 at =
                (glm::dvec3(s) - glm::dvec3(pass.low)) / glm::dvec3(pass.high - pass.low);
            mean += at / 5000.0;
            square += at * at / 5000.0;
            ASSERT_NEAR(glm::length(shade.direction), 1.0f, 1e-5f);
            // A pure hue has a channel that is dark and one at its full strength.
            const std::array rgb{shade.color.x, shade.color.y, shade.color.z};
            ASSERT_NEAR(*std::ranges::max_element(rgb), 3.0f, 1e-4f);
            ASSERT_NEAR(*std::ranges::min_element(rgb), 0.0f, 1e-4f);
            spots += shade.cos_outer > -1.5f;
            if (shade.cos_outer > -1.5f) {
                ASSERT_NEAR(shade.cos_outer, std::cos(35.0 * 3.14159265 / 180.0), 1e-5);
                ASSERT_NEAR(shade.cos_inner, std::cos(20.0 * 3.14159265 / 180.0), 1e-5);
            }
        }
        // Even: mean 1/2 and mean square 1/3, within five deviations of 5,000 samples.
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(mean[axis], 0.5, 5 * 0.289 / 70.7);
            EXPECT_NEAR(square[axis], 1.0 / 3.0, 5 * 0.298 / 70.7);
        }
        EXPECT_NEAR(static_cast<double>(spots), 2000.0, 5 * 34.7);
    }
}

TEST_F(LightSourcesTest, GeneratedLightsMoveSmoothly) {
    GenerateLights pass{.count = 600, .speed = 0.5f, .time = 2.0f};
    const HostLights before = made(pass);
    pass.time = 2.01f;
    const HostLights after = made(pass);
    float most = 0.0f;
    for (std::size_t i = 0; i < 600; ++i)
        for (int axis = 0; axis < 3; ++axis)
            most = std::max(most, std::abs(after.spheres[i][axis] - before.spheres[i][axis]));
    EXPECT_GT(most, 0.009f);        // nearly that of the fastest,
    EXPECT_LT(most, 0.01f + 1e-5f); // 0.5 sides of 2 units a second
}

TEST_F(LightSourcesTest, ListsOfNumbersBecomeLights) {
    const ListLights pass{.places = {1, 2, 3, 4, 5, 6, 7, 8},
                          .colors = {0.1f, 0.2f, 0.3f, 4, 5, 6},
                          .spots = {0, 0, 0, 0, 0, 0, 3, 4, 30, 60}};
    Graph g = graph();
    passes::Lights lights = g.add(pass).lights;
    EXPECT_EQ(lights.count, 2u);
    lights = g.add(LightBuffers{.spheres = lights.spheres, .shades = lights.shades}).lights;
    EXPECT_EQ(lights.count, 2u);
    const auto kept = [&](std::string_view name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer(name, g.desc(buffer)), name));
    };
    kept("spheres", lights.spheres);
    kept("shades", lights.shades);
    testing_gpu::Running running = run(std::move(g));
    EXPECT_EQ(running.buffer<glm::vec4>("spheres"),
              (std::vector<glm::vec4>{{1, 2, 3, 4}, {5, 6, 7, 8}}));
    const auto shades = running.buffer<LightShade>("shades");
    EXPECT_EQ(shades[0].cos_outer, -2.0f);
    EXPECT_EQ(shades[0].color, glm::vec3(0.1f, 0.2f, 0.3f));
    EXPECT_NEAR(shades[1].direction.y, 0.6f, 1e-6f);
    EXPECT_NEAR(shades[1].direction.z, 0.8f, 1e-6f);
    EXPECT_NEAR(shades[1].cos_inner, std::sqrt(0.75f), 1e-6f);
    EXPECT_NEAR(shades[1].cos_outer, 0.5f, 1e-6f);
}

TEST_F(LightSourcesTest, BadNumbersAreRefused) {
    EXPECT_EQ(code_for(ListLights{}), "");
    EXPECT_EQ(code_for(ListLights{.places = {1, 2, 3}}), "lights/list-length");
    EXPECT_EQ(first_error(ListLights{.places = {1, 2, 3}}).message,
              "in 'list': parameter \"places\" has 3 numbers, but a light takes 4");
    EXPECT_EQ(code_for(ListLights{.places = {1, 2, 3, 4}}), "lights/list-length");
    EXPECT_EQ(code_for(ListLights{.places = {1, 2, 3, 4}, .colors = {1, 1, 1}, .spots = {1}}),
              "lights/list-length");
    const auto spot = [&](std::vector<float> numbers) {
        return code_for(
            ListLights{.places = {1, 2, 3, 4}, .colors = {1, 1, 1}, .spots = std::move(numbers)});
    };
    EXPECT_EQ(spot({0, 1, 0, 10, 20}), "");
    EXPECT_EQ(spot({0, 0, 0, 10, 20}), "lights/bad-cone");
    EXPECT_EQ(spot({0, 1, 0, 30, 20}), "lights/bad-cone");
    EXPECT_EQ(spot({0, 1, 0, 30, 200}), "lights/bad-cone");
    EXPECT_EQ(code_for(GenerateLights{.low = {0, 0, 0}, .high = {1, -1, 1}}), "pass/out-of-range");
    EXPECT_EQ(code_for(GenerateLights{.least_range = 2, .greatest_range = 1}), "pass/out-of-range");
    EXPECT_EQ(code_for(GenerateLights{.inner_angle = 50, .outer_angle = 40}), "pass/out-of-range");
}

} // namespace
} // namespace tuff
