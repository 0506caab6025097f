#include "passes/volume/compute_faces.hpp"

#include "passes/geometry/raster_stages.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tuff::passes {
namespace {

/// The meshes of all media as one, and whose its triangles are.
struct MergedMedia {
    TriangleMesh mesh; ///< `draws` are numbers of media
    Buffer normals;
};

std::optional<MergedMedia> merge(Graph& graph, std::span<const MeshMedium> media) {
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    for (const MeshMedium& medium : media) {
        vertices += medium.mesh.vertex_count;
        triangles += medium.mesh.triangle_count;
    }
    if (triangles > kMaxMeshTriangles || 3 * vertices > kMaxElements) {
        graph.error("bvh/too-many-triangles",
                    fmt::format("the media have {} triangles and {} vertices, but at most {} and "
                                "{} can be drawn by kernels",
                                triangles, vertices, kMaxMeshTriangles, kMaxElements / 3),
                    "set \"rasterizer\" to \"device\", which draws mesh by mesh");
        return {};
    }
    MergedMedia merged{.mesh = {.positions = array(graph, "positions", 3 * vertices),
                                .indices = array(graph, "indices", 3 * triangles),
                                .draws = array(graph, "owners", triangles),
                                .vertex_count = static_cast<std::uint32_t>(vertices),
                                .triangle_count = static_cast<std::uint32_t>(triangles)},
                       .normals = array(graph, "normals", 3 * vertices)};
    std::uint32_t first_vertex = 0;
    std::uint32_t first_triangle = 0;
    for (std::uint32_t number = 0; number < media.size(); ++number) {
        const MeshMedium& medium = media[number];
        ComputeNodeBuilder node =
            graph.compute("volume/merge_mesh", fmt::format("merge_{}", number));
        node.set("vertex_count", medium.mesh.vertex_count);
        node.set("triangle_count", medium.mesh.triangle_count);
        node.set("first_vertex", first_vertex);
        node.set("first_triangle", first_triangle);
        node.set("medium", number);
        node.read("positions", medium.mesh.positions);
        node.read("indices", medium.mesh.indices);
        node.read_optional("normals", medium.normals);
        node.read_optional("arguments", medium.arguments);
        merged.mesh.positions = node.write("merged_positions", merged.mesh.positions);
        merged.mesh.indices = node.write("merged_indices", merged.mesh.indices);
        merged.mesh.draws = node.write("owners", merged.mesh.draws);
        merged.normals = node.write("merged_normals", merged.normals);
        node.dispatch_each(std::max(medium.mesh.vertex_count, medium.mesh.triangle_count));
        first_vertex += medium.mesh.vertex_count;
        first_triangle += medium.mesh.triangle_count;
    }
    return merged;
}

/// The rays' picture in clip space, without a far plane and with the near one of `nearest_face`.
glm::mat4 clip_from_world(const VolumeView& view) {
    const float aspect = static_cast<float>(view.width) / static_cast<float>(view.height);
    glm::mat4 clip = view.camera.projection(aspect) * view.camera.view();
    for (int column = 0; column < 4; ++column)
        clip[column][2] = clip[column][3];
    clip[3][2] -= nearest_face(view.camera);
    return clip;
}

} // namespace

std::optional<CapturedFaces> compute_faces(Graph& graph, std::span<const MeshMedium> media,
                                           const VolumeView& view, const Reflections& reflections,
                                           std::uint32_t room) {
    const std::optional<MergedMedia> merged = merge(graph, media);
    if (!merged) return {};
    // Two drawings: which way a triangle faces is what its pixels on the screen say, so that each
    // ray leaves a closed mesh as often as it enters it.
    std::optional<RasterInput> input =
        raster_input(graph, merged->mesh, {}, {}, view.width, view.height, {},
                     clip_from_world(view), RasterCull::back, kDefaultRasterParts);
    if (!input) return {};
    graph.push_scope("fronts");
    const FragmentLists fronts = capture_triangles(graph, *input, room);
    graph.pop_scope();
    input->cull = RasterCull::front;
    graph.push_scope("backs");
    const FragmentLists backs = capture_triangles(graph, *input, room);
    graph.pop_scope();

    CapturedFaces faces;
    FragmentLists& lists = faces.lists;
    lists = {.payload = FragmentPayload::face,
             .layout = FragmentLayout::arrays,
             .capacity = room,
             .area = fronts.area};
    ComputeNodeBuilder node = graph.compute("volume/faces", "faces");
    view.set(node);
    node.set("fragment_room", room);
    set_media(node, media);
    set_reflections(graph, node, media, reflections);
    node.read("positions", merged->mesh.positions);
    node.read("normals", merged->normals);
    node.read("indices", merged->mesh.indices);
    node.read("owners", merged->mesh.draws);
    node.read("front_heads", fronts.heads);
    node.read("fronts", fronts.fragments);
    node.read("back_heads", backs.heads);
    node.read("backs", backs.fragments);
    const std::uint64_t words = lists.area.pixels() + 1;
    lists.heads = node.write("heads", array(graph, "heads", words));
    lists.fragments = node.write("fragments", fragment_buffer(graph, lists));
    lists.status = node.write("total", array(graph, "total", 1));
    node.dispatch_each(static_cast<std::uint32_t>(words));
    sort_faces(graph, lists);
    return faces;
}

} // namespace tuff::passes
