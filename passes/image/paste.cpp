#include "passes/image/paste.hpp"

namespace tuff::passes {

void Paste::describe(PassInfo<Paste>& info) {
    info.summary("Lays part of one picture onto another")
        .details("All channels are target * (1 - m) + source * m where the source lies, m the "
                 "mask, cut to [0, 1]. Works on the values that the images hold. "
                 "image/seamless_clone hides the edge of what is pasted.")
        .complexity("O(texels of the target)")
        .cost([](const Paste& pass, const Graph& graph) {
            return picture_cost(graph, pass.target, pass.result, 8.0);
        });
    describe_placement(info);
    info.parameter("format", &Paste::format, "of the result; \"same\" is the target's")
        .structural();
    info.output("result", &Paste::result, "of the target's size");
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
