#pragma once

#include "passes/geometry/compute_raster.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <string_view>

/// What the passes of the compute rasterizer are made of.
namespace tuff::passes {

/// What is drawn, how it is seen, and what hides it.
struct RasterInput {
    TriangleMesh mesh;
    glm::mat4 clip_from_mesh{1.0f};
    Image occluder;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    RasterCull cull = RasterCull::none;
    std::uint32_t parts = 0;
    std::uint32_t capacity = 0;
};

/// Checks a mesh, a size and an occluder, and finds the camera's matrix. Reports, and returns
/// nothing, where the mesh is not connected (graph/unconnected) or shorter than it says
/// (primitives/too-short), a parameter or the size is out of range (pass/out-of-range), a picture
/// of two words a pixel is more than a buffer of the target can hold (raster/too-large), the
/// occluder is no picture or has another size (image/...), or the camera is wrong (scene/...).
[[nodiscard]] std::optional<RasterInput>
raster_input(Graph& graph, const TriangleMesh& mesh, const Scene& scene, Image occluder,
             std::uint32_t width, std::uint32_t height, const CameraParameters& camera,
             const std::optional<glm::mat4>& clip_from_mesh, RasterCull cull, std::uint32_t parts);
template <typename Pass>
std::optional<RasterInput> raster_input(Graph& graph, const Pass& pass) {
    return raster_input(graph, pass.mesh, pass.scene, pass.occluder, pass.width, pass.height,
                        pass.camera, pass.clip_from_mesh, pass.cull, pass.parts);
}

/// Begins a node of a kernel that includes geometry/params.glsl.
ComputeNodeBuilder raster_node(Graph& graph, const RasterInput& input, std::string_view shader,
                               std::string_view name = {}, const ShaderVariant& variant = {});

/// The vertices on the screen, as shaders/geometry/screen.glsl has them.
Buffer placed_vertices(Graph& graph, const RasterInput& input);

/// Draws the same triangles once or several times, each time into something else.
class RasterStages {
  public:
    /// Places the vertices.
    RasterStages(Graph& graph, const RasterInput& input);

    /// Draws with the kernels geometry/raster_triangles and geometry/raster_blocks, for one of
    /// their values of OUTPUT. `bind(node)` binds and updates what they draw into. The first output
    /// drawn also lists large triangles, and must be one that does: "count", "depths" or "keys".
    template <typename Bind>
    void draw(std::string_view output, const Bind& bind) {
        ComputeNodeBuilder triangles = begin_triangles(output);
        bind(triangles);
        ComputeNodeBuilder blocks = begin_blocks(output);
        bind(blocks);
    }

    Buffer status() const { return status_; }

  private:
    ComputeNodeBuilder begin_triangles(std::string_view output);
    ComputeNodeBuilder begin_blocks(std::string_view output);
    void list_blocks_of_clipped();

    Graph& graph_;
    const RasterInput& input_;
    Buffer screen_;
    Buffer status_;
    Buffer parts_;
    Buffer part_list_;
    Buffer clips_;
    Buffer clip_list_;
    bool listed_ = false;
};

/// What geometry/capture_fragments makes, with room for so many fragments; the status is one of
/// `RasterStatus`.
FragmentLists capture_triangles(Graph& graph, const RasterInput& input, std::uint32_t room);

/// Declares the inputs and parameters that the passes have in common.
template <typename Pass>
void describe_raster(PassInfo<Pass>& info) {
    info.input("mesh", &Pass::mesh, "the triangles");
    info.optional_input("scene", &Pass::scene, "the scene that the camera orbits or comes from");
    info.optional_input("occluder", &Pass::occluder,
                        "depths, 0 near and 1 far: only fragments in front of them count")
        .picture();
    info.parameter("width", &Pass::width, "width of the picture")
        .range(1, kMaxRasterSide)
        .unit("texels")
        .structural();
    info.parameter("height", &Pass::height, "height of the picture")
        .range(1, kMaxRasterSide)
        .unit("texels")
        .structural();
    info.group("camera", &Pass::camera);
    info.parameter("cull", &Pass::cull,
                   "faces to cull; front faces are counter-clockwise on the screen");
    info.parameter("parts", &Pass::parts,
                   "room for parts of large triangles, which several groups share; without room "
                   "one group takes a whole triangle, which is slow, and counted")
        .range(0, kMaxRasterParts)
        .structural();
}

} // namespace tuff::passes
