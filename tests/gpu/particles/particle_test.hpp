#pragma once

#include "passes/particles/particles.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

/// What the tests of the particle system share.
namespace tuff::testing_gpu {

using Vectors = std::vector<glm::vec4>;

class ParticleTest : public GpuTest {
  protected:
    /// Particles of these places and velocities, at least one.
    passes::Particles particles(Graph& g, const Vectors& positions, const Vectors& velocities,
                                float radius) {
        const auto array = [&](std::string_view name, Vectors values) {
            if (values.empty()) values.emplace_back(0.0f);
            const auto bytes = bytes_of(values);
            return g.constant_buffer(name, {.size = bytes->size(), .stride = 16}, bytes);
        };
        return {.positions = array("positions", positions),
                .velocities = array("velocities", velocities),
                .count = static_cast<std::uint32_t>(positions.size()),
                .radius = radius};
    }
    /// Outputs `name` + ".positions" and ".velocities".
    static void output(Graph& g, const std::string& name, const passes::Particles& state) {
        g.output(name + ".velocities", copied(g, state.velocities));
        g.output(name + ".positions", copied(g, state.positions));
    }
    /// Constants cannot be outputs.
    static Buffer copied(Graph& g, Buffer buffer) {
        return g.copy(buffer, g.buffer("copy", g.desc(buffer)));
    }
};

inline Vectors random_vectors(std::size_t count, glm::vec3 low, glm::vec3 high,
                              std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto between = [&](float a, float b) {
        return a + (b - a) * static_cast<float>(random() >> 8) * 0x1p-24f;
    };
    Vectors values;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = between(low.x, high.x);
        const float y = between(low.y, high.y);
        values.emplace_back(x, y, between(low.z, high.z), 0.0f);
    }
    return values;
}

} // namespace tuff::testing_gpu
