#include "tests/gpu/voxel/voxel_test.hpp"

#include <cmath>
#include <string>
#include <utility>

/// Voxels drawn by the rasterizer, whose coverage is exact only away from edges.
namespace tuff {
namespace {

using passes::SolidMethod;
using passes::SurfaceMethod;
using passes::VoxelGridParameters;
using passes::VoxelSolid;
using passes::VoxelSurface;
using testing_gpu::Frame;
using testing_gpu::HostVoxels;
using testing_gpu::PlacedTriangle;
using testing_gpu::Running;
using testing_gpu::TriangleSoup;
using testing_gpu::Voxels;

constexpr glm::uvec3 kRasterDims{40, 36, 44};
/// Of a column: what a device may move vertices by that has four bits of sub-texel precision.
constexpr double kNearEdge = 1.0 / 16.0 + 1.0 / 64.0;

/// Whether the middle of the column at (x, y) is near an edge of a triangle, seen along z.
bool is_near_edge(const std::vector<PlacedTriangle>& triangles, std::uint32_t x, std::uint32_t y) {
    const glm::dvec2 middle(x + 0.5, y + 0.5);
    for (const PlacedTriangle& t : triangles)
        for (std::size_t i = 0; i < 3; ++i) {
            const auto corner = [&](std::size_t k) {
                return glm::dvec2(static_cast<double>(t[k % 3][0]) / 256.0,
                                  static_cast<double>(t[k % 3][1]) / 256.0);
            };
            const glm::dvec2 a = corner(i);
            const glm::dvec2 along = corner(i + 1) - a;
            const double squared = glm::dot(along, along);
            const double at =
                squared > 0.0 ? std::clamp(glm::dot(middle - a, along) / squared, 0.0, 1.0) : 0.0;
            if (glm::length(middle - a - at * along) < kNearEdge) return true;
        }
    return false;
}

/// Whether the column at (x, y) passes a triangle so near to the middle of voxel k that moving its
/// vertices by kNearEdge, as a device may, decides on which side that lies.
bool is_near_hit(const std::vector<PlacedTriangle>& triangles, std::uint32_t x, std::uint32_t y,
                 std::uint32_t k) {
    const glm::dvec2 middle(x + 0.5, y + 0.5);
    for (const PlacedTriangle& t : triangles) {
        const auto corner = [&](std::size_t i) {
            return glm::dvec3(static_cast<double>(t[i][0]), static_cast<double>(t[i][1]),
                              static_cast<double>(t[i][2])) /
                   256.0;
        };
        const glm::dvec2 low = glm::min(corner(0), glm::min(corner(1), corner(2)));
        const glm::dvec2 high = glm::max(corner(0), glm::max(corner(1), corner(2)));
        if (glm::any(glm::lessThan(middle, low)) || glm::any(glm::greaterThan(middle, high)))
            continue; // columns near its edges are left out as a whole
        const glm::dvec3 normal = glm::cross(corner(1) - corner(0), corner(2) - corner(0));
        if (normal.z == 0.0) continue;
        const glm::dvec2 slope = glm::dvec2(normal) / -normal.z;
        const double hit = corner(0).z + glm::dot(slope, middle - glm::dvec2(corner(0)));
        const double moved = kNearEdge * (std::abs(slope.x) + std::abs(slope.y)) + 1e-3;
        if (std::abs(hit - (k + 0.5)) < moved) return true;
    }
    return false;
}

std::vector<PlacedTriangle> placed(const TriangleSoup& soup, const Frame& frame) {
    std::vector<PlacedTriangle> all;
    for (std::size_t i = 0; i < soup.triangles(); ++i)
        if (const auto t = testing_gpu::place(soup, i, frame)) all.push_back(*t);
    return all;
}

class VoxelRasterTest : public testing_gpu::VoxelTest {
  protected:
    std::vector<HostVoxels> surfaces(const TriangleSoup& soup) {
        const std::pair<std::string, SurfaceMethod> methods[] = {
            {"rows", SurfaceMethod::rows},
            {"one", SurfaceMethod::raster},
            {"three", SurfaceMethod::raster_three}};
        Graph g = graph();
        const passes::TriangleMesh triangles = mesh(g, soup);
        for (const auto& [name, method] : methods)
            output(g, name,
                   g.add(VoxelSurface{.mesh = triangles,
                                      .parameters = unit_voxels(kRasterDims),
                                      .method = method},
                         name)
                       .grid);
        Running running = run(std::move(g), 2);
        std::vector<HostVoxels> result;
        if (!running) return result;
        for (const auto& [name, method] : methods)
            result.push_back(read(running, name, kRasterDims));
        return result;
    }
};

TEST_F(VoxelRasterTest, SurfacesArePartsOfTheWholeOne) {
    const TriangleSoup knot =
        testing_gpu::torus_knot_soup(50, 6, glm::vec3(20.1f, 18.2f, 22.3f), 16.0f);
    const std::vector<HostVoxels> all = surfaces(knot);
    ASSERT_EQ(all.size(), 3u);
    const Voxels& whole = all[0].voxels;
    const Voxels& one = all[1].voxels;
    const Voxels& three = all[2].voxels;
    const auto triangles = placed(knot, all[0].frame);
    EXPECT_GT(one.count(), 300u);
    EXPECT_GT(three.count(), one.count());
    EXPECT_GT(whole.count(), three.count());
    std::uint64_t strays = 0;
    for (std::uint32_t x = 0; x < kRasterDims.x; ++x)
        for (std::uint32_t y = 0; y < kRasterDims.y; ++y)
            for (std::uint32_t z = 0; z < kRasterDims.z; ++z) {
                EXPECT_TRUE(three.at(x, y, z) || !one.at(x, y, z));
                // Near an edge, a fragment may be one of a triangle that ends beside the column.
                if (one.at(x, y, z) && !is_near_edge(triangles, x, y)) {
                    EXPECT_TRUE(whole.at(x, y, z)) << x << "," << y << "," << z;
                }
                if (three.at(x, y, z) && !whole.at(x, y, z)) ++strays;
            }
    EXPECT_LE(strays * 100, three.count());
    RecordProperty("whole", static_cast<int>(whole.count()));
    RecordProperty("one", static_cast<int>(one.count()));
    RecordProperty("three", static_cast<int>(three.count()));
}

TEST_F(VoxelRasterTest, SurfaceOfABoxHasItsFaces) {
    const TriangleSoup box = testing_gpu::box_soup(glm::vec3(5.25f), glm::vec3(25.25f));
    const std::vector<HostVoxels> all = surfaces(box);
    ASSERT_EQ(all.size(), 3u);
    // Middles from 5.5 to 24.5 are covered: two faces of 20 by 20; three pairs, with common edges.
    EXPECT_EQ(all[1].voxels.count(), 2u * 400u);
    EXPECT_EQ(all[2].status.voxels, all[2].voxels.count());
    for (std::uint32_t i = 5; i < 25; ++i)
        for (std::uint32_t j = 5; j < 25; ++j)
            for (const std::uint32_t side : {5u, 25u}) {
                EXPECT_TRUE(all[1].voxels.at(i, j, side));
                EXPECT_TRUE(all[2].voxels.at(i, side, j));
                EXPECT_TRUE(all[2].voxels.at(side, i, j));
            }
}

TEST_F(VoxelRasterTest, SolidIsThatOfTheParityAwayFromEdges) {
    // Partly before the grid, behind it and beside it.
    for (const float z : {22.3f, 2.0f, 41.0f}) {
        const TriangleSoup knot =
            testing_gpu::torus_knot_soup(50, 6, glm::vec3(20.1f, 14.2f, z), 16.0f);
        const HostVoxels got = voxelize(knot, VoxelSolid{.parameters = unit_voxels(kRasterDims),
                                                         .method = SolidMethod::raster});
        const auto triangles = placed(knot, got.frame);
        const Voxels wanted = testing_gpu::solid_reference(knot, got.frame, kRasterDims, 2);
        std::uint64_t compared = 0;
        for (std::uint32_t x = 0; x < kRasterDims.x; ++x)
            for (std::uint32_t y = 0; y < kRasterDims.y; ++y) {
                if (is_near_edge(triangles, x, y)) continue;
                for (std::uint32_t k = 0; k < 64; ++k) {
                    if (is_near_hit(triangles, x, y, k)) continue;
                    ++compared;
                    ASSERT_EQ(got.voxels.at(x, y, k), wanted.at(x, y, k))
                        << x << "," << y << "," << k;
                }
            }
        EXPECT_GT(compared, 16'000u);
        EXPECT_EQ(got.status.voxels, got.voxels.count());
        EXPECT_GT(got.voxels.count(), 100u);
    }
}

} // namespace
} // namespace tuff
