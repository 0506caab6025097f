#include "tests/gpu/voxel/voxel_test.hpp"

#include <string>
#include <utility>
#include <vector>

/// Surfaces: all voxels that triangles meet, to the bit.
namespace tuff {
namespace {

using passes::SurfaceMethod;
using passes::VoxelGridParameters;
using passes::VoxelSolid;
using passes::VoxelSurface;
using testing_gpu::box_soup;
using testing_gpu::Frame;
using testing_gpu::HostVoxels;
using testing_gpu::random_soup;
using testing_gpu::Running;
using testing_gpu::surface_reference;
using testing_gpu::torus_knot_soup;
using testing_gpu::TriangleSoup;
using testing_gpu::Voxels;

constexpr glm::uvec3 kSurfaceDims{33, 20, 70};

class VoxelSurfaceTest : public testing_gpu::VoxelTest {
  protected:
    /// Every method that finds all voxels, with what it leaves untested and without.
    static std::vector<std::pair<std::string, VoxelSurface>> methods() {
        return {{"rows", {.method = SurfaceMethod::rows}},
                {"columns", {.method = SurfaceMethod::columns}},
                {"box", {.method = SurfaceMethod::box}},
                {"columns, all tested", {.method = SurfaceMethod::columns, .short_cuts = false}},
                {"box, all tested", {.method = SurfaceMethod::box, .short_cuts = false}}};
    }

