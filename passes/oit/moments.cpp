#include "passes/oit/moments.hpp"

#include "passes/oit/capture.hpp"
#include "passes/oit/single_sample.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

struct MomentSum {
    Image powers;
    Image high_powers; ///< of six and eight moments
    Image optical;
};

ShaderVariant variant_of(const MomentTransparency& pass) {
    constexpr std::array<std::uint32_t, 3> kMoments{4, 6, 8};
    return {{"MOMENTS", kMoments[static_cast<std::size_t>(pass.powers)]}};
}

/// A node that adds up what its kernel makes of all that blends.
RasterNodeBuilder draw_sums(Graph& graph, const MomentTransparency& pass, std::string_view kernel) {
    RasterNodeBuilder node = graph.raster(kernel, variant_of(pass));
    node.depth_test_only(pass.view.depth);
    node.state().depth_write = false;
    node.state().blend = {.source_color = BlendFactor::one,
                          .destination_color = BlendFactor::one,
                          .source_alpha = BlendFactor::one,
                          .destination_alpha = BlendFactor::one};
    node.set("warp", moment_warp(pass.view.view_projection, pass.depths));
    return node;
}

Image float_sums(Graph& graph, const MomentTransparency& pass, RasterNodeBuilder& node,
                 std::string_view name, Format format, float alpha) {
    return node.blended_color(like_view(graph, pass.view, name, format), cleared(0, 0, 0, alpha));
}

MomentSum sum_moments(Graph& graph, const MomentTransparency& pass) {
    RasterNodeBuilder node = draw_sums(graph, pass, "oit/moments");
    MomentSum sum;
    sum.powers = float_sums(graph, pass, node, "powers", Format::rgba32_sfloat, 0);
    sum.optical = float_sums(graph, pass, node, "optical", Format::r32_sfloat, 0);
    if (pass.powers != MomentPowers::four)
        sum.high_powers = float_sums(graph, pass, node, "high_powers", Format::rgba32_sfloat, 0);
    draw_blended_alpha(graph, node, pass.scene, pass.view);
    return sum;
}

Image by_blending(Graph& graph, const MomentTransparency& pass, Image result) {
    const MomentSum sum = sum_moments(graph, pass);
    RasterNodeBuilder node = draw_sums(graph, pass, "oit/moments_light");
    node.state().blend.source_alpha = BlendFactor::zero;
    node.state().blend.destination_alpha = BlendFactor::one_minus_source_alpha;
    node.set("share", pass.overestimation);
    const Image colors = float_sums(graph, pass, node, "colors", Format::rgba32_sfloat, 1);
    const Image weights = float_sums(graph, pass, node, "weights", Format::r32_sfloat, 0);
    node.read("powers", sum.powers, Sampler::nearest());
    node.read("optical", sum.optical, Sampler::nearest());
    if (sum.high_powers) node.read("high_powers", sum.high_powers, Sampler::nearest());
    draw_blended(graph, node, pass.scene, pass.view);

    ComputeNodeBuilder blend = graph.compute("oit/weighted_blend", "blend");
    blend.read("background", pass.view.color, Sampler::nearest());
    blend.read("colors", colors, Sampler::nearest());
    blend.read("weights", weights, Sampler::nearest());
    result = blend.write("result", result);
    blend.dispatch_over(graph.extent(pass.view.color));
    return result;
}

Image by_lists(Graph& graph, const MomentTransparency& pass, Image result) {
    OitCapture capture{.scene = pass.scene, .view = pass.view};
    capture.pool.layers = pass.layers;
    capture.pool.packing = FragmentPacking::hdr;
    const FragmentLists lists = graph.add(capture).lists;
    if (!lists) return result;
    ComputeNodeBuilder node = graph.compute("oit/moments_lists", variant_of(pass), "blend");
    bind_lists(node, lists);
    node.set("warp", moment_warp(pass.view.view_projection, pass.depths));
    node.set("size", lists.area.size);
    node.set("share", pass.overestimation);
    node.read("background", pass.view.color, Sampler::nearest());
    result = node.write("result", result);
    node.dispatch_over(graph.extent(pass.view.color));
    return result;
}

bool can_be_summed(Graph& graph, const MomentTransparency& pass) {
    if (!is_single_sample(graph, pass.view)) return false;
    if (!(pass.depths.x < pass.depths.y)) {
        graph.error("pass/out-of-range",
                    fmt::format("\"depths\" reaches from {} to {}, which is not a range",
                                pass.depths.x, pass.depths.y));
        return false;
    }
    if (pass.sums == MomentSums::blending && !graph.target().float32_blending) {
        graph.error("oit/no-blending", "the device cannot blend onto 32-bit floats",
                    "set \"sums\" to \"automatic\" or \"lists\"");
        return false;
    }
    return true;
}

} // namespace

