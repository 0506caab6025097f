#include "passes/occlusion/cube_means.hpp"

#include "passes/occlusion/running_means.hpp"

namespace tuff::passes {

void OcclusionCubeMeans::describe(PassInfo<OcclusionCubeMeans>& info) {
    info.summary("Computes the mean opacity over cubes of a volume: a level of a mip chain or "
                 "an N-buffer")
        .details(
            "Cubes of level l are 2^l voxels wide, and no wider than the longest side of "
            "the volume; levels above use the last one.\n\n"
            "A mip level has one texel for each cube of a grid, rounded up if the volume "
            "ends within a cube. A level of an N-buffer has the mean of the cube that "
            "begins at each voxel. Its first texels belong to cubes that begin before the "
            "volume and reach into it: texel 0 begins at voxel 1 - 2^l, and along each "
            "axis there are 2^l - 1 texels more than voxels. Outside of the level, all "
            "means are 0 or those of its edge, so means are exact for cubes at any "
            "position. In unorm16 they come from running sums along x, y and z, and are "
            "rounded once along each; else each texel is the mean of eight texels of the "
            "level below, as for mips. The levels of \"hybrid\" are an N-buffer of a mip level.\n\n"
            "For mips, \"open\" and \"clamp\" define texels outside of the level below.")
        .source("Decoret, \"N-Buffers for Efficient Depth Map Query\", Computer Graphics Forum "
                "24(3), 2005; Kroes, Schut and Eisemann, \"Smooth Probabilistic Ambient Occlusion "
                "for Volume Rendering\", GPU Pro 6, 2015")
        .complexity("O(texels) for mips and for N-buffers of unorm16; else O(texels * levels)")
        .cost([](const OcclusionCubeMeans& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            return Cost{.bytes =
                            volume_bytes(graph, pass.opacity) + volume_bytes(graph, pass.result),
                        .operations = 8.0 * volume_texels(graph, pass.opacity)};
        });
    info.input("opacity", &OcclusionCubeMeans::opacity,
               "volume of opacities, clamped to 0 to 1; NaN counts as 0");
    info.parameter("level", &OcclusionCubeMeans::level,
                   "level, whose cubes are 2^level voxels wide")
        .range(1, kMaxOcclusionLevels)
        .structural();
    describe_levels(info);
    info.output("result", &OcclusionCubeMeans::result, "volume of means");
}

void OcclusionCubeMeans::build(Graph& graph) {
    const LevelParameters parameters = level_parameters(*this);
    if (!are_opacities(graph, opacity, "opacity") || !has_room(graph, opacity, level, parameters))
        return;
    if (method == OcclusionMethod::summed) {
        graph.error("occlusion/no-levels", "a summed volume has no levels of means",
                    "set \"method\" to \"n_buffer\", \"mip\" or \"hybrid\"");
        return;
    }
    OcclusionLevels levels(graph, opacity, level, parameters);
    if (can_run(graph, opacity, levels, parameters)) {
        result = running_means(graph, opacity, levels.count(), border);
        return;
    }
    while (levels.last().number < levels.count())
        levels.add();
    result = levels.last().means;
}

TUFF_PASS(OcclusionCubeMeans)

} // namespace tuff::passes