    void expect_reference(const TriangleSoup& soup, const VoxelGridParameters& parameters) {
        Graph g = graph();
        const passes::TriangleMesh triangles = mesh(g, soup);
        for (auto [name, pass] : methods()) {
            pass.mesh = triangles;
            pass.parameters = parameters;
            output(g, name, g.add(pass, name).grid);
        }
        Running running = run(std::move(g), 2);
        if (!running) return;
        const HostVoxels first = read(running, "rows", parameters.dims);
        const Voxels wanted = surface_reference(soup, first.frame, parameters.dims);
        EXPECT_GT(wanted.count(), 0u) << "nothing has been tried";
        for (const auto& [name, pass] : methods()) {
            const HostVoxels got = read(running, name, parameters.dims);
            EXPECT_EQ(difference(got.voxels, wanted), "") << name;
            EXPECT_EQ(got.status.voxels, wanted.count()) << name;
        }
    }
};

TEST_F(VoxelSurfaceTest, OfAKnotIsThatOfTheSeparatingAxes) {
    expect_reference(torus_knot_soup(50, 6, glm::vec3(0.3f, -2.0f, 1.0f), 1.7f),
                     {.dims = kSurfaceDims});
}

TEST_F(VoxelSurfaceTest, OfSmallTrianglesIsThatOfTheSeparatingAxes) {
    const TriangleSoup soup =
        random_soup(700, glm::vec3(-3.0f), glm::vec3(kSurfaceDims) + 3.0f, 5.0f, 1e-3f, 1);
    expect_reference(soup, unit_voxels(kSurfaceDims));
}

TEST_F(VoxelSurfaceTest, OfTrianglesOnTheLatticeIsThatOfTheSeparatingAxes) {
    for (const float step : {1.0f, 0.5f}) {
        const TriangleSoup soup =
            random_soup(500, glm::vec3(-2.0f), glm::vec3(kSurfaceDims) + 2.0f, 7.0f, step, 2);
        expect_reference(soup, unit_voxels(kSurfaceDims));
    }
}

TEST_F(VoxelSurfaceTest, OfTrianglesLargerThanTheGridIsThatOfTheSeparatingAxes) {
    TriangleSoup soup = random_soup(12, glm::vec3(0.0f), glm::vec3(kSurfaceDims), 90.0f, 1e-2f, 3);
    soup.append(random_soup(12, glm::vec3(0.0f), glm::vec3(kSurfaceDims), 3000.0f, 1e-2f, 4));
    soup.append(random_soup(12, glm::vec3(0.0f), glm::vec3(kSurfaceDims), 16000.0f, 0.5f, 5));
    expect_reference(soup, unit_voxels(kSurfaceDims));
}

TEST_F(VoxelSurfaceTest, OfGridsOfOtherShapesIsThatOfTheSeparatingAxes) {
    // Rows of one word, of one more bit and of five words; few and many slices.
    for (const glm::uvec3 dims : {glm::uvec3(70, 3, 32), glm::uvec3(9, 81, 33), {4, 11, 129}}) {
        SCOPED_TRACE(dims.z);
        const glm::vec3 low(-3.0f);
        const glm::vec3 high = glm::vec3(dims) + 3.0f;
        TriangleSoup soup = random_soup(150, low, high, 6.0f, 1e-3f, dims.x);
        soup.append(random_soup(100, low, high, 6.0f, 0.5f, dims.y));
        soup.append(random_soup(10, low, high, 200.0f, 1e-2f, dims.z));
        expect_reference(soup, unit_voxels(dims));
    }
}

TEST_F(VoxelSurfaceTest, OfAGridOfOneVoxelIsThatVoxel) {
    expect_reference(box_soup(glm::vec3(0.0f), glm::vec3(1.0f)), {.dims = glm::uvec3(1)});
}

TEST_F(VoxelSurfaceTest, ThatIsThinIsThatOfTheLinesThroughMiddles) {
    TUFF_ONLY_ON(lavapipe);
    const glm::vec3 low(-3.0f);
    const glm::vec3 high = glm::vec3(kSurfaceDims) + 3.0f;
    TriangleSoup soups[] = {random_soup(500, low, high, 6.0f, 1e-3f, 11),
                            random_soup(300, low, high, 7.0f, 0.5f, 12),
                            random_soup(60, low, high, 90.0f, 1e-2f, 13)};
    std::vector<std::pair<TriangleSoup, VoxelSurface>> all;
    for (const TriangleSoup& soup : soups)
        for (const SurfaceMethod method :
             {SurfaceMethod::rows, SurfaceMethod::columns, SurfaceMethod::box})
            all.push_back({soup,
                           {.parameters = unit_voxels(kSurfaceDims),
                            .method = method,
                            .separation = passes::SurfaceSeparation::thin}});
    const std::vector<HostVoxels> results = voxelize(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Voxels wanted =
            testing_gpu::thin_reference(all[i].first, results[i].frame, kSurfaceDims);
        EXPECT_GT(wanted.count(), 100u);
        EXPECT_EQ(difference(results[i].voxels, wanted), "") << i;
    }
}

/// Two triangles that have more rows than a triangle may have that one group takes.
TriangleSoup plane(glm::vec3 corner, glm::vec3 u, glm::vec3 v) {
    TriangleSoup soup;
    soup.add(corner, corner + u, corner + u + v);
    soup.add(corner, corner + u + v, corner + v);
    return soup;
}

TEST_F(VoxelSurfaceTest, OfLargeTrianglesIsSharedAmongGroups) {
    const glm::uvec3 dims(90, 70, 40);
    const TriangleSoup soup = plane({-1.0f, 0.3f, 2.0f}, {88.0f, 3.0f, 20.0f}, {2.0f, 66.0f, 9.0f});
    std::vector<std::pair<TriangleSoup, VoxelSurface>> all;
    for (const SurfaceMethod method : {SurfaceMethod::rows, SurfaceMethod::columns})
        for (const std::uint32_t parts : {0u, 1u, 3u, 5u, 100u})
            all.push_back(
                {soup, {.parameters = unit_voxels(dims), .method = method, .parts = parts}});
    const std::vector<HostVoxels> results = voxelize(all);
    const Voxels wanted = surface_reference(soup, results[0].frame, dims);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::uint32_t parts = all[i].second.parts;
        SCOPED_TRACE(parts);
        EXPECT_EQ(difference(results[i].voxels, wanted), "");
        EXPECT_EQ(results[i].status.large, 2u);
        EXPECT_EQ(results[i].status.overflow, parts < 4 ? 2u : parts < 8 ? 1u : 0u);
    }
}

TEST_F(VoxelSurfaceTest, IsTheSameWhateverTheOrderOfTrianglesAndCorners) {
    const TriangleSoup soup =
        random_soup(400, glm::vec3(-3.0f), glm::vec3(kSurfaceDims) + 3.0f, 9.0f, 1e-3f, 6);
    const VoxelSurface pass{.parameters = unit_voxels(kSurfaceDims)};
    const Voxels first = voxelize(soup, pass).voxels;
    EXPECT_GT(first.count(), 1000u);
    EXPECT_EQ(difference(voxelize(testing_gpu::shuffled(soup, 7), pass).voxels, first), "");
    TriangleSoup twice = soup;
    twice.append(soup);
    EXPECT_EQ(difference(voxelize(twice, pass).voxels, first), "");
}

TEST_F(VoxelSurfaceTest, MovesWithTheMesh) {
    // Steps of 1/8: sums are exact.
    const TriangleSoup soup = random_soup(200, glm::vec3(8.0f), glm::vec3(20.0f), 6.0f, 0.125f, 8);
    const glm::uvec3 dims(40, 40, 64);
    const VoxelSurface pass{.parameters = unit_voxels(dims)};
    const Voxels before = voxelize(soup, pass).voxels;
    const Voxels after =
        voxelize(testing_gpu::moved(soup, glm::vec3(5.0f, 11.0f, 33.0f)), pass).voxels;
    EXPECT_EQ(difference(after, testing_gpu::moved(before, glm::ivec3(5, 11, 33))), "");
}

TEST_F(VoxelSurfaceTest, OfAnObjectAcrossAFaceOfTheGridIsThePartInside) {
    const TriangleSoup soup = torus_knot_soup(40, 5, glm::vec3(16.0f), 12.0f);
    const VoxelSurface pass{.parameters = unit_voxels(glm::uvec3(32))};
    const glm::vec3 moves[] = {{0, 0, 0},   {16, 0, 0}, {-16, 0, 0}, {0, 16, 0},
                               {0, -16, 0}, {0, 0, 16}, {0, 0, -16}};
    std::vector<std::pair<TriangleSoup, VoxelSurface>> all;
    for (const glm::vec3 by : moves)
        all.push_back({testing_gpu::moved(soup, by), pass});
    const std::vector<HostVoxels> parts = voxelize(all);
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Voxels wanted = testing_gpu::moved(parts[0].voxels, glm::ivec3(moves[i]));
        EXPECT_GT(wanted.count(), 0u);
        EXPECT_EQ(difference(parts[i].voxels, wanted), "") << i;
    }
}

