#include "tests/gpu/isosurface/surface_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <cmath>

/// isosurface/dual_contouring: what is sharp stays sharp.
namespace tuff {
namespace {

using passes::DualContouring;
using passes::MarchingCubes;
using passes::SurfaceInside;
using testing_gpu::HostField;
using testing_gpu::HostSurface;
using testing_gpu::sampled_field;

using DualContouringTest = testing_gpu::SurfaceTest;

/// The exact distance to a box, negative within.
double box_distance(glm::dvec3 p, glm::dvec3 half) {
    const glm::dvec3 q = glm::abs(p) - half;
    return glm::length(glm::max(q, glm::dvec3(0.0))) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}

double nearest_vertex(const HostSurface& surface, glm::dvec3 to) {
    double least = 1e30;
    for (const glm::vec3 position : surface.positions)
        least = std::min(least, glm::length(glm::dvec3(position) - to));
    return least;
}

TEST_F(DualContouringTest, ABoxKeepsItsCornersEdgesAndFaces) {
    const glm::dvec3 half(0.61, 0.47, 0.53);
    const glm::dvec3 middle(0.013, -0.021, 0.007);
    constexpr double kStep = 0.09;
    const HostField field =
        sampled_field(glm::uvec3(20, 18, 19), glm::dvec3(-0.85), kStep,
                      [&](glm::dvec3 p) { return box_distance(p - middle, half); });
    const HostSurface got = found(DualContouring{.spacing = glm::vec3(static_cast<float>(kStep)),
                                                 .origin = glm::vec3(-0.85f)},
                                  field);
    EXPECT_TRUE(open_edges(got).empty());
    EXPECT_TRUE(has_single_fans(got));
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        const glm::dvec3 sign(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0,
                              corner & 4 ? 1.0 : -1.0);
        EXPECT_LT(nearest_vertex(got, middle + sign * half), 1e-4);
    }
    for (const glm::vec3 position : got.positions)
        EXPECT_LT(std::abs(box_distance(glm::dvec3(position) - middle, half)), 1e-4);
    EXPECT_NEAR(got.volume(), 8.0 * half.x * half.y * half.z, 1e-4);
    EXPECT_NEAR(got.area(), 8.0 * (half.x * half.y + half.y * half.z + half.z * half.x), 1e-3);

    // Which marching cubes does not keep, or this test could not fail.
    const HostSurface cut = found(MarchingCubes{.iso = 0.0f,
                                                .inside = SurfaceInside::below,
                                                .spacing = glm::vec3(static_cast<float>(kStep)),
                                                .origin = glm::vec3(-0.85f)},
                                  field);
    EXPECT_GT(nearest_vertex(cut, middle + half), 0.02);
}

/// A hollow corner is one of the complement.
TEST_F(DualContouringTest, AHollowBoxKeepsItsCorners) {
    const glm::dvec3 half(0.61, 0.47, 0.53);
    constexpr double kStep = 0.09;
    const HostField field = sampled_field(glm::uvec3(20), glm::dvec3(-0.85), kStep,
                                          [&](glm::dvec3 p) { return -box_distance(p, half); });
    const HostSurface got = found(DualContouring{.spacing = glm::vec3(static_cast<float>(kStep)),
                                                 .origin = glm::vec3(-0.85f)},
                                  field);
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        const glm::dvec3 sign(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0,
                              corner & 4 ? 1.0 : -1.0);
        EXPECT_LT(nearest_vertex(got, sign * half), 1e-4);
    }
    EXPECT_NEAR(got.volume(), -8.0 * half.x * half.y * half.z, 1e-4);
}

/// Vertices stay in their cells, also where planes say little: of noise.
TEST_F(DualContouringTest, VerticesStayInTheirCells) {
    const HostField field = testing_gpu::random_field({9, 10, 11}, 41);
    const HostSurface got = found(DualContouring{}, field);
    for (const auto& triangle : got.triangles)
        for (std::size_t i = 0; i < 3; ++i) {
            const glm::vec3 apart =
                glm::abs(got.positions[triangle[i]] - got.positions[triangle[(i + 1) % 3]]);
            EXPECT_LE(std::max({apart.x, apart.y, apart.z}), 2.0f);
        }
    for (const glm::vec3 normal : got.normals)
        EXPECT_NEAR(glm::length(normal), 1.0f, 1e-3f);
}

} // namespace
} // namespace tuff
