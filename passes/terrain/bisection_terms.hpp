#pragma once

#include "passes/primitives/elements.hpp"
#include "passes/terrain/bisection.hpp"
#include "passes/terrain/view.hpp"

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

/// What passes share that bisect triangles: `Bisect`, `BisectWide` and `BisectPool`, whose fields
/// have the same names.
namespace tuff::passes {

/// All parameters except "max_level" and what follows it.
template <typename Pass>
void describe_bisected(PassInfo<Pass>& info) {
    info.input("surface", &Pass::surface, "the surface that the triangles divide");
    info.group("camera", &Pass::camera);
    info.parameter("width", &Pass::width, "width of the picture").range(1, 32768).unit("texels");
    info.parameter("height", &Pass::height, "height of the picture").range(1, 32768).unit("texels");
    info.parameter("edge", &Pass::edge, "length of an edge up to which it is not split")
        .range(0.5, 4096.0)
        .unit("pixels");
}

template <typename Pass>
void describe_bisection_steps(
    PassInfo<Pass>& info, std::uint32_t most_leaves,
    std::string_view leaves = "all leaves, from one end of the surface to the other") {
    info.parameter("iterations", &Pass::iterations, "steps a frame").range(1, 64).structural();
    info.parameter("capacity", &Pass::capacity, "capacity, in leaves")
        .range(64, most_leaves)
        .structural();
    info.parameter("reset", &Pass::reset,
                   "a change from the previous frame restarts the tree with its first triangles");
    info.parameter("cull", &Pass::cull, "whether \"seen\" leaves out leaves outside of the view");
    info.output("tree", &Pass::tree, leaves);
    info.output("seen", &Pass::seen, "the leaves that may be visible, in any order");
}

/// The tree that a pass makes, without its leaves.
template <typename Pass>
BisectionTree bisection_shape(Graph& graph, const Pass& pass) {
    const std::uint32_t faces = face_count(pass.surface.kind);
    const std::uint32_t root_bits = faces > 1 ? 3 : 0;
    return {.status = graph.fill(array(graph, "status", BisectionStatus::kWords), 0, "no_status"),
            .capacity = pass.capacity,
            .depth = pass.max_level + root_bits,
            .root_bits = root_bits,
            .faces = faces};
}

/// A node of a kernel that includes shaders/terrain/bisect_params.glsl.
template <typename Pass>
ComputeNodeBuilder bisection_node(Graph& graph, std::string_view kernel, const Pass& pass,
                                  const TerrainView& view, const BisectionTree& tree) {
    const glm::vec3 eye = view.camera.position;
    const bool lost = !(std::isfinite(eye.x) && std::isfinite(eye.y) && std::isfinite(eye.z));
    const double pixels =
        static_cast<double>(pass.height) / view.extent / static_cast<double>(pass.edge);
    ComputeNodeBuilder node = graph.compute(kernel);
    node.specialize("surface_kind", static_cast<std::uint32_t>(pass.surface.kind));
    node.set("ground", pass.surface.ground);
    node.set("shape", pass.surface.shape);
    node.set("bounds", pass.surface.bounds);
    node.set("depth", tree.depth);
    node.set("root_bits", tree.root_bits);
    node.set("faces", tree.faces);
    node.set("capacity", tree.capacity);
    node.set("frozen", lost ? 1u : 0u);
    node.set("reset", pass.reset);
    node.set("eye", glm::vec4(eye, 1.0f));
    node.set("scale", glm::vec2(pixels, 0.0));
    return node;
}

/// The leaves that may be visible, by a kernel that includes shaders/terrain/bisection_seen.glsl.
/// `keys`: memory for them.
template <typename Pass>
BisectionTree list_seen(Graph& graph, ComputeNodeBuilder& node, const Pass& pass,
                        const TerrainView& view, const BisectionTree& tree, Buffer keys) {
    set_surface(node, pass.surface);
    set_surface_bounds(node, pass.surface);
    node.set("root_bits", tree.root_bits);
    node.set("culled", pass.cull ? 1u : 0u);
    node.set("planes", std::span<const glm::vec4>(view.planes));
    BisectionTree seen = tree;
    seen.keys = node.write("seen", keys);
    seen.status =
        node.write("seen_status", graph.fill(array(graph, "seen_status", BisectionStatus::kWords),
                                             0, "none_seen"));
    return seen;
}

} // namespace tuff::passes
