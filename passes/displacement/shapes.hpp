#pragma once

#include "passes/displacement/cast.hpp"
#include "passes/raytrace/shapes.hpp"

namespace tuff::passes {

/// The normal that shading uses for a patch.
enum class PatchNormals : std::uint8_t {
    smooth, ///< a normal at each point of the grid, interpolated
    flat,   ///< the normal of the triangle that is hit
};

/// Adds displaced patches to traced scenes. See `describe`.
struct DisplacedShapes {
    static constexpr std::string_view kName = "displacement/shapes";

    DisplacedSurface surface;
    Buffer materials; ///< optional
    std::uint32_t material = 0;
    PatchNormals normals = PatchNormals::smooth;
    float spread = 0.0f;
    glm::vec3 eye{0.0f};
    PatchMethod method = PatchMethod::automatic;
    std::uint32_t batch = 1024;
    std::uint32_t most_pairs = 0;

    RayShapes shapes;

    static void describe(PassInfo<DisplacedShapes>& info);
    void build(Graph& graph);
};

/// Dispatches a kernel with an invocation for each ray that is traced, as
/// shaders/displacement/rays.glsl numbers them.
void dispatch_rays(Graph& graph, ComputeNodeBuilder& node, const SlotRays& rays);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PatchNormals> {
    static constexpr std::array<std::string_view, 2> names{"smooth", "flat"};
};
