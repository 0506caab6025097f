#include "passes/occlusion/opacity.hpp"

#include "passes/volume/transfer.hpp"

namespace tuff::passes {

void OcclusionOpacity::describe(PassInfo<OcclusionOpacity>& info) {
    info.summary("Makes a volume of opacities under a transfer function, for ambient occlusion")
        .details("The opacity of a texel is that of the transfer function at its number, straight "
                 "between points, brought into 0 to 1 and rounded to the nearest number that "
                 "\"precision\" has. What is no number blocks nothing. The transfer function may "
                 "change from frame to frame; it is that of volume/cast, though an opacity of 1 "
                 "for a texel may be another here than there.")
        .source("Kroes, Schut and Eisemann, \"Smooth Probabilistic Ambient Occlusion for Volume "
                "Rendering\", GPU Pro 6, 2015")
        .complexity("O(texels * points)")
        .cost([](const OcclusionOpacity& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            return Cost{.bytes =
                            volume_bytes(graph, pass.source) + volume_bytes(graph, pass.result),
                        .operations = 8.0 * volume_texels(graph, pass.result)};
        });
    info.input("source", &OcclusionOpacity::source,
               "a volume: a three-dimensional image of one to four numbers");
    info.parameter("number", &OcclusionOpacity::number,
                   "of a texel: a channel, or the length of the vector that they are")
        .structural();
    info.parameter(
        "transfer", &OcclusionOpacity::transfer,
        "value, red, green, blue, opacity of 1 to 64 points: straight in between; values "
        "ascend, two equal ones make a jump");
    info.parameter("precision", &OcclusionOpacity::precision, "of the result").structural();
    info.output("result", &OcclusionOpacity::result,
                "a volume of the source's size, 0 (nothing is blocked) to 1");
}

void OcclusionOpacity::build(Graph& graph) {
    const auto volume =
        sampled_volume(graph, source, {.number = number, .filter = VolumeFilter::nearest});
    const auto points = transfer_function(graph, transfer);
    if (!volume || !points) return;
    ComputeNodeBuilder node = graph.compute("occlusion/opacity");
    set_kept(node, precision);
    bind_texels(node, *volume);
    points->set(node);
    result = node.write(
        "result", volume_like(graph, "opacity", glm::ivec3(volume->dims), format_of(precision)));
    node.dispatch_over(graph.extent(result));
}

TUFF_PASS(OcclusionOpacity)

} // namespace tuff::passes
