#include "passes/distance/signed.hpp"

#include "passes/distance/exact.hpp"

namespace tuff::passes {

Format signed_format(SignedStorage storage) {
    return storage == SignedStorage::r16_sfloat ? Format::r16_sfloat : Format::r32_sfloat;
}

void SignedDistance::describe(PassInfo<SignedDistance>& info) {
    info.summary("Measures exact distances to the contour of objects, negative inside")
        .details(
            "The field is sqrt(R) - sqrt(G), with the squared distances R to the nearest object "
            "and G to the nearest background texel from distance/exact. Distances are between "
            "texel centers, so the field steps from 1 to -1 across the contour. \"half_pixel\" "
            "puts the contour halfway between the texels of both sides: sqrt(R) - 0.5 outside, 0.5 "
            "- sqrt(G) inside, which has the slope 1 everywhere.\n\nThe gradient is the unit "
            "vector away from the nearest object or, inside objects, towards the nearest "
            "background texel, between texel centers. It is computed only if it is used. Without "
            "any object the distance is 46,341, without background -46,341, and the gradient is 0; "
            "a warning reports it. Pictures may have 16,384 texels along a side, volumes 512.")
        .source("Rideout, \"2D Distance Field Generation with the GPU\", OpenGL Insights, 2012")
        .complexity("O(texels)")
        .cost([](const SignedDistance& pass, const Graph& graph) -> Cost {
            if (!pass.seed || !pass.field) return {};
            const ImageDesc& desc = graph.desc(pass.seed);
            const double texels =
                static_cast<double>(desc.extent.width) * desc.extent.height * desc.extent.depth;
            const double bytes = tuff::info(desc.format).texel_bytes +
                                 tuff::info(graph.desc(pass.field).format).texel_bytes;
            return {.bytes = texels * bytes, .operations = 40.0 * texels};
        });
    info.input("seed", &SignedDistance::seed, "a picture or volume of integers; not 0: an object");
    info.parameter("half_pixel", &SignedDistance::half_pixel,
                   "puts the contour between the texels of both sides");
    info.parameter("storage", &SignedDistance::storage, "format of the field").structural();
    info.output("field", &SignedDistance::field, "signed distance in texels");
    info.output("gradient", &SignedDistance::gradient,
                "unit vectors: rg32_sfloat, or for volumes rgba32_sfloat with 0 in alpha");
    info.output("status", &SignedDistance::status, "a DistanceStatus of the seed")
        .elements<DistanceStatus>();
}

void SignedDistance::build(Graph& graph) {
    if (!is_seed(graph, seed, kExactLimits)) return;
    const ImageDesc& desc = graph.desc(seed);
    const bool volume = desc.shape == ImageShape::d3;
    const ExactDistance outside =
        graph.add(ExactDistance{.seed = seed, .to = DistanceTo::objects}, "outside");
    const ExactDistance inside =
        graph.add(ExactDistance{.seed = seed, .to = DistanceTo::background}, "inside");
    const auto image = [&](std::string_view name, Format format) {
        return graph.image(name, {.format = format, .extent = desc.extent, .shape = desc.shape});
    };

    ComputeNodeBuilder node = graph.compute("distance/signed", {{"VOLUME", volume}}, "join");
    node.set("shift", half_pixel ? 0.5f : 0.0f);
    node.read("outside", outside.field, Sampler::nearest());
    node.read("inside", inside.field, Sampler::nearest());
    field = node.write("field", image("field", signed_format(storage)));
    node.dispatch_over(desc.extent);

    ComputeNodeBuilder slope = graph.compute("distance/gradient", {{"VOLUME", volume}});
    slope.read("to_object", outside.site, Sampler::nearest());
    slope.read("to_background", inside.site, Sampler::nearest());
    gradient = slope.write("gradient",
                           image("gradient", volume ? Format::rgba32_sfloat : Format::rg32_sfloat));
    slope.dispatch_over(desc.extent);
    status = outside.status;
}

TUFF_PASS(SignedDistance)

} // namespace tuff::passes
