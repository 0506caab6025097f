#include "passes/lights/tree.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/primitives/radix_sort.hpp"

namespace tuff::passes {
namespace {

constexpr int kCodeBits = 31; // 30 of a place; one for lights without an end or place

void read_lights(ComputeNodeBuilder& node, const Lights& lights) {
    node.match<LightShade>("shades");
    node.set("count", lights.count);
    node.read("spheres", lights.spheres);
    node.read("shades", lights.shades);
}

/// Numbers of the lights along the curve.
Buffer order_of(Graph& graph, const Lights& lights) {
    ComputeNodeBuilder boxing = graph.compute("lights/tree_box");
    read_lights(boxing, lights);
    const Buffer box = boxing.write("box", graph.fill(array(graph, "box", 6), 0, "no_box"));
    boxing.dispatch_each(lights.count);

    ComputeNodeBuilder coding = graph.compute("lights/tree_codes");
    read_lights(coding, lights);
    coding.read("box", box);
    const Buffer codes = coding.write("codes", array(graph, "codes", lights.count));
    coding.dispatch_each(lights.count);
    return graph
        .add(RadixSort{.keys = codes,
                       .length = lights.count,
                       .end_bit = kCodeBits,
                       .with_permutation = true},
             "sort")
        .permutation;
}

} // namespace

void LightTree::describe(PassInfo<LightTree>& info) {
    info.summary("Sorts lights by position and builds a tree, so that culling can skip many at "
                 "once")
        .details("Lights are sorted along a Morton curve through their bounds. The pass then "
                 "computes bounding spheres of each 32 and each 1024 consecutive lights: a tree of "
                 "three levels, whose leaves are the words of the masks of lights/cull. Culling "
                 "finds the same lights with and without the tree. The tree pays off from some "
                 "thousand lights on. If lights move, build it in each frame.")
        .source("Karras, \"Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d "
                "Trees\", HPG 2012 (order along the curve)")
        .complexity("O(lights)")
        .cost([](const LightTree& pass, const Graph&) {
            return Cost{.bytes = (2.0 * 48.0 + 3.0 * 16.0) * pass.source.count,
                        .operations = 60.0 * pass.source.count};
        });
    info.input("source", &LightTree::source, "the lights, in any order");
    info.output("lights", &LightTree::lights, "the lights in the new order, with the spheres");
    info.output("order", &LightTree::order, "previous index of each light")
        .elements<std::uint32_t>();
}

void LightTree::build(Graph& graph) {
    if (!is_valid(graph, source)) return;
    if (source.count == 0) {
        lights = source;
        order = graph.fill(array(graph, "order", 1), 0, "no_order");
        return;
    }
    order = order_of(graph, source);
    const auto vectors = [&](std::string_view name, std::uint64_t elements) {
        return graph.buffer(name,
                            {.size = elements * sizeof(glm::vec4), .stride = sizeof(glm::vec4)});
    };
    lights.count = source.count;
    ComputeNodeBuilder node = graph.compute("lights/tree_nodes");
    read_lights(node, source);
    node.match<LightShade>("sorted_shades");
    node.read("order", order);
    lights.spheres = node.write("sorted_spheres", vectors("spheres", source.count));
    lights.shades = node.write("sorted_shades",
                               graph.buffer("shades", {.size = source.count * sizeof(LightShade),
                                                       .stride = sizeof(LightShade)}));
    lights.nodes = node.write("nodes", vectors("nodes", lights.node_count()));
    node.dispatch_each(source.count);

    ComputeNodeBuilder tops = graph.compute("lights/tree_tops");
    tops.set("count", lights.node_count());
    tops.read("nodes", lights.nodes);
    lights.tops = tops.write("tops", vectors("tops", lights.top_count()));
    tops.dispatch_each(lights.node_count());
}

TUFF_PASS(LightTree)

} // namespace tuff::passes
