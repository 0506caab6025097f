#include "tests/gpu/isosurface/surface_test.hpp"

#include <cmath>

/// isosurface/marching_cubes against VTK's vtkFlyingEdges3D and vtkMarchingCubes, which agree on
/// these numbers; vtk_numbers.py prints them. The fields have hardly an ambiguous face, so that the
/// counts are the same whatever the tables; loops are cut along other diagonals, so that areas
/// differ a little.
namespace tuff {
namespace {

using passes::IsosurfaceForm;
using passes::MarchingCubes;
using testing_gpu::HostField;
using testing_gpu::HostSurface;
using testing_gpu::sampled_field;

using VtkTest = testing_gpu::SurfaceTest;

struct VtkSurface {
    glm::uvec3 dims;
    double (*field)(glm::dvec3);
    std::size_t points;
    std::size_t triangles;
    double area;
    double volume; ///< 0: the surface is open
};

double ellipsoid(glm::dvec3 p) {
    return 8.3 - std::hypot(std::hypot(p.x - 12.1, p.y - 11.9), 1.7 * (p.z - 9.2));
}

double ring(glm::dvec3 p) {
    return 3.1 - std::hypot(std::hypot(p.x - 12.2, p.y - 11.8) - 7.3, p.z - 9.1);
}

double waves(glm::dvec3 p) {
    return std::sin(0.41 * p.x + 0.3) * std::cos(0.37 * p.y) + std::sin(0.43 * p.z + 0.2 * p.y);
}

TEST_F(VtkTest, CountsAreasAndVolumesAreThoseOfVtk) {
    const std::array<VtkSurface, 3> surfaces{
        {{{25, 24, 19}, ellipsoid, 950, 1896, 636.2564, 1389.5718},
         {{25, 24, 19}, ring, 1286, 2572, 887.8878, 1356.5509},
         {{33, 20, 27}, waves, 4765, 8826, 2889.3076, 0.0}}};
    for (const VtkSurface& expected : surfaces) {
        const HostField field = sampled_field(expected.dims, glm::dvec3(0.0), 1.0, expected.field);
        for (const IsosurfaceForm form : {IsosurfaceForm::blocks, IsosurfaceForm::streams}) {
            const HostSurface got = found(MarchingCubes{.iso = 0.0f, .form = form}, field);
            if (form == IsosurfaceForm::blocks) {
                EXPECT_EQ(got.positions.size(), expected.points);
            }
            EXPECT_EQ(got.triangles.size(), expected.triangles);
            EXPECT_NEAR(got.area(), expected.area, 2e-3 * expected.area);
            if (expected.volume > 0.0) {
                EXPECT_NEAR(got.volume(), expected.volume, 1e-3 * expected.volume);
            }
        }
    }
}

} // namespace
} // namespace tuff
