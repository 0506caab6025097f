#include "passes/bvh/lbvh_build.hpp"
#include "tests/gpu/isosurface/surface_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

/// isosurface/marching_cubes, and what it shares with isosurface/dual_contouring.
namespace tuff {
namespace {

using passes::AmbiguousFaces;
using passes::DualContouring;
using passes::IsosurfaceForm;
using passes::MarchingCubes;
using passes::SurfaceInside;
using testing_gpu::bytes_of;
using testing_gpu::HostField;
using testing_gpu::HostSurface;
using testing_gpu::open_edges;
using testing_gpu::random_field;
using testing_gpu::Running;
using testing_gpu::sampled_field;
using testing_gpu::triangle_set;

using MarchingCubesTest = testing_gpu::SurfaceTest;

constexpr std::array<glm::uvec3, 10> kOddSizes{{{2, 2, 2},
                                                {2, 3, 5},
                                                {9, 4, 7},
                                                {33, 9, 5},
                                                {65, 6, 4},
                                                {5, 31, 33},
                                                {3, 2, 65},
                                                {1, 1, 40},
                                                {1, 30, 1},
                                                {6, 1, 7}}};

/// Noise has all cases, ambiguous ones most of all.
TEST_F(MarchingCubesTest, SurfacesOfNoiseAreWatertightManifolds) {
    std::uint32_t seed = 0;
    for (const glm::uvec3 dims : kOddSizes) {
        SCOPED_TRACE(fmt::format("{} x {} x {}", dims.x, dims.y, dims.z));
        const HostField field = random_field(dims, ++seed);
        Graph g = graph();
        const Image source = volume(g, field);
        for (const bool decides : {false, true})
            output(
                g, decides ? "decider" : "part",
                MarchingCubes{.field = source,
                              .iso = 0.1f,
                              .ambiguous = decides ? AmbiguousFaces::decider : AmbiguousFaces::part,
                              .closed = true});
        output(g, "dual", DualContouring{.field = source, .iso = 0.1f, .closed = true});
        output(g, "dual of the other side",
               DualContouring{
                   .field = source, .iso = 0.1f, .inside = SurfaceInside::above, .closed = true});
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (const std::string name : {"part", "decider", "dual", "dual of the other side"}) {
            SCOPED_TRACE(name);
            const HostSurface got = surface(running, name);
            EXPECT_GT(got.triangles.size(), 4u);
            EXPECT_TRUE(open_edges(got).empty());
            EXPECT_TRUE(has_single_fans(got));
            EXPECT_GT(got.volume(), 0.0);
            EXPECT_TRUE(got.status.warnings().empty());
        }
    }
}

/// Where it is not closed, the surface ends at the border and nowhere else.
TEST_F(MarchingCubesTest, OpenSurfacesEndAtTheBorder) {
    const glm::uvec3 dims(34, 9, 10);
    const HostSurface got = found(MarchingCubes{.iso = 0.0f}, random_field(dims, 7));
    const std::vector<std::array<std::uint32_t, 2>> open = open_edges(got);
    EXPECT_GT(open.size(), 10u);
    for (const auto& edge : open) {
        bool in_side = false;
        for (int axis = 0; axis < 3; ++axis)
            for (const float side : {0.0f, static_cast<float>(dims[axis] - 1)})
                in_side = in_side || (got.positions[edge[0]][axis] == side &&
                                      got.positions[edge[1]][axis] == side);
        EXPECT_TRUE(in_side);
    }
}

TEST_F(MarchingCubesTest, StreamsGiveTheSameTriangles) {
    for (const AmbiguousFaces ambiguous : {AmbiguousFaces::part, AmbiguousFaces::decider}) {
        const HostField field = random_field({35, 7, 9}, 11);
        Graph g = graph();
        const Image source = volume(g, field);
        const Buffer numbers = values(g, field);
        for (const bool streams : {false, true})
            for (const bool of_buffer : {false, true}) {
                MarchingCubes pass{.iso = -0.2f,
                                   .ambiguous = ambiguous,
                                   .form =
                                       streams ? IsosurfaceForm::streams : IsosurfaceForm::blocks,
                                   .closed = true,
                                   .spacing = {0.5f, 0.75f, 1.25f},
                                   .origin = {-3.0f, 0.3f, 1.0f}};
                if (of_buffer) {
                    pass.values = numbers;
                    pass.dims = field.dims;
                } else {
                    pass.field = source;
                }
                output(g, fmt::format("{} {}", streams, of_buffer), pass);
            }
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const HostSurface blocks = surface(running, "false false");
        const auto expected = triangle_set(blocks);
        EXPECT_GT(expected.size(), 1000u);
        for (const std::string name : {"true false", "false true", "true true"}) {
            SCOPED_TRACE(name);
            const HostSurface got = surface(running, name);
            EXPECT_EQ(triangle_set(got), expected);
            if (name != "false true") {
                EXPECT_EQ(got.positions.size(), 3 * got.triangles.size());
            }
        }
        EXPECT_LT(blocks.positions.size(), blocks.triangles.size());
    }
}

struct Solid {
    std::string name;
    std::function<double(glm::dvec3)> distance;
    double area = 0.0;
    double volume = 0.0;
    double radius = 0.0; ///< the least of curvature
};

/// Check of the specification: order two in area and volume, also by dual contouring.
TEST_F(MarchingCubesTest, AreaAndVolumeConvergeWithSecondOrder) {
    constexpr double kPi = std::numbers::pi;
    const std::vector<Solid> solids{
        {"sphere", [](glm::dvec3 p) { return glm::length(p) - 0.8; }, 4.0 * kPi * 0.64,
         4.0 / 3.0 * kPi * 0.512, 0.8},
        {"torus", [](glm::dvec3 p) { return std::hypot(std::hypot(p.x, p.y) - 0.6, p.z) - 0.25; },
         4.0 * kPi * kPi * 0.6 * 0.25, 2.0 * kPi * kPi * 0.6 * 0.0625, 0.25}};
    constexpr std::array<std::uint32_t, 4> kSides{13, 26, 52, 64};
    for (const Solid& solid : solids) {
        std::array<std::vector<double>, 2> area_errors;
        std::array<std::vector<double>, 2> volume_errors;
        for (const std::uint32_t side : kSides) {
            const double step = 2.0 / (side - 1);
            const HostField field =
                sampled_field(glm::uvec3(side), glm::dvec3(-1.0), step, solid.distance);
            Graph g = graph();
            const Image source = volume(g, field);
            const glm::vec3 spacing(static_cast<float>(step));
            output(g, "0",
                   MarchingCubes{.field = source,
                                 .iso = 0.0f,
                                 .inside = SurfaceInside::below,
                                 .spacing = spacing,
                                 .origin = glm::vec3(-1.0f)});
            output(g, "1",
                   DualContouring{.field = source, .spacing = spacing, .origin = glm::vec3(-1.0f)});
            Running running = run(std::move(g));
            ASSERT_TRUE(running);
            for (const std::size_t dual : {0u, 1u}) {
                const HostSurface got = surface(running, std::to_string(dual));
                EXPECT_TRUE(open_edges(got).empty());
                area_errors[dual].push_back(std::abs(got.area() - solid.area));
                volume_errors[dual].push_back(std::abs(got.volume() - solid.volume));
                if (dual == 1) continue;
                for (std::size_t i = 0; i < got.positions.size(); ++i) {
                    // The bound of linear interpolation on an exact distance.
                    const glm::dvec3 at(got.positions[i]);
                    ASSERT_LE(std::abs(solid.distance(at)),
                              step * step / (8.0 * (solid.radius - step)) + 1e-6);
                    const double ahead = solid.distance(at + 1e-3 * glm::dvec3(got.normals[i]));
                    ASSERT_GT(ahead - solid.distance(at), 0.8e-3);
                }
            }
        }
        for (const std::size_t dual : {0u, 1u}) {
            SCOPED_TRACE(solid.name + (dual == 1 ? ", dual" : ""));
            const double steps = (kSides.back() - 1.0) / (kSides.front() - 1.0);
            const auto slope = [&](const std::vector<double>& errors) {
                return std::log(errors.front() / errors.back()) / std::log(steps);
            };
            RecordProperty(fmt::format("{}_{}_area", solid.name, dual),
                           fmt::format("{:.2f}", slope(area_errors[dual])));
            EXPECT_GT(slope(area_errors[dual]), 1.8);
            EXPECT_LT(slope(area_errors[dual]), 2.6);
            EXPECT_GT(slope(volume_errors[dual]), 1.8);
            EXPECT_LT(volume_errors[dual].back(), 0.01 * solid.volume);
        }
    }
}

TEST_F(MarchingCubesTest, FieldsWithoutACrossingGiveEmptyMeshes) {
    for (const float value : {-1.0f, 0.0f, 2.0f, std::numeric_limits<float>::infinity()}) {
        Graph g = graph();
        const Image source =
            volume(g, HostField{.dims = {5, 4, 3}, .values = std::vector<float>(60, value)});
        output(g, "blocks", MarchingCubes{.field = source, .iso = 0.0f});
        output(g, "streams",
               MarchingCubes{.field = source, .iso = 0.0f, .form = IsosurfaceForm::streams});
        output(g, "dual", DualContouring{.field = source});
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        for (const std::string name : {"blocks", "streams", "dual"}) {
            const HostSurface got = surface(running, name);
            EXPECT_EQ(got.status.triangles, 0u);
            EXPECT_EQ(got.status.vertices, 0u);
            EXPECT_TRUE(got.status.warnings().empty());
        }
    }
}

/// Where a number is missing there is a hole, and nothing else changes.
TEST_F(MarchingCubesTest, MissingNumbersMakeHolesAndAreCounted) {
    HostField field = random_field({34, 6, 7}, 5);
    const auto whole = triangle_set(found(MarchingCubes{.iso = 0.0f}, field));
    const glm::uvec3 missing(32, 3, 3);
    field.at(missing) = std::numeric_limits<float>::quiet_NaN();
    for (const IsosurfaceForm form : {IsosurfaceForm::blocks, IsosurfaceForm::streams}) {
        const HostSurface got = found(MarchingCubes{.iso = 0.0f, .form = form}, field);
        EXPECT_EQ(got.status.not_finite, 1u);
        ASSERT_EQ(got.status.warnings().size(), 1u);
        EXPECT_EQ(got.status.warnings()[0].code, "isosurface/not-finite");
        const auto left = triangle_set(got);
        EXPECT_LT(left.size(), whole.size());
        EXPECT_TRUE(std::ranges::includes(whole, left));
        std::vector<std::array<std::uint32_t, 9>> lost;
        std::ranges::set_difference(whole, left, std::back_inserter(lost));
        for (const auto& triangle : lost)
            for (std::size_t i = 0; i < 9; ++i)
                EXPECT_LE(std::abs(std::bit_cast<float>(triangle[i]) -
                                   static_cast<float>(missing[static_cast<int>(i % 3)])),
                          1.0f);
        for (const glm::vec3 position : got.positions)
            ASSERT_TRUE(std::isfinite(position.x + position.y + position.z));
    }
    const HostSurface dual = found(DualContouring{.iso = 0.0f}, field);
    EXPECT_EQ(dual.status.not_finite, 1u);
    for (const glm::vec3 position : dual.positions)
        ASSERT_TRUE(std::isfinite(position.x + position.y + position.z));
}

TEST_F(MarchingCubesTest, CellsThatAreNotValidHaveNoSurface) {
    const HostField field = random_field({34, 9, 6}, 3);
    const glm::uvec3 cells = field.dims - 1u;
    std::vector<std::uint8_t> valid;
    for (std::uint32_t i = 0; i < cells.x * cells.y * cells.z; ++i)
        valid.push_back(i % cells.x < 20 ? 1 : 0);
    const auto whole = triangle_set(found(MarchingCubes{.iso = 0.0f}, field));
    std::vector<std::array<std::uint32_t, 9>> expected;
    std::ranges::copy_if(whole, std::back_inserter(expected), [](const auto& triangle) {
        return std::ranges::all_of(std::array{0, 3, 6}, [&](int i) {
            return std::bit_cast<float>(triangle[static_cast<std::size_t>(i)]) <= 20.0f;
        });
    });
    Graph g = graph();
    const Image mask = g.constant_image(
        "valid",
        {.format = Format::r8_uint, .extent = {cells.x, cells.y, cells.z}, .shape = ImageShape::d3},
        bytes_of(valid));
    const Image source = volume(g, field);
    output(g, "blocks", MarchingCubes{.field = source, .valid = mask, .iso = 0.0f});
    output(g, "streams",
           MarchingCubes{
               .field = source, .valid = mask, .iso = 0.0f, .form = IsosurfaceForm::streams});
    output(g, "dual", DualContouring{.field = source, .valid = mask});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostSurface blocks = surface(running, "blocks");
    EXPECT_EQ(triangle_set(blocks), expected);
    EXPECT_EQ(triangle_set(surface(running, "streams")), expected);
    std::vector<bool> used(blocks.positions.size(), false);
    for (const auto& triangle : blocks.triangles)
        for (const std::uint32_t corner : triangle)
            used[corner] = true;
    EXPECT_EQ(std::ranges::count(used, false), 0);
    const HostSurface dual = surface(running, "dual");
    EXPECT_GT(dual.triangles.size(), 100u);
    for (const glm::vec3 position : dual.positions)
        EXPECT_LE(position.x, 20.0f);
}

/// Too little room: what is there is right, the counts are those of the whole surface.
TEST_F(MarchingCubesTest, TrianglesWithoutRoomAreCountedAndSaid) {
    const HostField field = random_field({33, 9, 9}, 17);
    const auto whole = triangle_set(found(MarchingCubes{.iso = 0.0f}, field));
    for (const IsosurfaceForm form : {IsosurfaceForm::blocks, IsosurfaceForm::streams}) {
        const HostSurface got =
            found(MarchingCubes{.iso = 0.0f, .form = form, .most_triangles = 100}, field);
        EXPECT_EQ(got.triangles.size(), 100u);
        const Diagnostics warnings = got.status.warnings();
        ASSERT_FALSE(warnings.empty());
        EXPECT_EQ(warnings[0].code, "isosurface/lost-triangles");
        const std::vector<PoolNeed> needs = got.status.pool_needs();
        if (form == IsosurfaceForm::blocks) {
            ASSERT_EQ(needs.size(), 2u);
            EXPECT_EQ(needs[0].pool, "triangles");
            EXPECT_EQ(needs[0].elements, whole.size());
        }
        // Without their vertices triangles have no area, and no wrong ones.
        for (const auto& triangle : triangle_set(got))
            EXPECT_TRUE(std::ranges::binary_search(whole, triangle) ||
                        std::equal(triangle.begin(), triangle.begin() + 6, triangle.begin() + 3));
    }
}

/// Of 300 blocks 256 have room; the last ones are left out, and no triangle refers to them.
TEST_F(MarchingCubesTest, BlocksWithoutRoomAreCountedAndLeftOut) {
    const HostField field = random_field({2, 2, 1200}, 29);
    Graph g = graph();
    const Image source = volume(g, field);
    output(g, "blocks", MarchingCubes{.field = source, .iso = 0.0f});
    output(g, "streams",
           MarchingCubes{.field = source, .iso = 0.0f, .form = IsosurfaceForm::streams});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    HostSurface got = surface(running, "blocks");
    const auto whole = triangle_set(surface(running, "streams"));
    EXPECT_EQ(got.status.triangles, whole.size());
    EXPECT_EQ(got.status.blocks, 300u);
    ASSERT_EQ(got.status.pool_needs().size(), 1u);
    EXPECT_EQ(got.status.pool_needs()[0].pool, "blocks");
    ASSERT_EQ(got.status.warnings().size(), 1u);
    EXPECT_EQ(got.status.warnings()[0].code, "isosurface/lost-triangles");
    std::erase_if(got.triangles, [](const auto& triangle) { return triangle[0] == triangle[1]; });
    const auto left = triangle_set(got);
    EXPECT_LT(left.size(), whole.size());
    EXPECT_GT(left.size(), whole.size() * 255 / 300 - 100);
    EXPECT_TRUE(std::ranges::includes(whole, left));
}

TEST_F(MarchingCubesTest, RoomGrowsToWhatWasNeeded) {
    const HostField field = random_field({33, 9, 9}, 17);
    for (const IsosurfaceForm form : {IsosurfaceForm::blocks, IsosurfaceForm::streams}) {
        const MarchingCubes whole{.iso = 0.0f, .form = form};
        MarchingCubes small = whole;
        small.most_triangles = 100;
        const auto expected = triangle_set(found(whole, field));
        std::map<std::string, std::uint64_t> pools;
        HostSurface got;
        for (int frame = 0; frame < 3; ++frame) {
            Graph g = graph();
            g.set_pools({pools.begin(), pools.end()});
            small.field = volume(g, field);
            output(g, "surface", small);
            Running running = run(std::move(g));
            ASSERT_TRUE(running);
            got = surface(running, "surface");
            for (const PoolNeed& need : got.status.pool_needs())
                pools["surface/" + std::string(need.pool)] = need.elements;
        }
        EXPECT_TRUE(got.status.warnings().empty());
        EXPECT_EQ(triangle_set(got), expected);
    }
}

TEST_F(MarchingCubesTest, FieldsThatHaveNoCellsAreRefused) {
    const auto code_of = [&](const MarchingCubes& pass, glm::uvec3 dims) {
        Graph g = graph();
        MarchingCubes wired = pass;
        if (dims.x != 0) wired.field = volume(g, random_field(dims, 1));
        if (!pass.values && pass.dims.x != 0) wired.values = values(g, random_field({2, 2, 2}, 1));
        g.add(wired);
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.empty() ? std::string() : desc.diagnostics[0].code;
    };
    EXPECT_EQ(code_of({}, {1, 1, 9}), "isosurface/bad-size");
    EXPECT_EQ(code_of({}, {5, 1, 9}), "isosurface/bad-size");
    EXPECT_EQ(code_of({.closed = true}, {1, 1, 9}), "");
    EXPECT_EQ(code_of({}, {0, 0, 0}), "isosurface/no-field");
    EXPECT_EQ(code_of({.dims = {2, 2, 2}}, {2, 2, 2}), "isosurface/no-field");
    EXPECT_EQ(code_of({.dims = {2, 2, 3}}, {0, 0, 0}), "isosurface/bad-dims");
    EXPECT_EQ(code_of({.dims = {2, 2, 2}}, {0, 0, 0}), "");
    EXPECT_EQ(code_of({.number = passes::VolumeNumber::alpha}, {2, 2, 2}), "volume/no-such-number");
    EXPECT_EQ(code_of({.dims = {2, 2, 2}, .channels = 2}, {0, 0, 0}), "isosurface/bad-dims");
    EXPECT_EQ(code_of({.dims = {2, 2, 1}, .channels = 2, .closed = true}, {0, 0, 0}), "");
    EXPECT_EQ(code_of({.dims = {2, 2, 2}, .number = passes::VolumeNumber::green}, {0, 0, 0}),
              "volume/no-such-number");
}

TEST_F(MarchingCubesTest, MasksAreOfWholeNumbers) {
    Graph g = graph();
    const Image field = volume(g, random_field({3, 3, 3}, 1));
    g.add(MarchingCubes{.field = field, .valid = field});
    const GraphDesc desc = std::move(g).finish();
    ASSERT_EQ(desc.diagnostics.size(), 1u);
    EXPECT_EQ(desc.diagnostics[0].code, "isosurface/bad-mask");
}

/// The surface of voxels is that of a volume of ones and zeros at the same place.
TEST_F(MarchingCubesTest, SurfacesOfVoxelsAreThoseOfVolumes) {
    const glm::uvec3 dims(3, 4, 40);
    std::vector<std::uint32_t> words(2ull * dims.x * dims.y, 0);
    HostField field{.dims = dims, .values = std::vector<float>(dims.x * dims.y * dims.z, 0.0f)};
    std::uint32_t state = 1;
    for (std::uint32_t x = 0; x < dims.x; ++x)
        for (std::uint32_t y = 0; y < dims.y; ++y)
            for (std::uint32_t z = 0; z < dims.z; ++z) {
                state = state * 1664525u + 1013904223u;
                if (state >> 31 == 0) continue;
                words[2 * (y * dims.x + x) + z / 32] |= 1u << z % 32;
                field.at({x, y, z}) = 1.0f;
            }
    Graph g = graph();
    const std::vector<float> frame{1.0f, 2.0f, 3.0f,  0.0f,  4.0f,  4.0f,
                                   4.0f, 0.0f, 0.25f, 0.25f, 0.25f, 0.0f};
    const passes::VoxelGrid voxels{
        .words =
            g.constant_buffer("words", {.size = 4 * words.size(), .stride = 4}, bytes_of(words)),
        .frame = g.constant_buffer("frame", {.size = 48, .stride = 16}, bytes_of(frame)),
        .status = g.constant_buffer("status", {.size = 64, .stride = 4},
                                    bytes_of(std::vector<std::uint32_t>(16, 0))),
        .dims = dims};
    const Image source = volume(g, field);
    for (const bool of_voxels : {false, true})
        for (const int way : {0, 1, 2}) {
            const std::string name = fmt::format("{} {}", of_voxels, way);
            const auto wired = [&](auto pass) {
                pass.closed = true;
                pass.iso = 0.5f;
                pass.inside = SurfaceInside::above;
                if (of_voxels)
                    pass.voxels = voxels;
                else
                    pass.field = source;
                pass.spacing = glm::vec3(0.25f);
                pass.origin = glm::vec3(1.125f, 2.125f, 3.125f);
                output(g, name, pass);
            };
            if (way == 2)
                wired(DualContouring{});
            else
                wired(MarchingCubes{.form = way == 1 ? IsosurfaceForm::streams
                                                     : IsosurfaceForm::blocks});
        }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (const int way : {0, 1, 2}) {
        SCOPED_TRACE(way);
        const HostSurface got = surface(running, fmt::format("true {}", way));
        EXPECT_GT(got.triangles.size(), 500u);
        EXPECT_EQ(triangle_set(got), triangle_set(surface(running, fmt::format("false {}", way))));
        if (way != 1) {
            EXPECT_TRUE(open_edges(got).empty());
        }
    }
}

/// A dual surface of an array of numbers is that of a volume of them.
TEST_F(MarchingCubesTest, DualSurfacesOfArraysAreThoseOfVolumes) {
    const HostField field = random_field({34, 5, 6}, 23);
    Graph g = graph();
    output(g, "volume", DualContouring{.field = volume(g, field)});
    output(g, "values", DualContouring{.values = values(g, field), .dims = field.dims});
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    EXPECT_EQ(triangle_set(surface(running, "volume")), triangle_set(surface(running, "values")));
}

/// What takes meshes takes this one, without knowing how many triangles there are.
TEST_F(MarchingCubesTest, AHierarchyOverTheMeshHasItsTriangles) {
    const HostField field = sampled_field({20, 21, 22}, glm::dvec3(-10.03, -10.1, -10.2), 1.0,
                                          [](glm::dvec3 p) { return 7.0 - glm::length(p); });
    Graph g = graph();
    const MarchingCubes found = output(
        g, "surface", MarchingCubes{.field = volume(g, field), .iso = 0.0f, .closed = false});
    const passes::LbvhBuild built = g.add(passes::LbvhBuild{.mesh = found.mesh});
    g.output("bvh", built.bvh.status);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostSurface got = surface(running, "surface");
    EXPECT_GT(got.triangles.size(), 500u);
    EXPECT_EQ(passes::BvhStatus::read(running.buffer<std::uint32_t>("bvh")).leaves,
              got.triangles.size());
}

} // namespace
} // namespace tuff
