#include "passes/occlusion/followed.hpp"

#include "passes/occlusion/packed.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

std::uint64_t brick_count(glm::ivec3 dims) {
    return static_cast<std::uint64_t>(dims.x) * static_cast<std::uint64_t>(dims.y) *
           static_cast<std::uint64_t>(dims.z);
}

struct Bricks {
    Buffer words;
    glm::ivec3 dims{1};
};

/// Those with a marked one within `reach`, from `before` bricks before the first one on.
Bricks bricks_within(Graph& graph, std::string_view name, const Bricks& source, int before,
                     int reach) {
    const glm::ivec3 dims = source.dims + before;
    ComputeNodeBuilder node = graph.compute("occlusion/bricks_within", name);
    node.set("source_dims", source.dims);
    node.set("dims", dims);
    node.set("before", before);
    node.set("reach", reach);
    node.read("source", source.words);
    const Buffer words = node.write("result", array(graph, name, brick_count(dims)));
    node.dispatch_each(static_cast<std::uint32_t>(brick_count(dims)));
    return {words, dims};
}

/// Packs the volume as it is, keeps it for the next execution, and finds what has changed.
Bricks changed_bricks(Graph& graph, const OcclusionFollowed& pass, PackedLevels& levels) {
    const glm::ivec3 dims = volume_dims(graph, pass.opacity);
    Bricks changed{.words = {}, .dims = (dims - 1) / kOcclusionBrick + 1};
    changed.words = graph.fill(array(graph, "changed", brick_count(changed.dims)), 0, "none_yet");
    const BufferHistory voxels = graph.history_buffer("voxels", packed_voxels(levels));
    const BufferHistory key = graph.history_buffer("key", {.size = 8, .stride = 4});
    ComputeNodeBuilder node = graph.compute("occlusion/changed");
    set_border(node, pass.border);
    node.set("dims", dims);
    node.set("blocks", levels.levels[0].x);
    node.set("bricks", changed.dims);
    node.set("growth", pass.growth);
    node.set("strength", pass.strength);
    node.read("opacity", ImageView(pass.opacity).mip(0), Sampler::nearest());
    node.read("before", voxels.previous[0]);
    node.read("key_before", key.previous[0]);
    static_cast<void>(node.write("key", key.current));
    levels.voxels = node.write("result", voxels.current);
    changed.words = node.write("changed", changed.words);
    node.dispatch_each(static_cast<std::uint32_t>(levels.levels[0].x * dims.y * dims.z));
    return changed;
}

} // namespace

void OcclusionFollowed::describe(PassInfo<OcclusionFollowed>& info) {
    info.summary("Keeps the ambient occlusion of a volume up to date that changes in places")
        .details(
            "The result is that of occlusion/ambient with N-buffers of unorm16, to the bit. Each "
            "execution compares the volume with that of the one before by bricks of 16 voxels, and "
            "makes means and results again where the widest cube reaches a brick that has changed; "
            "elsewhere the result of the execution before is taken. \"growth\" and \"strength\" "
            "are of all "
            "bricks: another one changes all. Errors: occlusion/too-large.")
        .source("Kroes, Schut and Eisemann, \"Smooth Probabilistic Ambient Occlusion for Volume "
                "Rendering\", GPU Pro 6, 2015")
        .complexity("O(voxels), and O(shells) for each near a change")
        .cost([](const OcclusionFollowed& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            const double texels = volume_texels(graph, pass.result);
            // The volume as it is and was, the result as it was and is.
            return Cost{.bytes = 10.0 * texels, .operations = 10.0 * texels};
        });
    info.input("opacity", &OcclusionFollowed::opacity,
               "a volume of numbers from 0 to 1; others count as the nearest of them, and what is "
               "none as 0");
    info.parameter("shells", &OcclusionFollowed::shells, "at most")
        .range(1, kMaxOcclusionLevels)
        .structural();
    info.parameter("border", &OcclusionFollowed::border,
                   "beyond the volume: \"open\", or what its edge is (\"clamp\")")
        .structural();
    info.parameter("growth", &OcclusionFollowed::growth,
                   "of the exponents of shells, from each to the next: 1 for thin walls, 2 for fog")
        .range(0.25, 4.0);
    info.parameter("strength", &OcclusionFollowed::strength,
                   "exponent of the result: below 1 makes it brighter, 0 leaves no occlusion")
        .range(0.0, 16.0);
    info.parameter("own", &OcclusionFollowed::own, "the voxel itself counts, as a shell of its own")
        .structural();
    info.output("result", &OcclusionFollowed::result,
                "a volume of the same size: 1 where all is open, 0 where nothing comes through");
    info.output("dirty", &OcclusionFollowed::dirty,
                "a word for each brick of 16 voxels, x fastest: 1 where the result was made again");
}

void OcclusionFollowed::build(Graph& graph) {
    if (!are_opacities(graph, opacity, "opacity")) return;
    const glm::ivec3 dims = volume_dims(graph, opacity);
    const OcclusionLevels planned(graph, opacity, shells, {});
    PackedLevels levels = packed_layout(dims, planned.count());
    if (!fits_packed(graph, levels)) {
        graph.error(
            "occlusion/too-large",
            fmt::format("levels of {} x {} x {} voxels are more than a buffer of the device "
                        "holds",
                        dims.x, dims.y, dims.z),
            "take a smaller volume or fewer shells, or occlusion/ambient with mips");
        return;
    }
    const Bricks changed = changed_bricks(graph, *this, levels);
    // How far the widest cube reaches from its voxel.
    const int half_width = 1 << static_cast<int>(levels.count()) >> 1;
    const int reach = (half_width + kOcclusionBrick - 1) / kOcclusionBrick;
    const Bricks made = bricks_within(graph, "dirty", changed, 0, reach);
    const Bricks needed = bricks_within(graph, "needed", made, reach, reach);
    const ImageHistory open =
        graph.history_image("open", {.format = format_of(OcclusionPrecision::unorm16),
                                     .extent = graph.extent(opacity),
                                     .shape = ImageShape::d3});
    const ChosenBricks chosen{.dirty = made.words,
                              .needed = needed.words,
                              .dirty_dims = made.dims,
                              .needed_dims = needed.dims,
                              .reach = reach,
                              .before = open.previous[0]};
    fill_packed(graph, levels, border, 0, chosen);
    const Image kept = through_packed(
        graph, levels, {.own = own, .growth = growth, .strength = strength, .border = border},
        open.current, chosen);
    // What is kept for the next execution cannot be an output.
    result = graph.copy(
        kept, volume_like(graph, "result", dims, format_of(OcclusionPrecision::unorm16)), "copy");
    dirty = made.words;
}

TUFF_PASS(OcclusionFollowed)

} // namespace tuff::passes
