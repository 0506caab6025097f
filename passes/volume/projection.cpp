#include "passes/volume/projection.hpp"

#include "passes/volume/bricks.hpp"

namespace tuff::passes {

void VolumeProjection::describe(PassInfo<VolumeProjection>& info) {
    info.summary("Shows the greatest, the least or the mean number of a volume along each ray")
        .details(
            "A ray samples the volume where it enters, where it leaves, and in between in equal "
            "steps of at most \"step\"; the mean takes the middles of these steps. Bricks of 8 x 8 "
            "x 8 texels whose numbers cannot change the result are skipped, which changes no bit "
            "of it. NaNs do not count; a ray that finds only NaNs is black.")
        .source("Wallis, Miller, Lerner and Kleerup, \"Three-Dimensional Display in Nuclear "
                "Medicine\", IEEE Transactions on Medical Imaging 8(4), 1989")
        .complexity("O(pixels * steps of a ray)")
        .cost([](const VolumeProjection& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            const Extent extent = graph.extent(pass.source);
            const double pixels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = volume_bytes(graph, pass.source) + 20.0 * pixels,
                        .operations =
                            30.0 * pixels * extent.depth / static_cast<double>(pass.step)};
        });
    describe_sampling(info);
    info.parameter("combine", &VolumeProjection::combine, "how the numbers of a ray are combined")
        .structural();
    describe_view(info);
    info.parameter("skip", &VolumeProjection::skip,
                   "skips bricks that change nothing; changes only the time")
        .structural();
    info.parameter("low", &VolumeProjection::low, "the number that is black");
    info.parameter("high", &VolumeProjection::high, "the number that is white");
    info.parameter("background", &VolumeProjection::background,
                   "linear color and alpha where a ray misses the volume");
    info.output("result", &VolumeProjection::result, "the picture, rgba32_sfloat, linear light");
    info.output("values", &VolumeProjection::values,
                "the numbers themselves, r32_sfloat; 0 where there are none");
}

void VolumeProjection::build(Graph& graph) {
    const auto volume = sampled_volume(graph, source, sampling_parameters(*this));
    if (!volume || !is_window(graph, low, high)) return;
    const auto view_rays = rays_through(graph, *volume, view_parameters(*this), scene);
    if (!view_rays) return;
    const bool skips = skip && !volume->weights && combine != VolumeCombine::mean;
    Buffer ranges;
    if (skips) ranges = brick_ranges(graph, *volume);
    ComputeNodeBuilder node = graph.compute("volume/projection");
    bind_volume(node, *volume);
    view_rays->set(node);
    node.specialize("kCombine", static_cast<std::uint32_t>(combine));
    node.read_optional("ranges", BufferView(ranges), "kSkips");
    node.set("low", low);
    node.set("high", high);
    node.set("background", background);
    const Extent extent{width, height, 1};
    result = node.write("result",
                        graph.image("result", {.format = Format::rgba32_sfloat, .extent = extent}));
    values = node.write("values",
                        graph.image("values", {.format = Format::r32_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(VolumeProjection)

} // namespace tuff::passes
