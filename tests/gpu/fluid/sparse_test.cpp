#include "passes/voxel/voxel_grid.hpp"
#include "tests/gpu/fluid/sparse_fixture.hpp"
#include "tests/gpu/fluid/sparse_reference.hpp"

#include <tuff/graph_runner.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

/// fluid/sparse: smoke in bricks.
namespace tuff {
namespace {

using passes::AdvectionMethod;
using passes::FluidBoundary;
using passes::FluidFace;
using passes::FluidPrecision;
using passes::SmokeEmitter;
using passes::SmokePressure;
using passes::SmokeShape;
using passes::SmokeStatus;
using passes::SparseFluid;
using passes::SparseStatus;
using passes::SparseStorage;
using testing_gpu::BrickSmokeReference;
using testing_gpu::bytes_of;
using testing_gpu::Noise;
using testing_gpu::Running;
using testing_gpu::SparseFluids;

constexpr FluidBoundary kMixedSides{.left = FluidFace::wall,
                                    .right = FluidFace::open,
                                    .bottom = FluidFace::wall,
                                    .top = FluidFace::open,
                                    .back = FluidFace::open,
                                    .front = FluidFace::wall};

TEST_F(SparseFluids, StepsAreThoseOfTheReference) {
    const glm::uvec3 dims(19, 13, 17);
    const Start start = random_start(dims, 1);
    for (const AdvectionMethod method :
         {AdvectionMethod::semi_lagrangian, AdvectionMethod::maccormack}) {
        SCOPED_TRACE(static_cast<int>(method));
        SparseFluid pass{.dims = dims,
                         .parameters = {.storage = SparseStorage::dense},
                         .boundary = kMixedSides,
                         .advection = method,
                         .dt = 0.7f,
                         .iterations = 12,
                         .confinement = 0.3f,
                         .buoyancy = {0.1f, 0.4f, -0.2f},
                         .drag = 0.05f,
                         .decay = {0.1f, 0.02f, 0.0f, 0.3f}};
        pass.emitters = {{.position = {6.0f, 5.5f, 9.0f},
                          .size = glm::vec3(4.0f),
                          .force = {0.5f, 1.0f, 0.0f},
                          .dye = {1.0f, 0.5f, 0.2f, 0.1f}},
                         {.shape = SmokeShape::box,
                          .position = {14.0f, 3.0f, 4.0f},
                          .size = {2.25f, 1.75f, 3.25f},
                          .force = {-1.0f, 0.0f, 0.2f},
                          .dye = {0.0f, 0.3f, 0.3f, 0.5f}}};
        BrickSmokeReference reference{.dims = glm::ivec3(dims), .pass = pass};
        for (const glm::vec4& v : start.velocity)
            reference.velocity.emplace_back(glm::vec3(v));
        for (const glm::vec4& d : start.dye)
            reference.dye.emplace_back(d);
        // The order of the sides' corners and roundings at the clamps of MacCormack are all that
        // differ; a step spreads a difference to neighbours.
        constexpr double kTolerance = 1e-4;
        const std::vector<Result> results = after({pass}, start, 3);
        for (int i = 0; i < 3; ++i)
            reference.step();
        ASSERT_EQ(results[0].velocity.size(), reference.count());
        double fastest = 0.0;
        for (std::size_t i = 0; i < reference.count(); ++i) {
            for (int a = 0; a < 3; ++a)
                ASSERT_NEAR(results[0].velocity[i][a], reference.velocity[i][a], kTolerance) << i;
            for (int k = 0; k < 4; ++k)
                ASSERT_NEAR(results[0].dye[i][k], reference.dye[i][k], kTolerance) << i;
            fastest = std::max(fastest, glm::length(reference.velocity[i]));
        }
        EXPECT_GT(fastest, 0.5);
        EXPECT_NEAR(results[0].status.total_mass(), mass(results[0]), 1e-4 * mass(results[0]));
    }
}

TEST_F(SparseFluids, WhileAllBricksAreActiveTheBitsAreThoseOfOneBrick) {
    struct Case {
        glm::uvec3 dims, brick;
        FluidPrecision precision;
        AdvectionMethod advection;
        SmokePressure method;
    };
    for (const Case& c : {Case{{24, 16, 9},
                               {8, 8, 8},
                               FluidPrecision::full,
                               AdvectionMethod::semi_lagrangian,
                               SmokePressure::jacobi},
                          Case{{21, 14, 11},
                               {4, 4, 4},
                               FluidPrecision::full,
                               AdvectionMethod::maccormack,
                               SmokePressure::jacobi},
                          Case{{40, 17, 18},
                               {32, 16, 16},
                               FluidPrecision::half,
                               AdvectionMethod::semi_lagrangian,
                               SmokePressure::jacobi},
                          Case{{18, 9, 20},
                               {8, 8, 8},
                               FluidPrecision::half,
                               AdvectionMethod::maccormack,
                               SmokePressure::jacobi},
                          // Rows of four in one brick, and not in bricks.
                          Case{{24, 11, 13},
                               {6, 5, 7},
                               FluidPrecision::full,
                               AdvectionMethod::semi_lagrangian,
                               SmokePressure::jacobi},
                          Case{{24, 12, 16},
                               {12, 4, 4},
                               FluidPrecision::full,
                               AdvectionMethod::semi_lagrangian,
                               SmokePressure::multigrid},
                          Case{{16, 16, 8},
                               {8, 8, 8},
                               FluidPrecision::full,
                               AdvectionMethod::maccormack,
                               SmokePressure::multigrid}}) {
        SCOPED_TRACE(c.dims.x);
        SparseFluid pass{.dims = c.dims,
                         .parameters = {.brick = c.brick},
                         .boundary = kMixedSides,
                         .precision = c.precision,
                         .advection = c.advection,
                         .method = c.method,
                         .iterations = c.method == SmokePressure::jacobi ? 4u : 2u,
                         .levels = 3,
                         .confinement = 0.2f,
                         .buoyancy = {0.0f, 0.2f, 0.0f}};
        pass.emitters = {{.position = glm::vec3(c.dims) * 0.4f,
                          .size = glm::vec3(5.0f),
                          .force = {1.0f, 0.5f, 0.0f},
                          .dye = {1.0f, 0.5f, 0.2f, 0.1f}}};
        SparseFluid full = pass;
        full.parameters.storage = SparseStorage::full;
        SparseFluid dense = pass;
        dense.parameters.storage = SparseStorage::dense;
        const std::vector<Result> results = after({pass, full, dense}, random_start(c.dims, 2), 3);
        const glm::uvec3 grid = (c.dims + c.brick - 1u) / c.brick;
        EXPECT_EQ(results[0].bricks.active_bricks, grid.x * grid.y * grid.z);
        ASSERT_FALSE(results[2].velocity.empty());
        for (const std::size_t i : {0u, 1u}) {
            EXPECT_EQ(results[i].velocity, results[2].velocity);
            EXPECT_EQ(results[i].dye, results[2].dye);
            EXPECT_EQ(results[i].status.fastest, results[2].status.fastest);
        }
    }
}

TEST_F(SparseFluids, NothingLeavesThroughBricksThatAreNotActive) {
    const glm::uvec3 dims(48);
    SparseFluid pass{.dims = dims,
                     .parameters = {.capacity = 216},
                     .expansion = {.guard = 4, .least_speed = 1e-2f, .least_dye = 1e-4f},
                     .dt = 1.0f,
                     .iterations = 10,
                     .confinement = 0.1f};
    pass.emitters = {{.position = {24.0f, 14.0f, 24.0f},
                      .size = glm::vec3(5.0f),
                      .force = {0.0f, 0.6f, 0.1f},
                      .dye = {1.0f, 1.0f, 1.0f, 0.0f}}};
    SparseFluid full = pass;
    full.parameters.storage = SparseStorage::full;
    SparseFluid dense = pass;
    dense.parameters.storage = SparseStorage::dense;
    const std::vector<Result> results = after({pass, full, dense}, {}, 7);
    const Result& sparse = results[0];
    ASSERT_FALSE(sparse.dye.empty());
    EXPECT_EQ(sparse.dye, results[1].dye);
    EXPECT_EQ(sparse.velocity, results[1].velocity);
    EXPECT_EQ(sparse.bricks.refused, 0u);
    EXPECT_LT(sparse.bricks.active_bricks, 216u * 3 / 4);
    double most = 0.0;
    for (std::size_t i = 0; i < sparse.dye.size(); ++i)
        most = std::max(most, std::abs(double{sparse.dye[i].x} - double{results[2].dye[i].x}));
    EXPECT_LE(most, 1e-3);
    EXPECT_GT(mass(results[2]), 200.0);
    EXPECT_NEAR(mass(sparse), mass(results[2]), 5e-3 * mass(results[2]));
    EXPECT_NEAR(sparse.status.total_mass(), mass(sparse), 1e-3 * mass(sparse));
}

TEST_F(SparseFluids, BricksAreActiveBeforeFluidComesOverFacesEdgesAndCorners) {
    const glm::uvec3 dims(32);
    for (const glm::vec3 way : {glm::vec3(2, 0, 0), glm::vec3(0, -2, 0), glm::vec3(2, 2, 0),
                                glm::vec3(-2, 2, -2), glm::vec3(2, 2, 2)}) {
        SCOPED_TRACE(way.x * 100 + way.y * 10 + way.z);
        // In brick (1, 1, 1), two cells from the sides that it moves towards.
        const glm::ivec3 middle = glm::ivec3(12) + glm::ivec3(way);
        Start start;
        start.velocity = cells_of(dims, [&](glm::ivec3 p) {
            return glm::all(glm::equal(p, middle)) ? glm::vec4(way, 0.0f) : glm::vec4(0.0f);
        });
        SparseFluid pass{.dims = dims,
                         .expansion = {.guard = 0, .least_speed = 1.0f, .least_dye = 1.0f},
                         .iterations = 1};
        const std::vector<Result> first = after({pass}, start, 1);
        EXPECT_EQ(first[0].numbers, (std::set<std::uint32_t>{21u}));
        // Without pressure nothing changes the velocity of that one cell but its own way: it is
        // looked up upstream, where nothing is, so what claims bricks is kept by a wide blob.
        start.velocity = cells_of(dims, [&](glm::ivec3 p) {
            const glm::ivec3 off = glm::abs(p - middle);
            return std::max({off.x, off.y, off.z}) <= 1 ? glm::vec4(way, 0.0f) : glm::vec4(0.0f);
        });
        SparseFluid next = pass;
        next.expansion.ahead = 3.0f;
        SparseFluid just = pass; // what it comes to in the next step
        just.expansion.ahead = 1.0f;
        const std::vector<Result> second = after({next, just}, start, 2);
        std::set<std::uint32_t> reached;
        for (int n = 0; n < 27; ++n) {
            const glm::ivec3 side(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
            bool towards = true;
            for (int a = 0; a < 3; ++a)
                towards = towards && (side[a] == 0 || static_cast<float>(side[a]) * way[a] > 0.0f);
            if (!towards) continue;
            const glm::ivec3 brick = glm::ivec3(1) + side;
            const auto number = static_cast<std::uint32_t>((brick.z * 4 + brick.y) * 4 + brick.x);
            EXPECT_TRUE(second[0].numbers.contains(number)) << n;
            reached.insert(number);
        }
        EXPECT_EQ(second[1].numbers, reached);
    }
}

TEST_F(SparseFluids, BricksGoWhereNothingIsLeft) {
    const glm::uvec3 dims(40);
    const Start start{.velocity = {},
                      .dye = cells_of(dims, [](glm::ivec3 p) {
                          return glm::vec4(glm::length(glm::vec3(p) - 20.0f) < 9.0f ? 1.0f : 0.0f);
                      })};
    SparseFluid pass{.dims = dims, .iterations = 2, .decay = glm::vec4(0.7f)};
    EXPECT_GT(after({pass}, start, 2)[0].bricks.active_bricks, 26u);
    const Result gone = after({pass}, start, 16)[0];
    EXPECT_EQ(gone.bricks.active_bricks, 0u);
    EXPECT_EQ(mass(gone), 0.0);
}

TEST_F(SparseFluids, AnEmitterThatGoesRoundKeepsNoMoreBricksThanItNeeds) {
    TUFF_ONLY_ON(lavapipe);
    const auto build = [&](unsigned step) {
        Graph g = graph();
        SparseFluid pass{.dims = {48, 32, 48},
                         .parameters = {.capacity = 144},
                         .expansion = {.guard = 2, .least_speed = 0.02f, .least_dye = 0.01f},
                         .iterations = 1,
                         .drag = 0.3f,
                         .decay = glm::vec4(0.5f)};
        const float angle = 0.5f * static_cast<float>(step);
        pass.emitters = {
            {.position = {24.0f + 15.0f * std::cos(angle), 10.0f, 24.0f + 15.0f * std::sin(angle)},
             .size = glm::vec3(4.0f),
             .force = {0.0f, 0.4f, 0.0f},
             .dye = {1.0f, 1.0f, 1.0f, 0.0f}}};
        const SparseFluid added = g.add(pass, "smoke");
        output(g, "bricks", added.brick_status);
        return g;
    };
    Running running = start(build(0));
    ASSERT_TRUE(running);
    std::vector<std::uint32_t> active;
    for (unsigned step = 0; step < 64; ++step) {
        const GraphDesc desc = build(step).finish();
        ASSERT_TRUE(running->set_parameters(desc.parameters));
        running.execute();
        const auto status = SparseStatus::read(running.buffer<std::uint32_t>("bricks"));
        ASSERT_EQ(status.refused, 0u) << step;
        active.push_back(status.active_bricks);
    }
    // Five turns: as many in the last as in the second.
    const auto most = [&](std::size_t first, std::size_t last) {
        return *std::max_element(active.begin() + std::ptrdiff_t(first),
                                 active.begin() + std::ptrdiff_t(last));
    };
    EXPECT_LE(most(51, 64), most(13, 26) + 4);
    EXPECT_GT(most(13, 26), 8u);
}

TEST_F(SparseFluids, EmittersOfAllShapesFillTheirPlaces) {
    const glm::uvec3 dims(32, 24, 24);
    const glm::uvec3 texels(3, 4, 5);
    std::vector<float> texture(60);
    Noise noise(4);
    for (float& texel : texture)
        texel = noise();
    passes::VoxelGrid voxels{.dims = {4, 3, 40}};
    std::vector<std::uint32_t> words(voxels.word_count());
    std::mt19937 random(9);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = static_cast<std::uint32_t>(random()) & (i % 2 == 0 ? ~0u : 0xffu);
    SparseFluid pass{.dims = dims, .dt = 0.5f, .iterations = 1};
    Graph g = graph();
    const Image volume = g.constant_image("texture",
                                          {.format = Format::r32_sfloat,
                                           .extent = {texels.x, texels.y, texels.z},
                                           .shape = ImageShape::d3},
                                          bytes_of(texture));
    voxels.words =
        g.constant_buffer("voxels", {.size = 4 * words.size(), .stride = 4}, bytes_of(words));
    voxels.frame = voxels.status = voxels.words;
    const std::vector<passes::SparseEmitter> asked{
        {.position = {6.0f, 6.0f, 6.0f}, .size = glm::vec3(5.0f), .dye = {1, 0, 0, 0}},
        {.shape = SmokeShape::box,
         .position = {16.0f, 8.0f, 8.0f},
         .size = {2.75f, 3.25f, 1.75f},
         .dye = {0, 1, 0, 0}},
        {.shape = SmokeShape::texture,
         .position = {24.0f, 16.0f, 12.0f},
         .size = {6.0f, 6.9f, 8.0f},
         .dye = {0, 0, 1, 0},
         .texture = volume},
        {.shape = SmokeShape::voxels,
         .position = {8.0f, 16.0f, 12.0f},
         .size = {6.9f, 6.0f, 9.9f},
         .dye = {0, 0, 0, 1},
         .voxels = voxels},
        {.position = {3.0f, 3.0f, 3.0f}, .size = glm::vec3(0.0f), .dye = glm::vec4(9.0f)}};
    for (const passes::SparseEmitter& emitter : asked)
        pass.emitters.push_back(g.add(emitter).emitter);
    outputs(g, g.add(pass, "smoke"), "");
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const Result result = read(running, "", FluidPrecision::full);
    ASSERT_EQ(result.dye.size(), std::size_t{32} * 24 * 24);
    for (std::size_t i = 0; i < result.dye.size(); ++i) {
        const glm::vec3 p = glm::vec3(place_of(i, dims)) + 0.5f;
        glm::dvec4 expected(0.0);
        const double r = glm::length(p - asked[0].position) / 5.0f;
        expected.x = 0.5 * std::pow(std::max(1.0 - r * r, 0.0), 3.0);
        const auto inside = [&](const passes::SparseEmitter& e) {
            return glm::all(glm::lessThan(glm::abs(p - e.position), e.size));
        };
        if (inside(asked[1])) expected.y = 0.5;
        const auto place = [&](const passes::SparseEmitter& e, glm::uvec3 size) {
            return glm::uvec3((p - e.position + e.size) / (2.0f * e.size) * glm::vec3(size));
        };
        if (inside(asked[2])) {
            const glm::uvec3 t = place(asked[2], texels);
            expected.z = 0.5 * double{texture[(t.z * 4 + t.y) * 3 + t.x]};
        }
        if (inside(asked[3])) {
            const glm::uvec3 v = place(asked[3], voxels.dims);
            const std::uint32_t word = words[(v.y * 4 + v.x) * 2 + (v.z >> 5)];
            expected.w = 0.5 * double(word >> (v.z & 31u) & 1u);
        }
        for (int k = 0; k < 4; ++k)
            ASSERT_NEAR(result.dye[i][k], expected[k], 1e-6) << i << " " << k;
    }
}

TEST_F(SparseFluids, AFullPoolKeepsItsSmokeAndSaysSo) {
    const glm::uvec3 dims(64);
    SparseFluid pass{.dims = dims, .parameters = {.capacity = 20}, .iterations = 2};
    pass.emitters = {{.position = glm::vec3(32.0f),
                      .size = glm::vec3(7.0f),
                      .force = {0.0f, 0.5f, 0.0f},
                      .dye = glm::vec4(1.0f)}};
    const Result result = after({pass}, {}, 10)[0];
    EXPECT_EQ(result.bricks.active_bricks, 20u);
    EXPECT_GT(result.bricks.refused, 0u);
    ASSERT_EQ(result.bricks.warnings().size(), 1u);
    EXPECT_EQ(result.bricks.warnings()[0].code, "sparse/pool-full");
    EXPECT_GT(mass(result), 10.0);
    for (const glm::vec4& d : result.dye)
        ASSERT_TRUE(std::isfinite(d.x));
}

TEST_F(SparseFluids, APoolGrowsWithoutLosingWhatItHolds) {
    GraphRunner runner(device());
    SparseFluid pass{.dims = glm::uvec3(48), .parameters = {.capacity = 70}, .iterations = 2};
    pass.emitters = {{.position = glm::vec3(24.0f),
                      .size = glm::vec3(6.0f),
                      .force = {0.0f, 0.3f, 0.0f},
                      .dye = glm::vec4(1.0f)}};
    // The same, with room from the start.
    SparseFluid roomy = pass;
    roomy.parameters.capacity = 216;
    double least = 0.0;
    unsigned grown = 0;
    for (unsigned frame = 0; frame < 9; ++frame) {
        auto told = runner.grow_pools();
        ASSERT_TRUE(told);
        grown += static_cast<unsigned>(told->size());
        Graph g = graph();
        g.set_pools(runner.pools());
        outputs(g, g.add(pass, "smoke"), "");
        outputs(g, g.add(roomy, "roomy"), "roomy");
        auto taken = runner.take(std::move(g).finish(), shaders());
        ASSERT_TRUE(taken) << to_string(taken.error());
        ASSERT_TRUE(runner.executor()->execute());
        const auto words = [&](std::string_view name) {
            const auto bytes = runner.executor()->read_buffer(name);
            std::vector<std::uint32_t> result(bytes ? bytes->size() / 4 : 0);
            if (bytes) std::memcpy(result.data(), bytes->data(), bytes->size());
            return result;
        };
        const double mass_now = SmokeStatus::read(words("status")).total_mass();
        const double expected = SmokeStatus::read(words("roomystatus")).total_mass();
        EXPECT_NEAR(mass_now, expected, 0.02 * expected) << frame;
        EXPECT_GT(mass_now, least); // with an emitter it grows in every frame
        least = mass_now;
        if (frame < 8) continue;
        const auto bricks = SparseStatus::read(words("bricks"));
        EXPECT_EQ(bricks.refused, 0u);
        EXPECT_GT(bricks.active_bricks, 70u);
    }
    EXPECT_GT(grown, 0u);
    EXPECT_TRUE(runner.take_restarted().empty());
}

/// Also where all bricks are freed at once, and kernels over bricks do not run.
TEST_F(SparseFluids, AStartIsThatOfTheFirstStepAlone) {
    SparseFluid pass{.dims = glm::uvec3(16)};
    pass.expansion.least_dye = 2.0f;
    pass.expansion.least_speed = 10.0f;
    const Start start = random_start(pass.dims, 3);
    EXPECT_EQ(after({pass}, start, 1)[0].bricks.active_bricks, 8u);
    for (const unsigned steps : {2u, 3u, 4u})
        EXPECT_EQ(after({pass}, start, steps)[0].bricks.active_bricks, 0u) << steps;
}

TEST_F(SparseFluids, BadInputIsToldAndNumbersThatAreNotFiniteAreSetToRest) {
    Graph g = graph();
    g.add(SparseFluid{.boundary = {.left = FluidFace::periodic, .right = FluidFace::periodic}});
    g.add(SparseFluid{.reach = 9});
    SparseFluid many{};
    many.emitters.assign(9, {.size = glm::vec3(1.0f)});
    g.add(many);
    g.add(passes::SparseEmitter{.shape = SmokeShape::texture});
    g.add(passes::SparseEmitter{.shape = SmokeShape::voxels});
    SparseFluid outside{.dims = glm::uvec3(16)};
    outside.emitters = {{.position = {40.0f, 8.0f, 8.0f}, .size = glm::vec3(4.0f)}};
    g.add(outside);
    const GraphDesc desc = std::move(g).finish();
    ASSERT_EQ(desc.diagnostics.size(), 6u);
    EXPECT_EQ(desc.diagnostics[0].code, "fluid/sparse-side");
    EXPECT_EQ(desc.diagnostics[1].code, "pass/out-of-range");
    EXPECT_EQ(desc.diagnostics[2].code, "fluid/too-many-emitters");
    EXPECT_EQ(desc.diagnostics[3].code, "fluid/no-emitter-volume");
    EXPECT_EQ(desc.diagnostics[4].code, "fluid/no-emitter-volume");
    EXPECT_EQ(desc.diagnostics[5].code, "fluid/emitter-outside");
    EXPECT_EQ(desc.diagnostics[5].severity, Severity::warning);

    const glm::uvec3 dims(16);
    Start start = random_start(dims, 3);
    start.velocity[777].y = std::numeric_limits<float>::quiet_NaN();
    start.velocity[99].x = 1e30f;
    const Result result = after({SparseFluid{.dims = dims}}, start, 2)[0];
    for (const glm::vec4& v : result.velocity)
        ASSERT_TRUE(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z));
}

} // namespace
} // namespace tuff
