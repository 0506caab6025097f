#include "passes/fluid/obstacles.hpp"
#include "passes/fluid/particles.hpp"
#include "passes/fluid/simple.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

/// Masks of solid cells, and particles that a flow carries.
namespace tuff {
namespace {

using passes::FluidFace;
using passes::FluidField;
using passes::FluidObstaclesFrom;
using passes::FluidParticles;
using testing_gpu::all_faces;
using testing_gpu::bytes_of;
using testing_gpu::Cells;
using testing_gpu::Running;
using testing_gpu::SolidAt;

class FluidParts : public testing_gpu::FluidTest {
  protected:
    void expect_solid(const FluidObstaclesFrom& pass, Graph g, const SolidAt& solid) {
        const FluidObstaclesFrom added = g.add(pass);
        g.output("words", added.obstacles.words);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const auto words = running.buffer<std::uint32_t>("words");
        ASSERT_EQ(words.size(), added.obstacles.word_count());
        const glm::ivec3 d(pass.dims);
        std::size_t wrong = 0;
        const int row_words = (d.x + 31) / 32;
        for (int z = 0; z < d.z; ++z)
            for (int y = 0; y < d.y; ++y)
                for (int x = 0; x < row_words * 32; ++x) {
                    const auto word =
                        words[static_cast<std::size_t>((z * d.y + y) * row_words + x / 32)];
                    const bool got = (word >> (x & 31) & 1u) != 0;
                    wrong += got == (x < d.x && solid({x, y, z})) ? 0u : 1u;
                }
        EXPECT_EQ(wrong, 0u);
    }
};

TEST_F(FluidParts, ObstaclesAreThoseOfPicturesVoxelsAndShapes) {
    for (const bool dark : {false, true}) {
        Graph g = graph();
        std::vector<std::uint32_t> texels(20 * 10);
        for (std::size_t i = 0; i < texels.size(); ++i)
            texels[i] = (i * 7 % 5 < 2) ? 0xffffffffu : 0xff101010u;
        const Image picture = g.constant_image(
            "picture", {.format = Format::rgba8_unorm, .extent = {20, 10}}, bytes_of(texels));
        const FluidObstaclesFrom pass{.picture = picture,
                                      .dims = {70, 20, 3},
                                      .dark = dark,
                                      .low = {1, 2, 1},
                                      .high = {4, 9, 2}};
        expect_solid(pass, std::move(g), [&](glm::ivec3 p) {
            const auto x = static_cast<std::size_t>((p.x + 0.5) / 70 * 20);
            const auto y = static_cast<std::size_t>((p.y + 0.5) / 20 * 10);
            const bool bright = (y * 20 + x) * 7 % 5 < 2;
            const bool box = p.x >= 1 && p.x < 4 && p.y >= 2 && p.y < 9 && p.z == 1;
            return bright != dark || box;
        });
    }
    const SolidAt ball = [](glm::ivec3 p) {
        const glm::vec3 from = glm::vec3(p) + 0.5f - glm::vec3(20.3f, 7.1f, 5.2f);
        return glm::dot(from, from) < 4.5f * 4.5f;
    };
    Graph g = graph();
    passes::VoxelGrid voxels{.dims = {6, 5, 40}};
    std::vector<std::uint32_t> bits(voxels.word_count());
    for (std::size_t i = 0; i < bits.size(); ++i)
        bits[i] = static_cast<std::uint32_t>(i * 2654435761u) & (i % 2 == 0 ? ~0u : 0xffu);
    voxels.words =
        g.constant_buffer("voxels", {.size = 4 * bits.size(), .stride = 4}, bytes_of(bits));
    voxels.frame = voxels.status = voxels.words;
    const FluidObstaclesFrom pass{.voxels = voxels,
                                  .dims = {45, 20, 11},
                                  .center = {20.3f, 7.1f, 5.2f},
                                  .radius = 4.5f,
                                  .offset = {30, -1, -3}};
    expect_solid(pass, std::move(g), [&](glm::ivec3 p) {
        const glm::ivec3 v = p - pass.offset;
        const bool inside = glm::all(glm::greaterThanEqual(v, glm::ivec3(0))) &&
                            glm::all(glm::lessThan(v, glm::ivec3(voxels.dims)));
        const bool set =
            inside &&
            (bits[static_cast<std::size_t>((v.y * 6 + v.x) * 2 + (v.z >> 5))] >> (v.z & 31) & 1u) !=
                0;
        return set || ball(p);
    });
}

TEST_F(FluidParts, ParticlesGoWithTheFlowAndKeepOutOfSolids) {
    constexpr std::uint32_t kCount = 700;
    for (const bool blocked : {false, true})
        for (const glm::uvec3 dims : {glm::uvec3(32, 20, 1), glm::uvec3(16, 12, 10)}) {
            const SolidAt solid = [](glm::ivec3 p) { return p.x > 5 && p.x < 11 && p.y < 8; };
            const glm::vec3 wind(0.9f, 0.35f, dims.z > 1 ? -0.4f : 0.0f);
            const auto places = [&](unsigned executions) {
                Graph g = graph();
                Cells flow(std::size_t{dims.x} * dims.y * dims.z, glm::vec4(wind, 0.0f));
                for (std::size_t i = 0; blocked && i < flow.size(); ++i)
                    if (solid(place_of(i, dims))) flow[i] = glm::vec4(0.0f);
                FluidField field = field_of(g, dims, flow, blocked ? solid : SolidAt{},
                                            all_faces(FluidFace::periodic));
                field.elapsed = 0.7f;
                const passes::Particles found =
                    g.add(FluidParticles{.field = field, .count = kCount, .lifetime = 1e6f})
                        .particles;
                g.output("places", found.positions);
                Running running = run(std::move(g), executions);
                return running ? running.buffer<glm::vec4>("places") : Cells{};
            };
            const Cells first = places(1);
            const Cells later = places(21);
            ASSERT_EQ(later.size(), std::size_t{kCount});
            const glm::vec3 size(dims);
            for (std::size_t i = 0; i < later.size(); ++i) {
                if (blocked) {
                    ASSERT_FALSE(solid(glm::ivec3(glm::floor(glm::vec3(later[i]))))) << i;
                    continue;
                }
                const glm::vec3 moved = glm::vec3(first[i]) + 20.0f * 0.7f * wind;
                glm::vec3 apart = glm::vec3(later[i]) - moved;
                apart -= size * glm::round(apart / size);
                ASSERT_LT(glm::length(apart), 1e-3f) << i;
            }
        }
}

} // namespace
} // namespace tuff
