#pragma once

#include "passes/geometry/compute_raster.hpp"

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <vector>

/// A rasterizer on the CPU: coverage in whole numbers of 64 bits and more, straight from the rule.
namespace tuff::testing_gpu {

struct RasterMesh {
    std::vector<glm::vec3> positions;
    std::vector<std::uint32_t> indices;

    std::uint32_t triangles() const { return static_cast<std::uint32_t>(indices.size() / 3); }
    void add(glm::vec3 a, glm::vec3 b, glm::vec3 c);
};

struct RasterFragment {
    std::uint32_t triangle = 0;
    std::uint32_t depth = 0; ///< bits of a float

    friend bool operator==(const RasterFragment&, const RasterFragment&) = default;
};

/// What is drawn, and what is left out.
struct RasterReference {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    /// Of each pixel, nearest first, those of one depth by number.
    std::vector<std::vector<RasterFragment>> pixels;
    std::uint32_t degenerate = 0;
    std::uint32_t not_finite = 0;
    std::uint32_t bad_index = 0;
    std::uint32_t clipped = 0;
    /// The most that a depth is off the plane through the triangle's corners, of triangles that
    /// are not clipped, in roundings (2^-24) of the numbers that it is the sum of.
    double worst_depth = 0.0;

    std::size_t fragments() const;
};

struct RasterSetup {
    glm::mat4 clip_from_mesh{1.0f};
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    passes::RasterCull cull = passes::RasterCull::none;
    /// Row by row, or empty: what is not before it is left out.
    std::vector<float> occluder;
};

RasterReference rasterize(const RasterMesh& mesh, const RasterSetup& setup);

} // namespace tuff::testing_gpu
