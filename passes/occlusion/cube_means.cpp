#include "passes/occlusion/cube_means.hpp"

#include "passes/occlusion/packed.hpp"

namespace tuff::passes {

void OcclusionCubeMeans::describe(PassInfo<OcclusionCubeMeans>& info) {
    info.summary("Makes a level of means over cubes of a volume: a mip, or an N-buffer")
        .details("Cubes of level l are 2^l voxels wide, and no wider than the longest side of the "
                 "volume: the last level that there is stands for those above it. Each texel is "
                 "the mean of eight of the level below. A mip has one texel for each cube of a "
                 "grid, rounded up where the volume ends within one. A level of an N-buffer has "
                 "the mean of the cube that begins at each voxel, and its first texels are of "
                 "cubes that begin before the volume and reach into it: texel 0 begins at voxel "
                 "1 - 2^l, and there are 2^l - 1 texels more than voxels along each axis. Beyond "
                 "the level all means are 0, or those of its edge, so that means are exact "
                 "wherever cubes lie. The levels of \"hybrid\" are an N-buffer of a mip. \"open\" "
                 "and \"clamp\" of mips say what a texel beyond the level below is.")
        .source("Decoret, \"N-Buffers for Efficient Depth Map Query\", Computer Graphics Forum "
                "24(3), 2005; Kroes, Schut and Eisemann, \"Smooth Probabilistic Ambient Occlusion "
                "for Volume Rendering\", GPU Pro 6, 2015")
        .complexity("O(texels * levels); O(texels) of mips")
        .cost([](const OcclusionCubeMeans& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            return Cost{.bytes =
                            volume_bytes(graph, pass.opacity) + volume_bytes(graph, pass.result),
                        .operations = 8.0 * volume_texels(graph, pass.opacity)};
        });
    info.input("opacity", &OcclusionCubeMeans::opacity,
               "a volume of numbers from 0 to 1; others count as the nearest of them, and what is "
               "none as 0");
    info.parameter("level", &OcclusionCubeMeans::level, "whose cubes are 2^level voxels wide")
        .range(1, kMaxOcclusionLevels)
        .structural();
    describe_levels(info);
    info.output("result", &OcclusionCubeMeans::result, "a volume of means");
}

void OcclusionCubeMeans::build(Graph& graph) {
    const LevelParameters parameters = level_parameters(*this);
    if (!are_opacities(graph, opacity, "opacity") || !has_room(graph, opacity, level, parameters))
        return;
    if (method == OcclusionMethod::summed) {
        graph.error("occlusion/no-levels", "a summed volume has no levels of means",
                    "choose the method \"n_buffer\", \"mip\" or \"hybrid\"");
        return;
    }
    OcclusionLevels levels(graph, opacity, level, parameters);
    if (levels.count() > 0 && can_pack(graph, opacity, levels, parameters)) {
        result = packed_means(graph, opacity, levels.count(), border);
        return;
    }
    while (levels.last().number < levels.count())
        levels.add();
    result = levels.last().means;
}

TUFF_PASS(OcclusionCubeMeans)

} // namespace tuff::passes
