#include "passes/octree/view.hpp"

#include "passes/common/picture.hpp"
#include "passes/octree/extract.hpp"

#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>

namespace tuff::passes {

std::optional<Camera> octree_camera(Graph& graph, const CameraParameters& camera,
                                    const OctreeShape& shape, std::uint32_t width,
                                    std::uint32_t height) {
    SceneData scene;
    scene.bounds = {shape.center - shape.half, shape.center + shape.half};
    auto found = camera_for(graph, camera, scene, width, height);
    if (!found || found->kind == Projection::perspective) return found;
    graph.error("scene/bad-camera",
                "octree passes support only perspective cameras; this "
                "camera is orthographic",
                "set \"camera.mode\" to orbit or free, or choose another camera of the file");
    return std::nullopt;
}

void OctreeView::describe(PassInfo<OctreeView>& info) {
    info.summary("Draws an octree by tracing rays or cones through its nodes")
        .details("\"rays\" stop at the first occupied voxel and show its face.\n\n"
                 "\"cones\" step from voxel to voxel at the level where a voxel is as wide as a "
                 "texel. The opacity of a voxel depends on how far its occupancy is between "
                 "\"threshold\" and \"opaque_alpha\", and on the length of the ray inside it, so "
                 "steps are not visible.\n\n"
                 "\"printed\" is the rule of the chapter: samples one voxel apart at level "
                 "ceil(log2(o n / (r tan a))) for root edge o, n texels, distance r and angle of "
                 "view a, with the alpha of each sample as its opacity.\n\n"
                 "Colors are the tree's bytes scaled to 0 to 1. With \"behind_depth\", rays end at "
                 "other surfaces, whose color in \"behind\" is blended with what is in front. So "
                 "virtual objects and maps can be combined in one picture from any camera.")
        .source(
            "Kotfis and Cozzi, \"Octree Mapping from a Depth Camera\", GPU Pro 7, 2016; Crassin "
            "et al., \"Interactive Indirect Illumination Using Voxel Cone Tracing\", 2011; Laine "
            "and Karras, \"Efficient Sparse Voxel Octrees\", I3D 2010")
        .complexity("O(texels * nodes along a ray)")
        .cost([](const OctreeView& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 12.0 * texels, .operations = 3000.0 * texels};
        });
    info.input("octree", &OctreeView::octree, "the tree");
    info.optional_input("behind", &OctreeView::behind, "color behind, from the same camera")
        .picture();
    info.optional_input("behind_depth", &OctreeView::behind_depth,
                        "clip-space depth behind, from the same camera")
        .depth_picture();
    info.parameter("method", &OctreeView::method, "how rays are traced").structural();
    describe_octree_picture(info);
    info.parameter("level", &OctreeView::level,
                   "deepest level that is shown; each step towards the root doubles the "
                   "voxels' size; 0: leaves")
        .range(0, kMaxOctreeDepth);
    info.parameter("threshold", &OctreeView::threshold,
                   "occupancy up to which voxels are invisible; 127 is unknown")
        .range(127, 254);
    info.parameter("opaque_alpha", &OctreeView::opaque_alpha,
                   "cones: occupancy from which voxels are opaque; must be greater than "
                   "\"threshold\"")
        .range(128, 255);
    info.parameter("max_length", &OctreeView::max_length, "largest length of rays")
        .range(0.0, 1e9, RangeEnds::open_low)
        .unit("world units");
    info.parameter("step", &OctreeView::step, "printed: distance between samples, in voxels")
        .range(0.05, 4.0);
    info.parameter("lit", &OctreeView::lit, "rays: whether faces differ in brightness");
    info.output("result", &OctreeView::result, "the picture, rgba16_sfloat");
    info.output(
        "depth", &OctreeView::depth,
        "clip-space depth, r32_sfloat, where half of the light is blocked, or \"behind_depth\" "
        "if that is nearer; 1 where there is nothing");
}

void OctreeView::build(Graph& graph) {
    const OctreeShape& shape = octree.shape;
    const Extent extent{width, height, 1};
    const Image target = graph.image("result", {.format = Format::rgba16_sfloat, .extent = extent});
    if (behind && !same_size(graph, target, "result", behind, "behind")) return;
    if (behind_depth && !same_size(graph, target, "result", behind_depth, "behind_depth")) return;
    if (opaque_alpha <= threshold) {
        graph.error("pass/out-of-range", "parameter \"opaque_alpha\" is not greater than "
                                         "\"threshold\"");
        return;
    }
    const std::optional<Camera> view = octree_camera(graph, camera, shape, width, height);
    if (!view) return;
    const float angle = glm::radians(view->vertical_fov);
    const float up = std::tan(0.5f * angle);
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    const glm::mat3 axes = glm::transpose(glm::mat3(view->view()));
    const float across = method == OctreeMethod::printed ? std::tan(angle) : 2.0f * up;

    static constexpr std::array<std::string_view, 3> kNames =
        tuff::ChoiceNames<OctreeMethod>::names;
    ComputeNodeBuilder node =
        graph.compute("octree/view", {{"METHOD", kNames[static_cast<std::size_t>(method)]}});
    specialize(node, shape);
    node.specialize("kSkipsFree", std::uint32_t(octree.occupied_above));
    node.set("center", shape.center);
    node.set("cells_a_unit", shape.cells_a_unit());
    node.set("eye", view->position);
    node.set("forward", -axes[2]);
    node.set("right", aspect * up * axes[0]);
    node.set("down", -up * axes[1]);
    node.set("background", background);
    node.set("near_plane", view->near_plane);
    node.set("far_plane", view->far_plane);
    node.set("spread", across / static_cast<float>(height));
    node.set("max_length", max_length * shape.cells_a_unit());
    node.set("step_length", step);
    node.set("opaque_alpha", static_cast<float>(opaque_alpha));
    node.set("lit", lit ? 1.0f : 0.0f);
    node.set("deepest", shown_level(shape, level));
    node.set("threshold", threshold);
    node.read("tree", octree.nodes);
    node.read_optional("behind", ImageView(behind).mip(0));
    node.read_optional("behind_depth", ImageView(behind_depth).mip(0));
    result = node.write("result", target);
    depth =
        node.write("depth", graph.image("depth", {.format = Format::r32_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(OctreeView)

} // namespace tuff::passes
