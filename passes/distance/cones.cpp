#include "passes/distance/cones.hpp"

#include "passes/common/picture.hpp"
#include "passes/distance/contour.hpp"
#include "passes/distance/site_field.hpp"

#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tuff::passes {
namespace {

constexpr SeedLimits kConeLimits{.side = kMaxDrawnSide};
constexpr std::uint32_t kMinSegments = 8;
constexpr std::uint32_t kMaxSegments = 1024;

/// The colours and depths that cones are drawn over.
struct ConePicture {
    Image sites;
    Image depth;
};

ConePicture begin_cones(Graph& graph, Image seed) {
    RasterNodeBuilder node = graph.raster("distance/cones_start", "start");
    ConePicture picture;
    picture.sites = node.color(like_seed(graph, "sites", seed, Format::r32_uint), discarded());
    picture.depth = node.depth(like_seed(graph, "depth", seed, Format::d32_sfloat), cleared(1.0f));
    node.state().depth_compare = CompareOp::always;
    node.read("seed", seed, Sampler::nearest());
    node.draw({.count = 3});
    return picture;
}

MadeField draw_cones(Graph& graph, const DistanceCones& pass, Image seed) {
    const std::optional<Contour> contour = find_contour(graph, seed);
    if (!contour) return {};
    const Extent size = graph.extent(seed);
    // What lies on the rim is not in front of the far plane.
    const float reach = reach_of(size, pass.clamp) + 1.0f;
    const std::uint32_t segments = pass.segments == 0 ? cone_segments(reach) : pass.segments;
    const Buffer arguments = draw_each(graph, *contour, 3 * segments);
    ConePicture picture = begin_cones(graph, seed);

    RasterNodeBuilder node = graph.raster("distance/cones", "cones");
    picture.sites = node.color(picture.sites, loaded());
    picture.depth = node.depth(picture.depth, loaded());
    node.set("size", glm::ivec2(size.width, size.height));
    node.set("radius", reach);
    node.set("segments", segments);
    node.read("contour", contour->texels);
    node.draw_indirect(arguments, 0, 1);
    return site_field(graph, seed, picture.sites, 1, pass.clamp);
}

} // namespace

std::uint32_t cone_segments(float reach) {
    // A facet is at most reach * (1 / cos(pi / n) - 1) off, and that is about reach * pi^2 / 2n^2.
    const float wanted = std::ceil(std::numbers::pi_v<float> * std::sqrt(reach));
    return std::clamp(static_cast<std::uint32_t>(wanted), kMinSegments, kMaxSegments);
}

void DistanceCones::describe(PassInfo<DistanceCones>& info) {
    info.summary("Finds the nearest objects by drawing a cone for each object into a depth buffer")
        .details(
            "Use it for few objects, or with a small clamp: the time grows with the number of "
            "objects times the texels within reach. Seen from above, the cones of all objects form "
            "a Voronoi diagram: the nearest object is in front. Only objects beside the background "
            "are drawn. A cone has flat sides, so an object that is farther by a share of up to 1 "
            "/ cos(pi / segments) - 1 may win; the default number of segments limits this to half "
            "a texel at the farthest distance. Rounding of the vertices adds a sixteenth of a "
            "texel. Distances are those to the winning site, as integers. Pictures may have 2,896 "
            "texels along a side. "
            "Where no object is within reach the field is the clamp's square, or 2^31 - 1 "
            "without a clamp, and the site 2^32 - 1: everywhere in an empty seed, and in the "
            "second channel of a seed of objects alone; warnings report both "
            "(distance/empty-seed, distance/full-seed). Nothing "
            "lies outside the picture: distance/erosion and distance/grassfire have other borders.")
        .source("Hoff, Culver, Keyser, Lin and Manocha, \"Fast Computation of Generalized Voronoi "
                "Diagrams Using Graphics Hardware\", SIGGRAPH 1999; Rideout, \"2D Distance Field "
                "Generation with the GPU\", OpenGL Insights, 2012")
        .complexity("O(objects at contours * texels within reach)")
        .cost([](const DistanceCones& pass, const Graph& graph) {
            return picture_cost(graph, pass.seed, pass.field, 8.0);
        });
    info.input("seed", &DistanceCones::seed, "not 0: an object; see distance/seed");
    info.parameter("clamp", &DistanceCones::clamp,
                   "largest distance; 0: as large as the picture needs")
        .range(0, kMaxFieldSide)
        .unit("texels")
        .structural();
    info.parameter("segments", &DistanceCones::segments,
                   "sides of a cone; 0: as many as half a texel of error needs")
        .range(0, kMaxSegments)
        .structural();
    info.parameter("channels", &DistanceCones::channels,
                   "distances to objects only, or also to the background")
        .structural();
    info.output("field", &DistanceCones::field, "squared distance in texels, r32_uint");
    info.output("site", &DistanceCones::site,
                "position of that object, r32_uint: x | y << 16; 2^32 - 1 where no object is near "
                "enough");
    info.output("status", &DistanceCones::status, "counts, passes and codes")
        .elements<DistanceStatus>();
}

void DistanceCones::build(Graph& graph) {
    if (!is_seed(graph, seed, kConeLimits)) return;
    if (segments != 0 && !in_range(graph, "segments", segments, 3, kMaxSegments)) return;
    const MadeField made =
        in_channels(graph, channels, seed, FieldBorder::background,
                    [&](Image one, FieldBorder) { return draw_cones(graph, *this, one); });
    field = made.field;
    site = made.site;
    status = made.status;
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(DistanceCones)

} // namespace tuff::passes
