#include "passes/lights/shadows.hpp"

#include "passes/bvh/cast.hpp"
#include "passes/common/picture.hpp"
#include "passes/lights/view.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/matrix.hpp>

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxChosen = 32; // bits of a texel

Buffer shadow_rays(Graph& graph, const LightShadows& pass, const LightView& view,
                   std::uint32_t light) {
    const Extent extent = graph.extent(pass.depth);
    const std::uint64_t pixels = std::uint64_t{extent.width} * extent.height;
    ComputeNodeBuilder node = graph.compute("lights/shadow_rays", "rays");
    node.match<LightShade>("shades");
    node.match<RayRecord>("rays");
    set_view(node, view);
    node.set("world_from_view", glm::inverse(view.view_from_world));
    node.set("light", light);
    node.set("size", glm::uvec2(extent.width, extent.height));
    node.set("bias", pass.bias);
    node.set("gap", pass.gap);
    node.read("spheres", pass.lights.spheres);
    node.read("shades", pass.lights.shades);
    node.read("depth", ImageView(pass.depth).mip(0), Sampler::nearest());
    node.read("normal", ImageView(pass.normal).mip(0), Sampler::nearest());
    const Buffer rays = node.write("rays", graph.buffer("rays", {.size = pixels * sizeof(RayRecord),
                                                                 .stride = sizeof(RayRecord)}));
    node.dispatch_each(static_cast<std::uint32_t>(pixels));
    return rays;
}

/// The picture of bits with those of one more light.
Image with_bits(Graph& graph, const LightShadows& pass, Buffer hits, Image before,
                std::uint32_t light) {
    ComputeNodeBuilder node = graph.compute("lights/shadow_bits", "bits");
    node.set("light", light);
    node.read("hits", hits);
    node.read_optional("before", before ? ImageView(before).mip(0) : ImageView(before),
                       Sampler::nearest());
    const Image after =
        node.write("hidden", image_like(graph, "hidden", pass.depth, Format::r32_uint));
    node.dispatch_over(graph.extent(pass.depth));
    return after;
}

} // namespace

void LightShadows::describe(PassInfo<LightShadows>& info) {
    info.summary("Finds where the first lights of a list are hidden by a scene's triangles")
        .details("Rays go from what each pixel shows to the middle of each chosen light, so that "
                 "shadows have sharp edges; lights/shade leaves the light out where something is "
                 "between. The chosen lights are those that come first. Rays begin a little before "
                 "surfaces (\"bias\", a share of the distance to the eye), and triangles within "
                 "\"gap\" of a light, a lamp about it for example, hide nothing.")
        .source("Whitted, \"An Improved Illumination Model for Shaded Display\", CACM 23(6), 1980")
        .complexity("O(pixels * chosen lights * log triangles)")
        .cost([](const LightShadows& pass, const Graph& graph) -> Cost {
            if (!pass.hidden) return {};
            const Extent extent = graph.extent(pass.hidden);
            const double texels = static_cast<double>(extent.width) * extent.height;
            return {.bytes = texels * (12.0 + 4.0), .operations = 200.0 * texels * pass.chosen};
        });
    info.input("lights", &LightShadows::lights, "of which the first ones are chosen");
    info.input("bvh", &LightShadows::bvh, "hierarchy of the triangles that hide");
    info.input("depth", &LightShadows::depth, "of the picture: 0 near, 1 nothing").depth_picture();
    info.input("normal", &LightShadows::normal, "where surfaces look, in the world").picture();
    info.optional_input("scene", &LightShadows::scene,
                        "what the camera is placed about, or whose camera it is");
    info.group("camera", &LightShadows::camera);
    info.parameter("chosen", &LightShadows::chosen,
                   "lights that cast shadows, at most all there are")
        .range(1, kMaxChosen)
        .structural();
    info.parameter("bias", &LightShadows::bias,
                   "how far before surfaces rays begin, of the distance to the eye")
        .range(0.0, 1.0);
    info.parameter("gap", &LightShadows::gap, "how far before the light rays end")
        .range(0.0, kFarthestLight)
        .unit("world units");
    info.output("hidden", &LightShadows::hidden,
                "r32_uint: bit i of a texel is set where something is before light i");
}

void LightShadows::build(Graph& graph) {
    if (!is_valid(graph, lights) || !is_valid(graph, bvh, Traversal::automatic) ||
        !same_size(graph, depth, "depth", normal, "normal"))
        return;
    const Extent extent = graph.extent(depth);
    const std::optional<LightView> view =
        light_view(graph, camera, scene, extent.width, extent.height);
    if (!view) return;
    Image bits;
    for (std::uint32_t light = 0; light < std::min(chosen, lights.count); ++light) {
        const Buffer rays = shadow_rays(graph, *this, *view, light);
        const Buffer hits =
            graph.add(CastRays{.bvh = bvh, .rays = rays, .question = RayQuestion::any}, "cast")
                .hits;
        bits = with_bits(graph, *this, hits, bits, light);
    }
    if (!bits) { // no lights: nothing is hidden
        const std::uint64_t pixels = std::uint64_t{extent.width} * extent.height;
        const Buffer none = graph.fill(array(graph, "none", pixels), 0, "no_hits");
        bits = with_bits(graph, *this, none, {}, 0);
    }
    hidden = bits;
}

TUFF_PASS(LightShadows)

} // namespace tuff::passes
