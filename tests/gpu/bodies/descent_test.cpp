#include "tests/gpu/bodies/bodies_test.hpp"

#include <glm/vector_relational.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

/// Vertex block descent where bodies touch so many others that colors run out.
namespace tuff {
namespace {

using passes::BodyList;
using passes::SolverMethod;
using testing_gpu::BodyState;

constexpr std::uint32_t kDescentRounds = 32;
constexpr std::uint32_t kDescentColors = 12;

/// A lattice of spheres that do not quite touch.
struct Lattice {
    int side = 12;
    int farthest = 2; ///< neighbours differ in at most so many coordinates

    std::uint32_t count() const { return static_cast<std::uint32_t>(side * side * side); }
    glm::ivec3 place(std::uint32_t i) const {
        const int k = static_cast<int>(i);
        return {k % side, k / side % side, k / side / side};
    }
    bool touch(std::uint32_t a, std::uint32_t b) const {
        const glm::ivec3 apart = glm::abs(place(a) - place(b));
        const int sum = apart.x + apart.y + apart.z;
        return sum > 0 && sum <= farthest && glm::all(glm::lessThan(apart, glm::ivec3(2)));
    }
    std::vector<std::uint32_t> neighbours(std::uint32_t i) const {
        std::vector<std::uint32_t> all;
        for (int k = 0; k < 27; ++k) {
            const glm::ivec3 at = place(i) + glm::ivec3(k % 3, k / 3 % 3, k / 9) - 1;
            if (glm::any(glm::lessThan(at, glm::ivec3(0))) ||
                glm::any(glm::greaterThanEqual(at, glm::ivec3(side))))
                continue;
            const auto other = static_cast<std::uint32_t>((at.z * side + at.y) * side + at.x);
            if (touch(i, other)) all.push_back(other);
        }
        return all;
    }
};

std::uint32_t priority(std::uint32_t i) {
    const std::uint32_t word = i * 2654435761u;
    return word ^ (word >> 15);
}

/// The bodies that have no color below `kDescentColors` after `kDescentRounds`: one body after the
/// other.
std::uint32_t uncolored(const Lattice& lattice) {
    std::vector<std::uint32_t> order(lattice.count());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, priority);
    std::vector<std::uint32_t> color(order.size(), ~0u);
    std::vector<std::uint32_t> round(order.size(), 0);
    std::uint32_t rest = 0;
    for (const std::uint32_t i : order) {
        std::uint32_t taken = 0;
        for (const std::uint32_t other : lattice.neighbours(i)) {
            if (color[other] == ~0u) continue; // comes later
            taken |= 1u << color[other];
            round[i] = std::max(round[i], round[other]);
        }
        ++round[i];
        color[i] = static_cast<std::uint32_t>(std::countr_one(taken));
        rest += round[i] > kDescentRounds || color[i] >= kDescentColors ? 1u : 0u;
    }
    return rest;
}

class BodiesDescent : public testing_gpu::BodiesTest {
  protected:
    static Simulate descent(std::uint32_t steps, std::uint32_t iterations) {
        Simulate pass = few(steps);
        pass.solver.method = SolverMethod::avbd;
        pass.solver.iterations = iterations;
        return pass;
    }
};

// With 18 neighbours all bodies have a color, with 26 the count is that of the colors on the host.
TEST_F(BodiesDescent, CountsTheBodiesOfALatticeThatHaveNoColor) {
    for (const int farthest : {2, 3}) {
        const Lattice lattice{.farthest = farthest};
        BodyList list;
        for (std::uint32_t i = 0; i < lattice.count(); ++i)
            list.sphere(0.3f, {.place = glm::vec3(lattice.place(i))});
        Simulate pass = descent(1, 1);
        pass.pairs = passes::PairMethod::grid;
        pass.split =
            glm::uvec3(4); // lavapipe ends loops after 65,536 rounds: cells must not be full
        pass.gravity = glm::vec3(0.0f);
        // Twice the margin is between the gaps sqrt(2) - 0.6 and sqrt(3) - 0.6, or that and 2 -
        // 0.6.
        pass.margin = farthest == 2 ? 0.48f : 0.62f;
        pass.room = 64 * lattice.count(); // of boxes
        const BodyState state = simulated(list, pass);
        ASSERT_EQ(state.places.size(), lattice.count());
        EXPECT_EQ(state.status.lost_pairs, 0u);
        const std::uint32_t rest = uncolored(lattice);
        EXPECT_EQ(state.status.uncolored, rest) << farthest;
        EXPECT_EQ(rest == 0, farthest == 2);
        EXPECT_EQ(state.status.warnings().size(), rest == 0 ? 0u : 1u);
    }
}

// Forty bodies of which each knows all others need forty colors: 28 have none that counts. They
// rest on the ground like the others, and two runs give the same bits.
TEST_F(BodiesDescent, BodiesWithoutAColorMoveAsOthersDo) {
    BodyList list;
    list.plane({});
    const auto count = 40u;
    for (std::uint32_t i = 0; i < count; ++i)
        list.sphere(0.05f, {.place = {0.11f * static_cast<float>(i % 8), 0.06f,
                                      0.11f * static_cast<float>(i / 8)}});
    Simulate pass = descent(10, 4);
    pass.margin = 1.0f;
    pass.room = 1024;
    const BodyState state = simulated(list, pass, 4);
    ASSERT_EQ(state.places.size(), count + 1);
    EXPECT_EQ(state.status.uncolored, 10 * (count - kDescentColors));
    for (std::uint32_t i = 1; i <= count; ++i) {
        EXPECT_NEAR(state.places[i].y, 0.05f, 0.006f) << i; // and the slop
        EXPECT_LT(glm::length(state.motions[i].velocity), 0.01f) << i;
    }
    const BodyState again = simulated(list, pass, 4);
    EXPECT_EQ(again.places, state.places);
}

} // namespace
} // namespace tuff
