#include "passes/particles/collide.hpp"
#include "passes/particles/occupancy.hpp"
#include "tests/gpu/particles/particle_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

/// Neighbours: the uniform grid against trying every pair.
namespace tuff {
namespace {

using passes::CollideParticles;
using passes::CollisionMethod;
using passes::ParticleGrid;
using passes::ParticleOccupancy;
using passes::Particles;
using passes::SortIntoGrid;
using testing_gpu::random_vectors;
using testing_gpu::Running;
using testing_gpu::Vectors;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kRadius = 0.05f;
constexpr passes::BoxParameters kBox{.low = {-0.5f, 0.0f, -0.3f}, .high = {0.5f, 0.8f, 0.3f}};

struct State {
    Vectors positions;
    Vectors velocities;
};

/// In the box and around it; some at one place, on the borders of cells, and not finite.
State awkward_state(std::size_t count) {
    State state{random_vectors(count, kBox.low - 0.2f, kBox.high + 0.2f, 7),
                random_vectors(count, glm::vec3(-1.0f), glm::vec3(1.0f), 8)};
    for (std::size_t i = 0; i + 1 < count; i += 17)
        state.positions[i + 1] = state.positions[i];
    for (std::size_t i = 5; i < count; i += 23)
        state.positions[i] =
            glm::vec4(kBox.low + 0.1f * glm::floor(glm::vec3(state.positions[i]) * 10.0f), 0.0f);
    for (std::size_t i = 9; i < count; i += 41)
        state.positions[i].y = kNaN;
    for (std::size_t i = 11; i < count; i += 43)
        state.velocities[i].x = kInfinity;
    for (std::size_t i = 13; i < count; i += 47)
        state.positions[i].z = 1e30f;
    return state;
}

bool is_alive(const State& state, std::size_t i) {
    for (int c = 0; c < 3; ++c)
        if (!std::isfinite(state.positions[i][c]) || !std::isfinite(state.velocities[i][c]))
            return false;
    return true;
}

/// Pairs at less than a diameter, in the arithmetic of the kernels.
std::vector<float> contacts_of(const State& state, float radius) {
    const std::size_t count = state.positions.size();
    const float squared_distance = (2.0f * radius) * (2.0f * radius);
    std::vector<float> contacts(count, 0.0f);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j) {
            if (i == j || !is_alive(state, i) || !is_alive(state, j)) continue;
            const glm::vec3 between = glm::vec3(state.positions[j]) - glm::vec3(state.positions[i]);
            const float squared =
                between.x * between.x + between.y * between.y + between.z * between.z;
            if (squared < squared_distance) contacts[i] += 1.0f;
        }
    return contacts;
}

class ParticleGridTest : public testing_gpu::ParticleTest {};

TEST_F(ParticleGridTest, FindsThePairsThatTryingAllFinds) {
    for (const std::size_t count : {0u, 1u, 2u, 33u, 257u, 1000u}) {
        SCOPED_TRACE(count);
        const State state = awkward_state(count);
        Graph g = graph();
        const Particles source = particles(g, state.positions, state.velocities, kRadius);
        CollideParticles pass{.source = source, .box = kBox};
        output(g, "grid", g.add(pass, "by_grid").particles);
        pass.method = CollisionMethod::all;
        output(g, "all", g.add(pass, "by_all").particles);
        Running running = run(std::move(g));
        const auto by_grid = running.buffer<glm::vec4>("grid.velocities");
        const auto by_all = running.buffer<glm::vec4>("all.velocities");
        const std::vector<float> contacts = contacts_of(state, kRadius);
        ASSERT_GE(by_grid.size(), count);
        ASSERT_GE(by_all.size(), count);
        float most = 0.0f;
        for (std::size_t i = 0; i < count; ++i) {
            // No pair is found that is not one, so equal numbers are equal sets.
            ASSERT_EQ(by_grid[i].w, contacts[i]) << i;
            ASSERT_EQ(by_all[i].w, contacts[i]) << i;
            most = std::max(most, contacts[i]);
            if (!is_alive(state, i)) continue;
            const float size = 1.0f + contacts[i];
            for (int c = 0; c < 3; ++c)
                ASSERT_NEAR(by_grid[i][c], by_all[i][c], 1e-5f * size) << i;
        }
        EXPECT_TRUE(count < 257 || most >= 3.0f) << "nothing has been tried";
    }
}

TEST_F(ParticleGridTest, OneCellDeepFindsThePairsOfAPlane) {
    for (const std::size_t count : {1u, 33u, 700u})
        for (const bool thin : {true, false}) {
            SCOPED_TRACE(count);
            State state = awkward_state(count);
            for (glm::vec4& place : state.positions)
                place.z = std::isfinite(place.z) ? 0.1f * place.z : place.z; // nearly in a plane
            passes::BoxParameters box = kBox;
            if (thin) {
                box.low.z = -kRadius;
                box.high.z = kRadius;
            }
            const auto shape = thin ? passes::GridShape::cubes : passes::GridShape::columns;
            Graph g = graph();
            const Particles source = particles(g, state.positions, state.velocities, kRadius);
            const ParticleGrid grid =
                g.add(SortIntoGrid{.source = source, .box = box, .shape = shape}).grid;
            EXPECT_EQ(grid.cells.z, 1u);
            EXPECT_GT(grid.cells.x * grid.cells.y, 50u);
            const CollideParticles pass{.source = source, .grid = grid, .box = box};
            g.output("after", g.add(pass).particles.velocities);
            Running running = run(std::move(g));
            const auto after = running.buffer<glm::vec4>("after");
            const std::vector<float> contacts = contacts_of(state, kRadius);
            ASSERT_GE(after.size(), count);
            float most = 0.0f;
            for (std::size_t i = 0; i < count; ++i) {
                ASSERT_EQ(after[i].w, contacts[i]) << i;
                most = std::max(most, contacts[i]);
            }
            EXPECT_TRUE(count < 100 || most >= 5.0f) << "nothing has been tried";
        }
}

TEST_F(ParticleGridTest, HoldsAnyNumberInOneCell) {
    constexpr std::size_t kCrowd = 700;
    // Within a tenth of a radius all touch all.
    const State state{random_vectors(kCrowd, glm::vec3(0.2f), glm::vec3(0.205f), 11),
                      Vectors(kCrowd, glm::vec4(0.0f))};
    Graph g = graph();
    const Particles source = particles(g, state.positions, state.velocities, kRadius);
    g.output("after", g.add(CollideParticles{.source = source, .box = kBox}).particles.velocities);
    Running running = run(std::move(g));
    const auto after = running.buffer<glm::vec4>("after");
    ASSERT_EQ(after.size(), kCrowd);
    for (std::size_t i = 0; i < kCrowd; ++i)
        ASSERT_EQ(after[i].w, static_cast<float>(kCrowd - 1)) << i;
}

/// The comparison with all pairs can fail: it notices particles that are not sorted.
TEST_F(ParticleGridTest, ThatIsNotSortedIsNoticed) {
    const State state = awkward_state(700);
    Graph g = graph();
    const Particles source = particles(g, state.positions, state.velocities, kRadius);
    ParticleGrid grid = g.add(SortIntoGrid{.source = source, .box = kBox}).grid;
    grid.positions = source.positions;
    const CollideParticles pass{.source = source, .grid = grid, .box = kBox};
    g.output("after", g.add(pass).particles.velocities);
    Running running = run(std::move(g));
    const auto after = running.buffer<glm::vec4>("after");
    const std::vector<float> contacts = contacts_of(state, kRadius);
    ASSERT_EQ(after.size(), contacts.size());
    int wrong = 0;
    for (std::size_t i = 0; i < after.size(); ++i)
        wrong += after[i].w != contacts[i] ? 1 : 0;
    EXPECT_GT(wrong, 100);
}

TEST_F(ParticleGridTest, HasEachParticleOnceInItsOwnCell) {
    for (const std::size_t count : {0u, 1u, 700u}) {
        SCOPED_TRACE(count);
        const State state = awkward_state(count);
        Graph g = graph();
        const Particles source = particles(g, state.positions, state.velocities, kRadius);
        const ParticleGrid grid = g.add(SortIntoGrid{.source = source, .box = kBox}).grid;
        g.output("order", grid.order);
        g.output("ranges", grid.ranges);
        Running running = run(std::move(g));
        const auto order = running.buffer<std::uint32_t>("order");
        const auto ranges = running.buffer<glm::uvec2>("ranges");
        ASSERT_GE(order.size(), count);
        ASSERT_EQ(ranges.size(), grid.cells.x * grid.cells.y * grid.cells.z + 1);
        ASSERT_GT(ranges.size(), 100u);
        std::vector<int> seen(count, 0);
        for (std::size_t cell = 0; cell < ranges.size(); ++cell) {
            ASSERT_LE(ranges[cell].x, ranges[cell].y);
            ASSERT_LE(ranges[cell].y, count);
            for (std::uint32_t at = ranges[cell].x; at < ranges[cell].y; ++at) {
                const std::uint32_t particle = order[at];
                ASSERT_LT(particle, count);
                ++seen[particle];
                ASSERT_TRUE(at == ranges[cell].x || order[at - 1] < particle); // stable
                std::size_t own = ranges.size() - 1;
                if (is_alive(state, particle)) {
                    const glm::vec3 place =
                        (glm::vec3(state.positions[particle]) - grid.origin) * (1.0f / grid.cell);
                    const glm::uvec3 at_cell(
                        glm::clamp(glm::floor(place), glm::vec3(0.0f), glm::vec3(grid.cells - 1u)));
                    own = at_cell.x + grid.cells.x * (at_cell.y + grid.cells.y * at_cell.z);
                }
                ASSERT_EQ(own, cell) << particle;
            }
        }
        EXPECT_EQ(seen, std::vector<int>(count, 1));
    }
}

TEST_F(ParticleGridTest, OfTooManyCellsHasLargerOnes) {
    Graph g = graph();
    const Vectors positions = random_vectors(200, glm::vec3(-100.0f), glm::vec3(100.0f), 3);
    const Particles source = particles(g, positions, Vectors(200, glm::vec4(0.0f)), 1e-4f);
    const SortIntoGrid pass{.source = source,
                            .box = {.low = glm::vec3(-100.0f), .high = glm::vec3(100.0f)}};
    const ParticleGrid grid = g.add(pass).grid;
    EXPECT_LE(std::max({grid.cells.x, grid.cells.y, grid.cells.z}), 1024u);
    EXPECT_LE(std::uint64_t{grid.cells.x} * grid.cells.y * grid.cells.z, 1u << 24);
    EXPECT_GE(grid.cell * static_cast<float>(grid.cells.x), 200.0f);
}

TEST_F(ParticleGridTest, IsShownWithEveryParticle) {
    const State state = awkward_state(500);
    Graph g = graph();
    const Particles source = particles(g, state.positions, state.velocities, kRadius);
    const ParticleGrid grid = g.add(SortIntoGrid{.source = source, .box = kBox}).grid;
    for (const auto& [name, axis] : {std::pair{"x", passes::GridAxis::x},
                                     {"y", passes::GridAxis::y},
                                     {"z", passes::GridAxis::z}}) {
        const ParticleOccupancy shown =
            g.add(ParticleOccupancy{.grid = grid, .axis = axis, .scale = 3}, name);
        g.output(name, shown.counts);
        g.output(std::string(name) + " picture", shown.result);
    }
    Running running = run(std::move(g));
    double alive = 0.0;
    for (std::size_t i = 0; i < state.positions.size(); ++i)
        alive += is_alive(state, i) ? 1.0 : 0.0;
    for (const std::string name : {"x", "y", "z"}) {
        const HostImage counts = running.image(name);
        const HostImage picture = running.image(name + " picture");
        ASSERT_FALSE(counts.empty());
        ASSERT_EQ(picture.extent.width, 3 * counts.extent.width);
        double sum = 0.0;
        for (std::uint32_t y = 0; y < counts.extent.height; ++y)
            for (std::uint32_t x = 0; x < counts.extent.width; ++x) {
                const float count = counts.texel(x, y)[0];
                sum += count;
                const bool lit = picture.texel(3 * x + 1, 3 * y + 2)[2] > 0.0f;
                ASSERT_EQ(lit, count > 0.0f) << x << ", " << y;
            }
        EXPECT_EQ(sum, alive) << name;
    }
}

} // namespace
} // namespace tuff
