#include "passes/image/paste.hpp"

namespace tuff::passes {

void Paste::describe(PassInfo<Paste>& info) {
    info.summary("Lays part of one picture onto another")
        .details("Where the source lies, all channels are target * (1 - m) + source * m, with the "
                 "mask m clamped to [0, 1]. The pass works on the values as stored. "
                 "image/seamless_clone also hides the edge.")
        .complexity("O(texels of the target)")
        .cost([](const Paste& pass, const Graph& graph) {
            return picture_cost(graph, pass.target, pass.result, 8.0);
        });
    describe_placement(info);
    info.parameter("format", &Paste::format, "format of the result; \"same\" is the target's")
        .structural();
    info.output("result", &Paste::result, "the picture, of the target's size");
}

void Paste::build(Graph& graph) {
    if (!is_placement(graph, source, mask, channel)) return;
    ComputeNodeBuilder node = graph.compute("image/paste");
    node.set("offset", offset);
    node.set("channel", static_cast<std::int32_t>(channel));
    node.read("target", ImageView(target).mip(0));
    node.read("source", ImageView(source).mip(0));
    node.read_optional("mask", ImageView(mask).mip(0));
    result = node.write("result", image_like(graph, "result", target,
                                             result_format(graph.desc(target).format, format)));
    node.dispatch_over(graph.extent(target));
}

TUFF_PASS(Paste)

} // namespace tuff::passes
