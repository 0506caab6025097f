#include "passes/fluid/emitter.hpp"
#include "passes/fluid/simple.hpp"
#include "passes/fluid/stable.hpp"
#include "passes/sparse/bricks.hpp"
#include "passes/sparse/field.hpp"
#include "passes/voxel/solid.hpp"
#include "tests/gpu/isosurface/surface_test.hpp"

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include <bit>
#include <cmath>
#include <numbers>

/// Surfaces of what other modules make: fluids' densities and dyes, and voxels of meshes.
namespace tuff {
namespace {

using passes::DualContouring;
using passes::MarchingCubes;
using passes::SurfaceInside;
using passes::VolumeNumber;
using testing_gpu::HostField;
using testing_gpu::HostSurface;
using testing_gpu::open_edges;
using testing_gpu::Running;
using testing_gpu::triangle_set;

using IsosurfaceFields = testing_gpu::SurfaceTest;

constexpr glm::uvec3 kCells(22, 26, 18);

/// One number of each element, or the length of its vector.
HostField channel_of(const std::vector<glm::vec4>& cells, int channel) {
    HostField field{.dims = kCells, .values = {}};
    for (const glm::vec4& cell : cells)
        field.values.push_back(channel < 4 ? cell[channel] : glm::length(cell));
    return field;
}

/// The surface of one number of four, without a copy, is that of an array of this number alone.
TEST_F(IsosurfaceFields, SurfacesOfFluidsAreThoseOfTheirNumbers) {
    TUFF_ONLY_ON(lavapipe);
    passes::FluidEmitter source;
    source.position = {11.0f, 6.0f, 9.0f};
    source.radius = 5.0f;
    source.velocity = {0.0f, 0.4f, 0.0f};
    source.rate = 4.0f;
    source.dye = {1.0f, 0.5f, 0.25f, 0.0f};
    struct Look {
        std::string name;
        int channel;
        float iso;
    };
    const std::vector<Look> looks{{"dye 0", 0, 0.3f}, {"dye 2", 2, 0.05f}, {"density 3", 3, 2e-3f}};
    Graph g = graph();
    const passes::EmitterShape emitter = g.add(source).emitter;
    const passes::StableFluid smoke =
        g.add(passes::StableFluid{.emitters = {emitter}, .dims = kCells});
    const passes::SimpleFluid gas =
        g.add(passes::SimpleFluid{.emitters = {emitter}, .dims = kCells, .steps = 4});
    const auto output_copy = [&](std::string_view name, Buffer cells) {
        const BufferDesc desc{.size = g.desc(cells).size, .stride = 16};
        g.output(name, g.copy(cells, g.buffer(name, desc)));
    };
    output_copy("dye", smoke.dye.cells);
    output_copy("density", gas.field.cells);
    for (const Look& look : looks)
        output(g, look.name,
               MarchingCubes{.values = look.channel == 3 ? gas.field.cells : smoke.dye.cells,
                             .dims = kCells,
                             .channels = 4,
                             .number = static_cast<VolumeNumber>(look.channel),
                             .iso = look.iso,
                             .closed = true});
    output(g, "speed",
           DualContouring{.values = smoke.dye.cells,
                          .dims = kCells,
                          .channels = 4,
                          .number = VolumeNumber::length,
                          .iso = 0.4f,
                          .inside = SurfaceInside::above,
                          .closed = true});
    Running running = run(std::move(g), 3);
    ASSERT_TRUE(running);
    const auto dye = running.buffer<glm::vec4>("dye");
    const auto density = running.buffer<glm::vec4>("density");
    for (const Look& look : looks) {
        SCOPED_TRACE(look.name);
        const HostSurface got = surface(running, look.name);
        EXPECT_GT(got.triangles.size(), 100u);
        EXPECT_TRUE(open_edges(got).empty());
        EXPECT_EQ(triangle_set(got),
                  triangle_set(found(MarchingCubes{.iso = look.iso, .closed = true},
                                     channel_of(look.channel == 3 ? density : dye, look.channel))));
    }
    const HostSurface fast = surface(running, "speed");
    EXPECT_GT(fast.triangles.size(), 100u);
    EXPECT_TRUE(open_edges(fast).empty());
    // Lengths may round differently on the host.
    const HostSurface slow =
        found(DualContouring{.iso = 0.4f, .inside = SurfaceInside::above, .closed = true},
              channel_of(dye, 4));
    EXPECT_EQ(fast.triangles.size(), slow.triangles.size());
    EXPECT_NEAR(fast.volume(), slow.volume(), 1e-4 * slow.volume());
}

/// A mesh becomes voxels, and these a mesh again, near the first one.
TEST_F(IsosurfaceFields, SurfacesOfVoxelsLieNearTheMeshThatTheyCameFrom) {
    constexpr std::uint32_t kRings = 24;
    constexpr double kRadius = 0.8;
    const glm::vec3 middle(0.4f, -0.2f, 0.3f);
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    for (std::uint32_t ring = 0; ring <= kRings; ++ring)
        for (std::uint32_t part = 0; part <= 2 * kRings; ++part) {
            const double up = std::numbers::pi * ring / kRings;
            const double around = std::numbers::pi * (part % (2 * kRings)) / kRings;
            positions.push_back(
                middle +
                glm::vec3(kRadius * glm::dvec3(std::sin(up) * std::cos(around), std::cos(up),
                                               std::sin(up) * std::sin(around))));
        }
    for (std::uint32_t ring = 0; ring < kRings; ++ring)
        for (std::uint32_t part = 0; part < 2 * kRings; ++part) {
            const std::uint32_t at = ring * (2 * kRings + 1) + part;
            const std::uint32_t below = at + 2 * kRings + 1;
            triangles.emplace_back(at, at + 1, below);
            triangles.emplace_back(below, at + 1, below + 1);
        }
    Graph g = graph();
    passes::TriangleMesh mesh;
    mesh.positions = g.constant_buffer("positions", {.size = 12 * positions.size(), .stride = 4},
                                       testing_gpu::bytes_of(positions));
    mesh.indices = g.constant_buffer("indices", {.size = 12 * triangles.size(), .stride = 4},
                                     testing_gpu::bytes_of(triangles));
    mesh.vertex_count = static_cast<std::uint32_t>(positions.size());
    mesh.triangle_count = static_cast<std::uint32_t>(triangles.size());
    const glm::uvec3 dims(20, 24, 33);
    const float side = 0.09f;
    const glm::vec3 low = middle - 0.5f * side * glm::vec3(dims);
    passes::VoxelSolid solid{.mesh = mesh};
    solid.parameters.dims = dims;
    solid.parameters.bounds = passes::VoxelBounds::given;
    solid.parameters.low = low;
    solid.parameters.high = low + side * glm::vec3(dims);
    const passes::VoxelGrid grid = g.add(solid).grid;
    g.output("words", grid.words);
    for (const bool dual : {false, true})
        if (dual)
            output(
                g, "dual",
                DualContouring{
                    .voxels = grid, .iso = 0.5f, .inside = SurfaceInside::above, .closed = true});
        else
            output(g, "cubes", MarchingCubes{.voxels = grid, .closed = true});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    std::uint32_t set = 0;
    for (const std::uint32_t word : running.buffer<std::uint32_t>("words"))
        set += static_cast<std::uint32_t>(std::popcount(word));
    const double voxels = double{side} * side * side * set;
    EXPECT_NEAR(voxels, 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3.0), 0.05 * voxels);
    for (const std::string name : {"cubes", "dual"}) {
        SCOPED_TRACE(name);
        const HostSurface got = surface(running, name);
        EXPECT_GT(got.triangles.size(), 1000u);
        EXPECT_TRUE(open_edges(got).empty());
        // Between the middles of a voxel inside and one outside, or half a voxel around them.
        for (const glm::vec3 at : got.positions)
            ASSERT_NEAR(glm::length(at - middle), kRadius, 0.9 * std::sqrt(3.0) * side);
        EXPECT_NEAR(got.volume(), voxels, 0.08 * voxels);
    }
}

/// Where bricks are, the surface is bit for bit that of the whole array, whatever their sides are.
TEST_F(IsosurfaceFields, SurfacesOfBricksAreThoseOfTheirArrays) {
    const auto height = [](glm::dvec3 p) { return 9.3 - glm::distance(p, {17.2, 15.1, 14.4}); };
    const HostField field = testing_gpu::sampled_field({37, 30, 29}, glm::dvec3(0.0), 1.0, height);
    std::vector<glm::vec4> points; // differences reach two cells beyond those that are cut
    for (std::uint32_t i = 0; i < field.values.size(); ++i)
        if (std::abs(field.values[i]) < 4.0f)
            points.emplace_back(i % 37, i / 37 % 30, i / (37 * 30), 0.0f);
    struct Look {
        glm::uvec3 brick;
        passes::SparseStorage storage;
    };
    for (const Look& look : {Look{glm::uvec3(8), passes::SparseStorage::atlas},
                             Look{{5, 3, 4}, passes::SparseStorage::atlas},
                             Look{glm::uvec3(8), passes::SparseStorage::full},
                             Look{glm::uvec3(8), passes::SparseStorage::dense}}) {
        Graph g = graph();
        const auto store = g.add(passes::SparseBricksPass{
            .points = g.constant_buffer("points", {.size = 16 * points.size(), .stride = 16},
                                        testing_gpu::bytes_of(points)),
            .dims = field.dims,
            .bricks_parameters = {.brick = look.brick, .storage = look.storage},
            .keep = false});
        const Buffer array = values(g, field);
        const auto cells =
            g.add(passes::SparseScatter{.bricks = store.bricks, .source = array}).field;
        g.output("active", store.status);
        for (const auto form : {passes::IsosurfaceForm::blocks, passes::IsosurfaceForm::streams}) {
            const std::string name = form == passes::IsosurfaceForm::blocks ? "blocks" : "streams";
            output(g, "whole " + name,
                   MarchingCubes{.values = array, .dims = field.dims, .iso = 0.0f, .form = form});
            output(
                g, "bricks " + name,
                MarchingCubes{.values = cells, .bricks = store.bricks, .iso = 0.0f, .form = form});
        }
        output(g, "whole dual",
               DualContouring{.values = array, .dims = field.dims, .inside = SurfaceInside::above});
        output(g, "bricks dual",
               DualContouring{
                   .values = cells, .bricks = store.bricks, .inside = SurfaceInside::above});
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const auto active = passes::SparseStatus::read(running.buffer<std::uint32_t>("active"));
        if (look.storage == passes::SparseStorage::atlas) {
            const glm::uvec3 grid = (field.dims + look.brick - 1u) / look.brick;
            EXPECT_LT(active.active_bricks, grid.x * grid.y * grid.z) << "some have no memory";
        }
        for (const std::string name : {"blocks", "streams", "dual"}) {
            const HostSurface whole = surface(running, "whole " + name);
            const HostSurface bricks = surface(running, "bricks " + name);
            EXPECT_GT(whole.triangles.size(), 1000u);
            EXPECT_TRUE(triangle_set(bricks) == triangle_set(whole)) << name;
            EXPECT_EQ(bricks.status.not_finite, 0u);
            if (name == "streams") continue; // its triangles have vertices of their own
            EXPECT_TRUE(open_edges(bricks).empty()) << name;
        }
    }
}

/// A brick without memory cuts the surface, and its cells are not reported as missing numbers.
TEST_F(IsosurfaceFields, SurfacesEndWhereBricksDo) {
    const auto height = [](glm::dvec3 p) { return 9.0 - glm::distance(p, glm::dvec3(15.5)); };
    const HostField field =
        testing_gpu::sampled_field(glm::uvec3(32), glm::dvec3(0.0), 1.0, height);
    Graph g = graph();
    const auto store = g.add(passes::SparseBricksPass{
        .dims = field.dims, .box_low = {0, 0, 0}, .box_high = {32, 32, 16}, .keep = false});
    const auto cells =
        g.add(passes::SparseScatter{.bricks = store.bricks, .source = values(g, field)}).field;
    output(g, "half", MarchingCubes{.values = cells, .bricks = store.bricks, .iso = 0.0f});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostSurface half = surface(running, "half");
    const auto open = open_edges(half);
    EXPECT_GT(open.size(), 40u);
    for (const auto& edge : open)
        for (const std::uint32_t vertex : edge)
            ASSERT_EQ(half.positions[vertex].z, 15.0f) << "the last layer of the bricks";
    EXPECT_EQ(half.status.not_finite, 0u);
    for (const glm::vec3& p : half.positions)
        ASSERT_NEAR(glm::distance(glm::dvec3(p), glm::dvec3(15.5)), 9.0, 0.02);
}

TEST_F(IsosurfaceFields, BricksWithoutTheirCellsAreRefused) {
    Graph g = graph();
    const auto store = g.add(passes::SparseBricksPass{.dims = glm::uvec3(16), .keep = false});
    const auto mesh = g.add(MarchingCubes{.bricks = store.bricks});
    EXPECT_FALSE(mesh.mesh);
    g.output("status", store.status);
    const auto plan = compile(std::move(g).finish(), device().caps(), {});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "isosurface/no-field");
}

} // namespace
} // namespace tuff