glm::vec4 moment_warp(const glm::mat4& view_projection, glm::vec2 depths) {
    const auto row = [&](int i) {
        return glm::dvec4(view_projection[0][i], view_projection[1][i], view_projection[2][i],
                          view_projection[3][i]);
    };
    // Along the view both clip z and w are linear: z = a w + b, so that depth z / w = a + b / w.
    const glm::dvec4 z = row(2);
    const glm::dvec4 w = row(3);
    const double along = glm::dot(glm::dvec3(w), glm::dvec3(w));
    if (along == 0.0) return {depths.x, 1.0f, 2.0f / (depths.y - depths.x), 0.0f};
    const double a = glm::dot(glm::dvec3(z), glm::dvec3(w)) / along;
    const double nearest = static_cast<double>(depths.x) - a;
    // 0 infinitely far away, where there is no logarithm: 32-bit depths end before.
    const double farthest = std::min(static_cast<double>(depths.y) - a, -1e-7);
    return {a, nearest, 2.0 / std::log(nearest / farthest), 1.0};
}

void MomentTransparency::describe(PassInfo<MomentTransparency>& info) {
    info.summary("Blends transparent surfaces by moments of their optical depth (moment-based OIT)")
        .details(
            "All blended materials are drawn twice. The first drawing sums for each pixel the "
            "optical depths -log(1 - alpha) of its fragments, and their products with the depth, "
            "its square, cube and fourth power. These moments give bounds on the optical depth in "
            "front of any depth. The second drawing weights each fragment's color by a "
            "transmittance between these bounds: \"overestimation\" 0 takes the least optical "
            "depth in front of it, 1 the most. The transmittance of the background is exact, and "
            "so are pixels with one layer. With \"overestimation\" 0, up to three layers that are "
            "not close together are exact too. Many layers are smoothed: there is no wrong order, "
            "and colors of close layers mix. \"powers\" six or eight sum higher powers, which "
            "separate four or five layers and smooth less. Their rounding needs a bias 10 and 100 "
            "times that of four, so layers closer than a hundredth of the depth range mix.\n\n"
            "Depths count as the logarithm of the distance from the eye, or linearly in a parallel "
            "projection. The narrower the range \"depths\" around the depths that occur, the "
            "better. Optical depths are clamped to 10. The sums are blended as 32-bit floats, 40 "
            "or 56 bytes a pixel for any number of layers. On devices that cannot blend them, "
            "oit/capture captures the fragments, with room for \"layers\" a pixel on average, and "
            "a kernel sums them. All materials are blended with \"over\". The pass supports one "
            "sample a pixel.")
        .source("Muenstermann, Krumpen, Klein and Peters, \"Moment-Based Order-Independent "
                "Transparency\", Proceedings of the ACM on Computer Graphics and Interactive "
                "Techniques 1(1), 2018")
        .complexity("O(triangles + fragments)");
    info.input("scene", &MomentTransparency::scene, "the scene whose blended draws are drawn");
    info.input("view", &MomentTransparency::view,
               "the view of scene/mesh_raster with one sample, which leaves out blended materials");
    info.parameter("overestimation", &MomentTransparency::overestimation,
                   "where the optical depth is taken between its bounds")
        .range(0.0, 1.0);
    info.parameter("depths", &MomentTransparency::depths,
                   "nearest and farthest clip-space depth that occurs")
        .range(0.0, 1.0);
    info.parameter("powers", &MomentTransparency::powers, "powers of depths that are summed up")
        .structural();
    info.parameter("sums", &MomentTransparency::sums, "how moments are summed up").structural();
    info.parameter("layers", &MomentTransparency::layers,
                   "\"lists\": average number of transparent layers of a pixel")
        .range(0.0, 1024.0)
        .structural();
    info.parameter("format", &MomentTransparency::format, "format of the result").structural();
    info.output("color", &MomentTransparency::color, "the picture with the transparent surfaces");
}

void MomentTransparency::build(Graph& graph) {
    const Format like = view.color ? graph.desc(view.color).format : Format::rgba16_sfloat;
    color = like_view(graph, view, "color", result_format(like, format));
    if (!can_be_summed(graph, *this)) return;
    const bool blends = sums == MomentSums::blending ||
                        (sums == MomentSums::automatic && graph.target().float32_blending);
    color = blends ? by_blending(graph, *this, color) : by_lists(graph, *this, color);
}

TUFF_PASS(MomentTransparency)

} // namespace tuff::passes
