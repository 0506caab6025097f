#include "passes/geometry/raster_stages.hpp"

#include "passes/common/picture.hpp"

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

// As in shaders/geometry.
constexpr std::uint32_t kPartCounters = 6;
constexpr std::uint32_t kClipCounters = 4;

Buffer zeroed(Graph& graph, std::string_view name, std::uint64_t words) {
    return graph.fill(array(graph, name, words), 0, fmt::format("clear_{}", name));
}

bool is_valid_occluder(Graph& graph, Image occluder, std::uint32_t width, std::uint32_t height) {
    if (!occluder) return true;
    const Extent extent = graph.extent(occluder);
    if (extent.width == width && extent.height == height) return true;
    graph.error("image/size-mismatch",
                fmt::format("\"occluder\" is {}x{} texels but the picture is {}x{}", extent.width,
                            extent.height, width, height),
                "draw the occluder in the size of the picture");
    return false;
}

std::optional<glm::mat4> camera_matrix(Graph& graph, const Scene& scene,
                                       const CameraParameters& parameters, float aspect) {
    const SceneData nothing;
    const Result<Camera> camera = resolve_camera(parameters, scene ? *scene.data : nothing, aspect);
    if (camera) return camera->projection(aspect) * camera->view();
    for (const Diagnostic& diagnostic : camera.error())
        graph.report(diagnostic);
    return {};
}

bool fits_a_buffer(Graph& graph, std::uint32_t width, std::uint32_t height) {
    const std::uint64_t bytes = std::uint64_t{8} * width * height;
    const std::uint64_t most =
        std::min<std::uint64_t>(graph.target().max_storage_buffer_bytes, 0xffffffffu);
    if (bytes <= most) return true;
    graph.error("raster/too-large",
                fmt::format("a picture of {}x{} takes {} bytes, but a buffer of the device holds "
                            "at most {}",
                            width, height, bytes, most),
                "draw a smaller picture, or parts of it");
    return false;
}

} // namespace

std::optional<RasterInput> raster_input(Graph& graph, const TriangleMesh& mesh, const Scene& scene,
                                        Image occluder, std::uint32_t width, std::uint32_t height,
                                        const CameraParameters& camera,
                                        const std::optional<glm::mat4>& clip_from_mesh,
                                        RasterCull cull, std::uint32_t parts) {
    const std::uint32_t longest = std::min(kMaxRasterSide, graph.target().max_image_2d);
    if (!is_valid(graph, mesh) || !in_range(graph, "width", width, 1, longest) ||
        !in_range(graph, "height", height, 1, longest) || !fits_a_buffer(graph, width, height) ||
        !is_valid_occluder(graph, occluder, width, height))
        return {};
    RasterInput input{.mesh = mesh,
                      .occluder = occluder,
                      .width = width,
                      .height = height,
                      .cull = cull,
                      .parts = parts};
    if (clip_from_mesh) {
        input.clip_from_mesh = *clip_from_mesh;
        return input;
    }
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const std::optional<glm::mat4> matrix = camera_matrix(graph, scene, camera, aspect);
    if (!matrix) return {};
    input.clip_from_mesh = *matrix;
    return input;
}

ComputeNodeBuilder raster_node(Graph& graph, const RasterInput& input, std::string_view shader,
                               std::string_view name, const ShaderVariant& variant) {
    ComputeNodeBuilder node = graph.compute(shader, variant, name);
    node.set("clip_from_mesh", input.clip_from_mesh);
    node.set("size", glm::uvec2(input.width, input.height));
    node.set("vertices", input.mesh.vertex_count);
    node.set("triangles", input.mesh.triangle_count);
    node.set("cull", static_cast<std::uint32_t>(input.cull));
    node.set("room", input.parts);
    node.set("capacity", input.capacity);
    return node;
}

Buffer placed_vertices(Graph& graph, const RasterInput& input) {
    const std::uint64_t vertices = input.mesh.vertex_count;
    ComputeNodeBuilder node = raster_node(graph, input, "geometry/raster_vertices", "vertices");
    node.read("positions", input.mesh.positions);
    const Buffer placed = node.write(
        "screen",
        graph.buffer("screen", {.size = std::max<std::uint64_t>(vertices, 1) * 16, .stride = 16}));
    node.dispatch_each(input.mesh.vertex_count);
    return placed;
}

RasterStages::RasterStages(Graph& graph, const RasterInput& input) : graph_(graph), input_(input) {
    const std::uint64_t triangles = input.mesh.triangle_count;
    status_ = zeroed(graph, "status", RasterStatus::kWords);
    parts_ = zeroed(graph, "parts", kPartCounters);
    clips_ = zeroed(graph, "clips", kClipCounters);
    clip_list_ = array(graph, "clip_list", triangles);
    part_list_ = array(graph, "part_list", 2 * std::uint64_t{input.parts} + triangles);
    screen_ = placed_vertices(graph, input);
}

ComputeNodeBuilder RasterStages::begin_triangles(std::string_view output) {
    ComputeNodeBuilder node =
        raster_node(graph_, input_, "geometry/raster_triangles", output, {{"OUTPUT", output}});
    node.read_optional("occluder", input_.occluder);
    node.read("screen", screen_);
    node.read("indices", input_.mesh.indices);
    if (!listed_) {
        status_ = node.accumulate("status", status_);
        parts_ = node.write("parts", parts_);
        part_list_ = node.write("part_list", part_list_);
        clips_ = node.write("clips", clips_);
        clip_list_ = node.write("clip_list", clip_list_);
    }
    node.dispatch_each(input_.mesh.triangle_count);
    return node;
}

void RasterStages::list_blocks_of_clipped() {
    ComputeNodeBuilder node = raster_node(graph_, input_, "geometry/raster_clip", "clip");
    node.read("positions", input_.mesh.positions);
    node.read("indices", input_.mesh.indices);
    node.read("clips", clips_);
    node.read("clip_list", clip_list_);
    status_ = node.accumulate("status", status_);
    parts_ = node.write("parts", parts_);
    part_list_ = node.write("part_list", part_list_);
    node.dispatch_indirect(BufferView(clips_, 0, 12));
}

ComputeNodeBuilder RasterStages::begin_blocks(std::string_view output) {
    if (!listed_) list_blocks_of_clipped();
    listed_ = true;
    ComputeNodeBuilder node = raster_node(graph_, input_, "geometry/raster_blocks",
                                          fmt::format("{}_blocks", output), {{"OUTPUT", output}});
    node.read_optional("occluder", input_.occluder);
    node.read("screen", screen_);
    node.read("indices", input_.mesh.indices);
    node.read("positions", input_.mesh.positions);
    node.read("parts", parts_);
    node.read("part_list", part_list_);
    node.dispatch_indirect(BufferView(parts_, 0, 12));
    return node;
}

} // namespace tuff::passes
