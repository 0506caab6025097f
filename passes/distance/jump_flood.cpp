#include "passes/distance/jump_flood.hpp"

#include "passes/distance/site_field.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace tuff::passes {
namespace {

constexpr SeedLimits kJumpLimits{.side = kMaxFieldSide, .volume_side = 1024};

std::vector<std::int32_t> jumps_over(std::uint32_t side, JumpVariant variant) {
    std::vector<std::int32_t> jumps;
    if (variant == JumpVariant::one_plus_jfa) jumps.push_back(1);
    for (std::uint32_t jump = std::bit_ceil(side) / 2; jump > 0; jump /= 2)
        jumps.push_back(static_cast<std::int32_t>(jump));
    if (variant == JumpVariant::jfa_plus_2) jumps.push_back(2);
    if (variant == JumpVariant::jfa_plus_1 || variant == JumpVariant::jfa_plus_2)
        jumps.push_back(1);
    return jumps;
}

Image first_sites(Graph& graph, Image seed, const ShaderVariant& shape) {
    ComputeNodeBuilder node = graph.compute("distance/jump_start", shape, "start");
    node.read("seed", ImageView(seed).mip(0), Sampler::nearest());
    const Image sites = node.write("sites", like_seed(graph, "sites", seed, Format::r32_uint));
    node.dispatch_over(graph.extent(seed));
    return sites;
}

MadeField flood(Graph& graph, Image seed, JumpVariant variant) {
    const Extent size = graph.extent(seed);
    const ShaderVariant shape{{"VOLUME", graph.desc(seed).shape == ImageShape::d3}};
    const std::vector<std::int32_t> jumps =
        jumps_over(std::max({size.width, size.height, size.depth}), variant);
    const auto count = static_cast<std::uint32_t>(jumps.size());
    const Image sites = graph.repeat(
        "flood", count, first_sites(graph, seed, shape), [&](Image before, std::uint32_t i) {
            ComputeNodeBuilder node = graph.compute("distance/jump_flood", shape, "jump");
            node.set("jump", jumps[i]);
            node.read("before", before, Sampler::nearest());
            const Image after =
                node.write("after", like_seed(graph, "sites", seed, Format::r32_uint));
            node.dispatch_over(size);
            return after;
        });
    return site_field(graph, seed, sites, count);
}

} // namespace

void JumpFlood::describe(PassInfo<JumpFlood>& info) {
    info.summary("Measures approximate squared distances to the nearest object in few passes, and "
                 "finds it")
        .details(
            "Each texel reads the sites of texels half the picture away, then a quarter, and so on "
            "down to one. A few texels miss their nearest object and get one that is slightly "
            "farther: with random objects at most 0.2 % of the texels, by less than two texels. "
            "With more steps of small jumps, or one before the others, fewer texels are wrong, by "
            "less than one texel. distance/exact is exact.\n\nWithout any object, the field holds "
            "2^31 - 1 and the site 2^32 - 1, and a warning reports it (distance/empty-seed). In a "
            "seed of objects alone the field is 0, and 2^31 - 1 in the second channel "
            "(distance/full-seed). Volumes may have 1,024 texels along a side. Nothing "
            "lies outside the picture: distance/erosion and distance/grassfire have other borders.")
        .source("Rong and Tan, \"Jump Flooding in GPU with Applications to Voronoi Diagram and "
                "Distance Transform\", I3D 2006; Rong and Tan, \"Variants of Jump Flooding "
                "Algorithm for Computing Discrete Voronoi Diagrams\", ISVD 2007")
        .complexity("O(texels * log(side))")
        .cost([](const JumpFlood& pass, const Graph& graph) -> Cost {
            if (!pass.seed || !pass.field) return {};
            const ImageDesc& desc = graph.desc(pass.seed);
            const double texels =
                static_cast<double>(desc.extent.width) * desc.extent.height * desc.extent.depth;
            return {.bytes = texels * (tuff::info(desc.format).texel_bytes + 8.0),
                    .operations = 20.0 * texels};
        });
    info.input("seed", &JumpFlood::seed, "a picture or volume of integers; not 0: an object");
    info.parameter("variant", &JumpFlood::variant, "extra steps beside the halving jumps")
        .structural();
    info.parameter("channels", &JumpFlood::channels,
                   "distances to objects only, or also to the background")
        .structural();
    info.output("field", &JumpFlood::field, "squared distance in texels, r32_uint");
    info.output("site", &JumpFlood::site,
                "position of that object, r32_uint: x | y << 16; in volumes x | y << 10 | z << 20");
    info.output("status", &JumpFlood::status, "counts, passes and codes")
        .elements<DistanceStatus>();
}

void JumpFlood::build(Graph& graph) {
    if (!is_seed(graph, seed, kJumpLimits)) return;
    const MadeField made =
        in_channels(graph, channels, seed, FieldBorder::background,
                    [&](Image one, FieldBorder) { return flood(graph, one, variant); });
    field = made.field;
    site = made.site;
    status = made.status;
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(JumpFlood)

} // namespace tuff::passes
