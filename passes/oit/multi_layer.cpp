#include "passes/oit/multi_layer.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// Of a pixel, sorted by triangle at a time: 8 KiB of shared memory a group.
constexpr std::uint32_t kSortedByTriangle = 16;

bool can_be_layered(Graph& graph, const MultiLayer& pass) {
    if (!have_colors(graph, pass.lists)) return false;
    if (pass.lists.samples != 1) {
        graph.error("oit/samples",
                    fmt::format("the fragments have {} samples a pixel, but one is needed",
                                pass.lists.samples),
                    "use oit/resolve, which takes several");
        return false;
    }
    if (pass.lists.payload != FragmentPayload::standard &&
        pass.lists.payload != FragmentPayload::hdr) {
        graph.error("oit/packing",
                    "the pass orders fragments by triangle, which \"compact\" and \"tight\" "
                    "fragments do not store",
                    "set \"packing\" to \"standard\" or \"hdr\"");
        return false;
    }
    return lists_fit(graph, pass.lists, pass.background ? pass.background : pass.view.color);
}

} // namespace

void MultiLayer::describe(PassInfo<MultiLayer>& info) {
    info.summary("Blends transparent fragments in drawing order into a few layers a pixel (MLAB)")
        .details(
            "Use it to compare with oit/resolve, which is faster.\n\nA pixel has \"layers\" "
            "layers, sorted by depth. A fragment is inserted by depth; if the layers are full, the "
            "two farthest are merged and keep the nearer depth. So pixels with no more fragments "
            "than layers are exact, as in oit/resolve; with more fragments, the nearest layers are "
            "exact, and a late fragment inside a merged layer counts as in front of or behind all "
            "of it. The transmittance of the background is exact.\n\nThe paper blends while it "
            "rasterizes, by ordered critical sections, and needs memory only for the layers. Not "
            "every device supports that, so here fragments are captured first: 16 bytes a "
            "fragment, 20 with colors of half floats, and 4 a pixel. The layers are in registers. "
            "Each pixel takes its fragments in triangle order, so the result is that of the "
            "paper's order, and the same to the bit for any capture order. The pass supports one "
            "sample a pixel; fragments must store their triangles.")
        .source("Salvi and Vaidyanathan, \"Multi-Layer Alpha Blending\", I3D 2014")
        .complexity("O(pixels + fragments * (layers + list length / 16))")
        .cost([](const MultiLayer& pass, const Graph& graph) -> Cost {
            if (!pass.color || !pass.lists) return {};
            const auto pixels = static_cast<double>(pass.lists.area.pixels());
            const double fragments = static_cast<double>(graph.desc(pass.lists.fragments).size);
            return {.bytes = fragments + pixels * 20.0, .operations = fragments};
        });
    info.input("lists", &MultiLayer::lists, "the fragments, from oit/capture or oit/shade");
    info.input("view", &MultiLayer::view, "the view that the fragments were captured with");
    info.optional_input("background", &MultiLayer::background,
                        "the picture behind the fragments; without it the view's picture");
    info.parameter("layers", &MultiLayer::layers, "number of layers of a pixel")
        .range(1, kMaxLayers)
        .structural();
    info.parameter("format", &MultiLayer::format, "format of the result").structural();
    info.output("color", &MultiLayer::color, "the picture with the fragments");
}

void MultiLayer::build(Graph& graph) {
    const Image picture = background ? background : view.color;
    const ImageDesc like = picture ? graph.desc(picture) : ImageDesc{.extent = {1, 1, 1}};
    color =
        graph.image("color", {.format = result_format(like.format, format), .extent = like.extent});
    if (!can_be_layered(graph, *this)) return;
    ComputeNodeBuilder node = graph.compute("oit/multi_layer");
    bind_lists(node, lists);
    node.specialize("kKeep", kSortedByTriangle);
    node.specialize("kLayers", layers);
    node.set("origin", lists.area.origin);
    node.set("size", lists.area.size);
    node.read("background", picture, Sampler::nearest());
    color = node.write("result", color);
    node.dispatch_over({lists.area.size.x, lists.area.size.y, 1});
}

TUFF_PASS(MultiLayer)

} // namespace tuff::passes
