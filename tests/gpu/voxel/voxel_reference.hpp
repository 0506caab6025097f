#pragma once

#include "tests/gpu/voxel/voxel_meshes.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// Voxels by the definitions, in exact integers, for comparison with the kernels.
namespace tuff::testing_gpu {

/// The voxels of a grid on the host.
struct Voxels {
    glm::uvec3 dims{0};
    std::vector<std::uint32_t> words;

    Voxels() = default;
    explicit Voxels(glm::uvec3 size);
    Voxels(glm::uvec3 size, std::vector<std::uint32_t> contents)
        : dims(size), words(std::move(contents)) {}

    bool at(std::int64_t x, std::int64_t y, std::int64_t z) const; ///< outside: false
    void set(std::uint32_t x, std::uint32_t y, std::uint32_t z);
    std::uint64_t count() const;
    friend bool operator==(const Voxels&, const Voxels&) = default;
};

/// The voxels moved; what leaves the grid is lost.
Voxels moved(const Voxels& voxels, glm::ivec3 by);

/// A grid's frame as the device left it.
using Frame = std::array<glm::vec4, 3>;

/// Beyond this kernels cut triangles off, in 1/256 voxel.
inline constexpr float kNotCutOff = 4194304.0f;

/// Corners in 1/256 voxel, or nothing where the triangle is left out.
using Place = std::array<std::int64_t, 3>;
using PlacedTriangle = std::array<Place, 3>;
std::optional<PlacedTriangle> place(const TriangleSoup& soup, std::size_t triangle,
                                    const Frame& frame, float farthest = kNotCutOff);

/// Every voxel that a triangle meets by the separating axes: both are closed, and voxels before the
/// one in which the triangle's bounding box begins do not count.
Voxels surface_reference(const TriangleSoup& soup, const Frame& frame, glm::uvec3 dims,
                         float farthest = kNotCutOff);
/// Likewise of a thin surface: instead of the voxel, the middles of its faces are on both sides of
/// the plane, and not all of them beyond an edge.
Voxels thin_reference(const TriangleSoup& soup, const Frame& frame, glm::uvec3 dims);

/// Every voxel above whose middle, along `axis`, there is an odd number of triangles. A middle on
/// an edge is moved by next to nothing, in two directions that have nothing in common.
Voxels solid_reference(const TriangleSoup& soup, const Frame& frame, glm::uvec3 dims, int axis = 1,
                       float farthest = kNotCutOff);

/// Voxels that can be reached from outside the grid, by steps to any of the 26 neighbours, without
/// entering `walls`.
Voxels reached_from_outside(const Voxels& walls);

} // namespace tuff::testing_gpu
