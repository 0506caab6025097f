#include "tests/gpu/fluid/sparse_fixture.hpp"

#include <vector>

/// fluid/sparse with all of its sweeps in one dispatch.
namespace tuff {
namespace {

using passes::FluidFace;
using passes::FluidPrecision;
using passes::SmokeSweeps;
using passes::SparseFluid;
using testing_gpu::SparseFluids;

// Bricks come while it runs, and pressures of the step before are where it begins.
TEST_F(SparseFluids, AllSweepsInOneDispatchGiveTheBitsOfADispatchEach) {
    for (const bool warm : {true, false})
        for (const glm::uvec3 brick : {glm::uvec3(32, 16, 8), glm::uvec3(16, 32, 16)}) {
            SCOPED_TRACE(brick.x);
            SparseFluid apart{.dims = {128, 32, 32},
                              .parameters = {.brick = brick},
                              .boundary = {.left = FluidFace::wall,
                                           .right = FluidFace::open,
                                           .bottom = FluidFace::wall,
                                           .top = FluidFace::open,
                                           .back = FluidFace::open,
                                           .front = FluidFace::wall},
                              .precision = warm ? FluidPrecision::full : FluidPrecision::half,
                              .sweeps = SmokeSweeps::apart,
                              .iterations = warm ? 5u : 8u,
                              .warm_start = warm,
                              .confinement = brick.x == 32 ? 0.2f : 0.0f,
                              .buoyancy = {0.0f, 0.2f, 0.0f}};
            apart.emitters = {{.position = {20.0f, 12.0f, 9.0f},
                               .size = glm::vec3(6.0f),
                               .force = {12.0f, 3.0f, 2.0f},
                               .dye = {1.0f, 0.5f, 0.2f, 0.1f}}};
            SparseFluid together = apart;
            together.sweeps = SmokeSweeps::together;
            const std::vector<Result> results = after({apart, together}, Start{}, 6);
            const glm::uvec3 grid = apart.dims / brick;
            EXPECT_GT(results[0].bricks.active_bricks, 2u);
            EXPECT_LT(results[0].bricks.active_bricks, grid.x * grid.y * grid.z);
            ASSERT_FALSE(results[0].velocity.empty());
            EXPECT_EQ(results[1].numbers, results[0].numbers);
            EXPECT_EQ(results[1].velocity, results[0].velocity);
            EXPECT_EQ(results[1].dye, results[0].dye);
        }
}

} // namespace
} // namespace tuff
