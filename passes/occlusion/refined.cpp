#include "passes/occlusion/refined.hpp"

#include "passes/volume/sampled_volume.hpp"

namespace tuff::passes {

void OcclusionRefined::describe(PassInfo<OcclusionRefined>& info) {
    info.summary("Refines ambient occlusion by rays from frame to frame, as a running mean")
        .details(
            "Each frame traces a few rays, and the result is the mean of all frames. The first "
            "frame is noisy; after n frames, the noise is that of n times as many rays. After "
            "\"frames\" frames, the mean becomes exponential, so old frames fade.\n\n"
            "After a change of the transfer function, change \"restart\", or let the old "
            "result fade. For a picture without delay use occlusion/cones.")
        .source("Zhukov, Iones and Kronin, \"An Ambient Light Illumination Model\", Rendering "
                "Techniques 1998")
        .complexity("O(voxels * rays * side) a frame");
    info.input("opacity", &OcclusionRefined::opacity,
               "volume of opacities, clamped to 0 to 1; NaN counts as 0");
    info.optional_input("numbers", &OcclusionRefined::numbers,
                        "volume of the same size, whose gradients are the normals");
    info.parameter("rays", &OcclusionRefined::rays, "rays of a voxel in a frame").range(1, 65536);
    info.parameter("cover", &OcclusionRefined::cover, "directions that count, as in occlusion/rays")
        .structural();
    info.parameter("stride", &OcclusionRefined::stride,
                   "distance between the voxels that are computed")
        .range(1, 1024)
        .unit("voxels")
        .structural();
    info.parameter("reach", &OcclusionRefined::reach, "length of a ray")
        .range(0.0, 1e6)
        .unit("voxels");
    info.parameter("own", &OcclusionRefined::own, "whether the voxel itself counts").structural();
    info.parameter("frame", &OcclusionRefined::frame, "selects the rays of a frame: \"$frame\"");
    info.parameter("frames", &OcclusionRefined::frames, "largest number of frames in the mean")
        .range(1, 65535);
    info.parameter("restart", &OcclusionRefined::restart,
                   "a change from the previous frame starts again; 16 bits");
    info.output("result", &OcclusionRefined::result,
                "volume, r32_sfloat: 1 is open, 0 is fully occluded");
}

void OcclusionRefined::build(Graph& graph) {
    OcclusionRays now{.opacity = opacity, .numbers = numbers, .rays = rays, .cover = cover};
    now.stride = stride;
    now.reach = reach;
    now.own = own;
    now.turn = 1.0f;
    now.seed = frame;
    const Image found = graph.add(now).result;
    if (!found) return;
    const glm::ivec3 dims = volume_dims(graph, found);
    const ImageHistory history = graph.history_image(
        "mean",
        {.format = Format::rg32_uint, .extent = graph.extent(found), .shape = ImageShape::d3});
    ComputeNodeBuilder node = graph.compute("occlusion/average");
    node.read("found", found, Sampler::nearest());
    node.read("before", history.previous[0], Sampler::nearest());
    node.set("dims", dims);
    node.set("frames", frames);
    node.set("restart", restart);
    static_cast<void>(node.write("state", history.current));
    result = node.write("result", volume_like(graph, "refined", dims, Format::r32_sfloat));
    node.dispatch_over(graph.extent(result));
}

TUFF_PASS(OcclusionRefined)

} // namespace tuff::passes
