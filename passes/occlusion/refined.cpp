#include "passes/occlusion/refined.hpp"

#include "passes/volume/sampled_volume.hpp"

namespace tuff::passes {

void OcclusionRefined::describe(PassInfo<OcclusionRefined>& info) {
    info.summary("Refines ambient occlusion by rays from frame to frame: each sends a few, and the "
                 "result is the mean of all")
        .details(
            "After a change of the transfer function give \"restart\" another number, or let "
            "the old fade: beyond \"frames\" frames each new one counts as much as the others. "
            "The first frame is grainy; after n of them the grain is that of n times as many "
            "rays. For a picture at once take occlusion/cones.")
        .source("Zhukov, Iones and Kronin, \"An Ambient Light Illumination Model\", Rendering "
                "Techniques 1998")
        .complexity("O(voxels * rays * side) a frame");
    info.input("opacity", &OcclusionRefined::opacity,
               "a volume of numbers from 0 to 1; others count as the nearest of them, and what is "
               "none as 0");
    info.optional_input("numbers", &OcclusionRefined::numbers,
                        "a volume of the same size, whose gradients are normals");
    info.parameter("rays", &OcclusionRefined::rays, "of a voxel in a frame").range(1, 65536);
    info.parameter("cover", &OcclusionRefined::cover,
                   "which directions count, as of occlusion/rays")
        .structural();
    info.parameter("stride", &OcclusionRefined::stride,
                   "from one voxel that is looked at to the next")
        .range(1, 1024)
        .unit("voxels")
        .structural();
    info.parameter("reach", &OcclusionRefined::reach, "of a ray").range(0.0, 1e6).unit("voxels");
    info.parameter("own", &OcclusionRefined::own, "the voxel itself counts").structural();
    info.parameter("frame", &OcclusionRefined::frame, "other rays for each: \"$frame\"");
    info.parameter("frames", &OcclusionRefined::frames, "whose mean it is at most").range(1, 65535);
    info.parameter("restart", &OcclusionRefined::restart,
                   "another number than in the frame before begins again; of 16 bits");
    info.output("result", &OcclusionRefined::result,
                "a volume, r32_sfloat: 1 where all is open, 0 where nothing comes through");
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
