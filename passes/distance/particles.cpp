#include "passes/common/picture.hpp"
#include "passes/distance/cones.hpp"
#include "passes/distance/contour.hpp"
#include "passes/distance/site_field.hpp"

#include <glm/vec2.hpp>

namespace tuff::passes {
namespace {

constexpr SeedLimits kParticleLimits{.side = kMaxDrawnSide};
constexpr std::uint32_t kSquareCorners = 4;

Image begin_particles(Graph& graph, Image seed, std::uint32_t most) {
    RasterNodeBuilder node = graph.raster("distance/particles_start", "start");
    const Image squared =
        node.color(like_seed(graph, "squared", seed, Format::r32_sfloat), discarded());
    node.set("most", static_cast<float>(most));
    node.read("seed", seed, Sampler::nearest());
    node.draw({.count = 3});
    return squared;
}

MadeField blend_particles(Graph& graph, const DistanceParticles& pass, Image seed) {
    const std::optional<Contour> contour = find_contour(graph, seed);
    if (!contour) return {};
    const Extent size = graph.extent(seed);
    const std::uint32_t most = pass.clamp == 0 ? kUnreached32 : pass.clamp * pass.clamp;
    const Buffer arguments = draw_each(graph, *contour, kSquareCorners);

    RasterNodeBuilder node = graph.raster("distance/particles", "particles");
    node.state().topology = Topology::triangle_strip;
    node.state().depth_test = false;
    node.state().depth_write = false;
    node.state().blend = {.source_color = BlendFactor::one,
                          .destination_color = BlendFactor::one,
                          .color_op = BlendOp::min,
                          .source_alpha = BlendFactor::one,
                          .destination_alpha = BlendFactor::one,
                          .alpha_op = BlendOp::min};
    const Image squared = node.blended_color(begin_particles(graph, seed, most), loaded());
    node.set("size", glm::ivec2(size.width, size.height));
    node.set("radius", reach_of(size, pass.clamp));
    node.read("contour", contour->texels);
    node.draw_indirect(arguments, 0, 1);

    ComputeNodeBuilder end = graph.compute("distance/particles_end", "distances");
    end.set("most", most);
    end.read("squared", squared, Sampler::nearest());
    MadeField made;
    made.field = end.write("field", like_seed(graph, "field", seed, Format::r32_uint));
    made.status = end.write("status", count_seed(graph, seed));
    end.dispatch_over(size);
    return made;
}

} // namespace

void DistanceParticles::describe(PassInfo<DistanceParticles>& info) {
    info.summary("Measures squared Euclidean distances by blending a square for each object")
        .details(
            "Use it for few objects, or with a small clamp: the time grows with the number of "
            "objects times the texels within reach. Each object draws the squared distance to "
            "itself into a square as wide as distances reach, and blending keeps the least. The "
            "result is exact, because floats of 32 bits hold integers below 2^24. Only objects "
            "beside the background are drawn. Pictures may have 2,896 texels along a side. "
            "Where no object is within reach the field is the clamp's square, or 2^31 - 1 "
            "without a clamp: everywhere in an empty seed, and in the "
            "second channel of a seed of objects alone; warnings report both "
            "(distance/empty-seed, distance/full-seed). Nothing "
            "lies outside the picture: distance/erosion and distance/grassfire have other borders.")
        .source("Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012")
        .complexity("O(objects at contours * texels within reach)")
        .cost([](const DistanceParticles& pass, const Graph& graph) {
            return picture_cost(graph, pass.seed, pass.field, 8.0);
        });
    info.input("seed", &DistanceParticles::seed, "not 0: an object; see distance/seed");
    info.parameter("clamp", &DistanceParticles::clamp,
                   "largest distance; 0: as large as the picture needs")
        .range(0, kMaxFieldSide)
        .unit("texels")
        .structural();
    info.parameter("channels", &DistanceParticles::channels,
                   "distances to objects only, or also to the background")
        .structural();
    info.output("field", &DistanceParticles::field, "squared distance in texels, r32_uint");
    info.output("status", &DistanceParticles::status, "counts, passes and codes")
        .elements<DistanceStatus>();
}

void DistanceParticles::build(Graph& graph) {
    if (!is_seed(graph, seed, kParticleLimits)) return;
    const MadeField made =
        in_channels(graph, channels, seed, FieldBorder::background,
                    [&](Image one, FieldBorder) { return blend_particles(graph, *this, one); });
    field = made.field;
    status = made.status;
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(DistanceParticles)

} // namespace tuff::passes
