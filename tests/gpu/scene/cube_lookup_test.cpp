#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace tuff {
namespace {

using CubeLookupTest = testing_gpu::GpuTest;

// Where a device does not know the neighbours of a cube's faces, a look-up stays within its face:
// by the size of its own level, also where the invocations beside it look at other levels.
TEST_F(CubeLookupTest, InvocationsSideBySideLookAtTheirOwnLevels) {
    constexpr std::uint32_t kSide = 32, kLevels = 6;
    Graph g = graph();
    Image cube = g.image("cube", {.format = Format::rgba16_sfloat,
                                  .extent = {kSide, kSide, 1},
                                  .mips = kLevels,
                                  .layers = 6,
                                  .shape = ImageShape::cube});
    for (std::uint32_t level = 0; level < kLevels; ++level) {
        auto node = g.compute("test/cube_faces"); // (face, x, y, level)
        node.set("level", static_cast<float>(level));
        cube = node.write("faces", mip(cube, level));
        node.dispatch_over({kSide >> level, kSide >> level, 6});
    }
    std::mt19937 random(3);
    std::uniform_real_distribution<float> one(-1.0f, 1.0f);
    std::vector<glm::vec4> directions; // of face +x, half of them near its edge
    for (std::uint32_t i = 0; i < 512; ++i)
        directions.emplace_back(1.0f, one(random),
                                i % 2 == 0 ? one(random) : std::copysign(0.999f, one(random)),
                                random() % kLevels);
    const std::uint64_t size = directions.size() * sizeof(glm::vec4);
    auto node = g.compute("test/cube_radiance");
    node.specialize("kSeamlessCubes", 0u);
    node.read("cube", cube);
    node.read("directions",
              g.constant_buffer("places", {.size = size}, testing_gpu::bytes_of(directions)));
    node.dispatch_over({static_cast<std::uint32_t>(directions.size())});
    g.output("samples", node.write("samples", g.buffer("samples", {.size = size})));
    testing_gpu::Running running = run(std::move(g));
    const auto samples = running.buffer<glm::vec4>("samples");
    ASSERT_EQ(samples.size(), directions.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        // The last level's texel lies in the middle of the four of the level before.
        const int level = std::min(static_cast<int>(directions[i].w), 4);
        const bool last = directions[i].w > 4.5f;
        const float side = static_cast<float>(kSide >> level);
        const auto texel = [&](float along) {
            if (last) return 0.5f;
            return std::clamp(0.5f * side * (1.0f - along) - 0.5f, 0.0f, side - 1.0f);
        };
        // Weights have eight bits, and edges are kept off by a 64th of a texel.
        wrong += samples[i].x != 0.0f || std::abs(samples[i].y - texel(directions[i].z)) > 0.03f ||
                 std::abs(samples[i].z - texel(directions[i].y)) > 0.03f;
    }
    EXPECT_EQ(wrong, 0u);
}

} // namespace
} // namespace tuff
