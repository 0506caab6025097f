#pragma once

#include "passes/common/div_round_up.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <tuff/graph.hpp>
#include <tuff/scene.hpp>

#include <glm/vec2.hpp>

#include <cstdint>
#include <optional>

/// Rays from a camera, and the order in which they lie in buffers.
namespace tuff::passes {

/// Of a picture: its shadow rays, three quads each, still lie in a buffer of 4 GiB.
inline constexpr std::uint32_t kMaxTracedSide = 8192;
inline constexpr std::uint32_t kRayBytes = 32; ///< two quads: see shaders/include/bvh/ray.glsl

/// The size of a picture whose rays have slots: tiles of 8x8 pixels one after the other, row by
/// row, and within a tile row by row. Slots beyond the picture's edge have rays that hit nothing.
struct TiledSize {
    std::uint32_t width = 0;
    std::uint32_t height = 0;

    static constexpr std::uint32_t kSide = 8; ///< as in shaders/raytrace/paths.glsl
    std::uint32_t tiles_per_row() const { return div_round_up(width, kSide); }
    std::uint32_t slots() const {
        return tiles_per_row() * div_round_up(height, kSide) * kSide * kSide;
    }
    std::uint32_t slot_of(std::uint32_t x, std::uint32_t y) const {
        const std::uint32_t tile = y / kSide * tiles_per_row() + x / kSide;
        return tile * kSide * kSide + y % kSide * kSide + x % kSide;
    }
};

/// What lies in the way of a ray between film and scene, as a parameter group.
struct LensParameters {
    float radius = 0.0f;
    float focus = 0.0f;

    static void describe_fields(auto&& field) {
        field("radius", &LensParameters::radius, "radius of the lens; 0: a pinhole, all is sharp")
            .range(0.0, 1e6)
            .unit("world units");
        field("focus", &LensParameters::focus, "distance in focus; 0: the camera's target")
            .range(0.0, 1e9)
            .unit("world units");
    }
};

/// Where in a pixel its ray passes.
enum class PixelSample : std::uint8_t { middle, anywhere };

/// The rays of a camera, as kernels that include raytrace/primary.glsl are told.
struct CameraRays {
    TiledSize size;
    Camera camera;
    LensParameters lens;
    PixelSample within = PixelSample::middle;
    bool has_cones = false; ///< else paths look textures up at their finest level

    /// Sets all but `sample_offset` and what comes with `frame`.
    void set(ComputeNodeBuilder& node) const;
};

/// The rays that these parameters mean; nothing, and a report, where the camera is wrong.
std::optional<CameraRays> camera_rays(Graph& graph, const SceneData& scene, std::uint32_t width,
                                      std::uint32_t height, const CameraParameters& camera,
                                      const LensParameters& lens);

} // namespace tuff::passes