TEST_F(VoxelSurfaceTest, KeepsTheOutsideApartFromTheInside) {
    TUFF_ONLY_ON(lavapipe);
    const TriangleSoup soup = torus_knot_soup(60, 8, glm::vec3(20.0f), 17.3f);
    const glm::uvec3 dims(40, 40, 40);
    Graph g = graph();
    VoxelSurface pass{.mesh = mesh(g, soup), .parameters = unit_voxels(dims)};
    output(g, "surface", g.add(pass, "surface").grid);
    pass.separation = passes::SurfaceSeparation::thin;
    output(g, "thin", g.add(pass, "thin").grid);
    output(g, "solid",
           g.add(VoxelSolid{.mesh = pass.mesh, .parameters = pass.parameters}, "solid").grid);
    Running running = run(std::move(g), 2);
    if (!running) return;
    const Voxels surface = read(running, "surface", dims).voxels;
    const Voxels thin = read(running, "thin", dims).voxels;
    const Voxels solid = read(running, "solid", dims).voxels;
    const Voxels outside = testing_gpu::reached_from_outside(surface);
    EXPECT_GT(solid.count(), 1000u);
    EXPECT_LT(thin.count(), surface.count());
    for (std::uint32_t x = 0; x < dims.x; ++x)
        for (std::uint32_t y = 0; y < dims.y; ++y)
            for (std::uint32_t z = 0; z < dims.z; ++z) {
                ASSERT_FALSE(outside.at(x, y, z) && solid.at(x, y, z)) << x << "," << y << "," << z;
                ASSERT_TRUE(surface.at(x, y, z) || !thin.at(x, y, z));
                for (const glm::uvec3 step :
                     {glm::uvec3(1, 0, 0), glm::uvec3(0, 1, 0), glm::uvec3(0, 0, 1)}) {
                    const glm::uvec3 next = glm::uvec3(x, y, z) + step;
                    if (next.x >= dims.x || next.y >= dims.y || next.z >= dims.z) continue;
                    if (solid.at(x, y, z) == solid.at(next.x, next.y, next.z)) continue;
                    ASSERT_TRUE(thin.at(x, y, z) || thin.at(next.x, next.y, next.z));
                }
            }
}

} // namespace
} // namespace tuff
