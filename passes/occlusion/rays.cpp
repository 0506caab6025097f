#include "passes/occlusion/rays.hpp"

#include "passes/volume/sampled_volume.hpp"

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr double kOperationsOfStep = 20.0; // of a ray, from voxel to voxel

/// Of 8 voxels: whether anything is in them.
Image occupied_bricks(Graph& graph, Image opacity) {
    const glm::ivec3 dims = volume_dims(graph, opacity);
    const glm::ivec3 bricks = (dims + 7) / 8;
    ComputeNodeBuilder node = graph.compute("occlusion/bricks");
    set_border(node, OcclusionBorder::open);
    node.read("opacity", ImageView(opacity).mip(0), Sampler::nearest());
    node.set("dims", dims);
    const Image result =
        node.write("result", volume_like(graph, "bricks", bricks, Format::r8_unorm));
    const glm::uvec3 groups(bricks);
    node.dispatch(groups.x, groups.y, groups.z);
    return result;
}

} // namespace

void OcclusionRays::describe(PassInfo<OcclusionRays>& info) {
    info.summary("Computes the ambient occlusion of voxels by rays, as a reference")
        .details(
            "Rays go from the center of a voxel to the end of the volume, voxel by voxel, in "
            "evenly spread directions along a spiral. A voxel of opacity a transmits (1 - a)^s "
            "over a distance of s voxels. The result is the mean over all rays (\"sphere\": "
            "obscurance) or over those on the side of the normal, uniform or weighted by the "
            "cosine (ambient occlusion). Weights are normalized, so an open environment is 1 "
            "in all modes.\n\n"
            "Normals point against the gradient of the opacity or of \"numbers\"; where it is "
            "zero, all rays count. Outside of the volume everything is open. Rays skip empty "
            "bricks of 8 x 8 x 8 voxels in one step, and end when less than a millionth is "
            "transmitted.")
        .source("Zhukov, Iones and Kronin, \"An Ambient Light Illumination Model\", Rendering "
                "Techniques 1998; Amanatides and Woo, \"A Fast Voxel Traversal Algorithm for Ray "
                "Tracing\", Eurographics 1987")
        .complexity("O(voxels * rays * side)")
        .cost([](const OcclusionRays& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            const double texels = volume_texels(graph, pass.result);
            // From the middle to a face it is half a side, and 1.5 planes a voxel on the mean.
            const double side = std::cbrt(volume_texels(graph, pass.opacity));
            const double steps = 0.75 * std::min(side, 2.0 * static_cast<double>(pass.reach));
            return Cost{.bytes =
                            volume_bytes(graph, pass.opacity) + volume_bytes(graph, pass.result),
                        .operations = kOperationsOfStep * steps * pass.rays * texels};
        });
    info.input("opacity", &OcclusionRays::opacity,
               "volume of opacities, clamped to 0 to 1; NaN counts as 0");
    info.optional_input("numbers", &OcclusionRays::numbers,
                        "volume of the same size, whose gradients are the normals");
    info.parameter("rays", &OcclusionRays::rays, "rays of a voxel").range(1, 65536);
    info.parameter("cover", &OcclusionRays::cover, "directions that count").structural();
    info.parameter("stride", &OcclusionRays::stride,
                   "distance between the voxels that are computed: the middle one of each cube "
                   "of that size, or the last one if the volume ends before")
        .range(1, 1024)
        .unit("voxels")
        .structural();
    info.parameter("reach", &OcclusionRays::reach, "length of a ray")
        .range(0.0, 1e6)
        .unit("voxels");
    info.parameter(
            "turn", &OcclusionRays::turn,
            "random share of a turn about z, and of the distance along rays, by which voxels' "
            "rays differ: noise instead of bands")
        .range(0.0, 1.0);
    info.parameter("seed", &OcclusionRays::seed, "seed of the noise");
    info.parameter("own", &OcclusionRays::own, "whether the voxel itself counts").structural();
    info.output("result", &OcclusionRays::result,
                "volume, r32_sfloat: 1 is open, 0 is fully occluded");
}

void OcclusionRays::build(Graph& graph) {
    if (!are_opacities(graph, opacity, "opacity") || !are_opacities(graph, numbers, "numbers") ||
        !fit(graph, opacity, numbers))
        return;
    const glm::ivec3 dims = volume_dims(graph, opacity);
    const int step = static_cast<int>(stride);
    const glm::ivec3 result_dims = (dims - 1) / step + 1;
    const Image bricks = occupied_bricks(graph, opacity);
    ComputeNodeBuilder node = graph.compute("occlusion/rays");
    set_border(node, OcclusionBorder::open);
    node.specialize("kOwn", std::uint32_t{own});
    node.specialize("kCover", static_cast<std::uint32_t>(cover));
    node.read("opacity", ImageView(opacity).mip(0), Sampler::nearest());
    node.read_optional("numbers", ImageView(numbers).mip(0), Sampler::nearest());
    node.read("bricks", bricks, Sampler::nearest());
    node.set("dims", dims);
    node.set("result_dims", result_dims);
    node.set("stride", step);
    node.set("rays", rays);
    node.set("turn", turn);
    node.set("reach", reach);
    node.set("seed", seed);
    result = node.write("result", volume_like(graph, "open", result_dims, Format::r32_sfloat));
    node.dispatch_over(graph.extent(result));
}

TUFF_PASS(OcclusionRays)

} // namespace tuff::passes
