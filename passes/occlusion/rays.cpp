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
    info.summary("Finds how open the surroundings of voxels are by rays, as a reference")
        .details(
            "Rays go from the middle of a voxel to the volume's end, from voxel to voxel, along a "
            "spiral of evenly spread directions. A voxel of opacity a lets (1 - a)^s through on a "
            "way of s voxels. The result is the mean over all rays (\"sphere\": obscurance), or "
            "over those on the side of the normal, alike or weighed by the cosine (ambient "
            "occlusion); weights are divided by their sum, so open surroundings are 1 whatever "
            "the cover. Normals lead against the gradient of the opacity, or of \"numbers\"; where "
            "there is none all rays count. Beyond the volume all is open. Bricks of 8 x 8 x 8 "
            "voxels with nothing in them are left in one step, and a ray ends where less than a "
            "millionth comes through.")
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
               "a volume of numbers from 0 to 1; others count as the nearest of them, and what is "
               "none as 0");
    info.optional_input("numbers", &OcclusionRays::numbers,
                        "a volume of the same size, whose gradients are normals");
    info.parameter("rays", &OcclusionRays::rays, "of a voxel").range(1, 65536);
    info.parameter("cover", &OcclusionRays::cover, "which directions count").structural();
    info.parameter("stride", &OcclusionRays::stride,
                   "from one voxel that is looked at to the next: the middle one of each cube of "
                   "so many, or the last one where the volume ends before")
        .range(1, 1024)
        .unit("voxels")
        .structural();
    info.parameter("reach", &OcclusionRays::reach, "of a ray").range(0.0, 1e6).unit("voxels");
    info.parameter(
            "turn", &OcclusionRays::turn,
            "share of a turn about z, and of the distance of rays along it, by which voxels' "
            "rays differ: grain in place of bands")
        .range(0.0, 1.0);
    info.parameter("seed", &OcclusionRays::seed, "another grain for each");
    info.parameter("own", &OcclusionRays::own, "the voxel itself counts").structural();
    info.output("result", &OcclusionRays::result,
                "a volume, r32_sfloat: 1 where all is open, 0 where nothing comes through");
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
