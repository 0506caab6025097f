#include "passes/sparse/audit.hpp"
#include "tests/common/environment.hpp"
#include "tests/gpu/fluid/sparse_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

/// fluid/sparse over many steps: bricks come and go, and none are lost.
namespace tuff {
namespace {

using passes::SparseAudit;
using passes::SparseFluid;
using passes::SparseTotals;
using testing_gpu::Running;
using testing_gpu::SparseFluids;

TEST_F(SparseFluids, AnEmitterThatGoesRoundAndRoundLosesNoBrick) {
    // 2^33 cells, and so many bricks that the map is a hash table; a turn takes 8 steps.
    constexpr unsigned kTurn = 8;
    // 12,500 turns are 100,000 steps.
    const auto turns = static_cast<unsigned>(test::number_from("TUFF_TEST_ROUNDS", 20));
    const auto build = [&](unsigned step) {
        Graph g = graph();
        SparseFluid pass{.dims = glm::uvec3(2048),
                         .parameters = {.brick = glm::uvec3(4), .capacity = 150},
                         .expansion = {.guard = 1, .least_speed = 0.05f, .least_dye = 0.05f},
                         .iterations = 1,
                         .warm_start = false,
                         .drag = 1.0f,
                         .decay = glm::vec4(1.0f)};
        const float angle = 2.0f * std::numbers::pi_v<float> * float(step % kTurn) / kTurn;
        pass.emitters = {{.position = {1024.0f + 8.0f * std::cos(angle), 1022.0f,
                                       1024.0f + 8.0f * std::sin(angle)},
                          .size = glm::vec3(2.5f),
                          .force = {0.0f, 0.5f, 0.0f},
                          .dye = {1.0f, 1.0f, 1.0f, 0.0f}}};
        const SparseFluid added = g.add(pass, "smoke");
        const SparseAudit audit =
            g.add(SparseAudit{.bricks = added.bricks, .kept = 2 * kTurn, .growth = 1.05f}, "audit");
        output(g, "totals", audit.totals);
        output(g, "active", audit.active);
        return g;
    };
    Running running = start(build(0));
    ASSERT_TRUE(running);
    std::vector<std::vector<std::byte>> turn;
    for (unsigned step = 0; step < kTurn; ++step)
        turn.push_back(build(step).finish().parameters);
    for (unsigned step = 0; step < kTurn * turns; ++step) {
        ASSERT_TRUE(running->set_parameters(turn[step % kTurn]));
        running.execute();
    }
    const auto totals = SparseTotals::read(running.buffer<std::uint32_t>("totals"));
    EXPECT_EQ(totals.executions, kTurn * turns);
    EXPECT_EQ(totals.broken, 0u);
    EXPECT_EQ(totals.refused, 0u);
    EXPECT_EQ(totals.grown, 0u);
    EXPECT_TRUE(totals.warnings().empty());
    // Whatever was given is active or has been given back.
    EXPECT_EQ(totals.fresh - totals.given_back, totals.active);
    EXPECT_GT(totals.given_back, 300u); // each of the 150 slots has had several bricks
    const auto active = running.buffer<float>("active");
    ASSERT_EQ(active.size(), 2 * kTurn);
    for (unsigned i = 0; i < kTurn; ++i)
        EXPECT_EQ(active[i], active[i + kTurn]) << i; // one turn is like the other
    EXPECT_GT(active[0], 8.0f);
}

} // namespace
} // namespace tuff
