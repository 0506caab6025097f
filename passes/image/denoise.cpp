#include "passes/image/denoise.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void Denoise::describe(PassInfo<Denoise>& info) {
    info.summary("Removes the noise of a path-traced picture and keeps the edges")
        .details(
            "Each round takes a weighted mean over 5 x 5 texels, which lie 1, 2, 4, ... texels "
            "apart: weights (1 4 6 4 1) / 16 in each direction, times exp(-d^2 / sigma^2) for the "
            "differences d of color, albedo and normal from the center texel. The sigma of colors "
            "is halved each round. With \"albedo\" colors are divided by it before filtering, so "
            "textures stay sharp. With \"normal\" the edges of surfaces stay sharp. "
            "scene/mesh_raster gives both without noise. Texels that are not finite have no weight "
            "and are filled from their neighbours. Alpha is copied.")
        .source("Dammertz, Sewtz, Hanika and Lensch, \"Edge-Avoiding A-Trous Wavelet Transform for "
                "fast Global Illumination Filtering\", HPG 2010")
        .complexity("O(texels * rounds)")
        .cost([](const Denoise& pass, const Graph& graph) {
            Cost cost = picture_cost(graph, pass.source, pass.result, 600.0 * pass.rounds);
            cost.bytes *=
                pass.rounds * (1.0 + (pass.albedo ? 0.5 : 0.0) + (pass.normal ? 0.5 : 0.0));
            return cost;
        });
    info.input("source", &Denoise::source, "the noisy picture, linear").picture();
    info.optional_input("albedo", &Denoise::albedo, "colors of the surfaces, linear").picture();
    info.optional_input("normal", &Denoise::normal, "unit normals of the surfaces").picture();
    info.parameter("rounds", &Denoise::rounds,
                   "number of rounds; the last one reaches 2^rounds texels")
        .range(1, kMaxRounds)
        .structural();
    info.parameter("color", &Denoise::color, "sigma of colors in the first round").range(1e-3, 1e6);
    info.parameter("surface", &Denoise::surface, "sigma of albedos").range(1e-3, 1e3);
    info.parameter("direction", &Denoise::direction, "sigma of normals").range(1e-3, 1e3);
    info.parameter("format", &Denoise::format, "format of the result").structural();
    info.output("result", &Denoise::result, "the picture without the noise");
}

void Denoise::build(Graph& graph) {
    bool valid = true;
    if (albedo) valid &= same_size(graph, source, "source", albedo, "albedo");
    if (normal) valid &= same_size(graph, source, "source", normal, "normal");
    if (!valid) return;
    result = source;
    for (int round = 0; round < rounds; ++round) {
        const bool last = round + 1 == rounds;
        const float sigma = color / static_cast<float>(1 << round);
        ComputeNodeBuilder node = graph.compute("image/denoise", fmt::format("round{}", round));
        node.specialize("kFirst", std::uint32_t(round == 0));
        node.specialize("kLast", std::uint32_t(last));
        node.set("step", 1 << round);
        node.set("color", 1.0f / (sigma * sigma));
        node.set("albedo", 1.0f / (surface * surface));
        node.set("normal", 1.0f / (direction * direction));
        node.read("source", ImageView(result).mip(0));
        node.read_optional("albedo", ImageView(albedo).mip(0));
        node.read_optional("normal", ImageView(normal).mip(0));
        const Format stored =
            last ? result_format(graph.desc(source).format, format) : Format::rgba32_sfloat;
        result = node.write("result", image_like(graph, last ? "result" : "light", source, stored));
        node.dispatch_over(graph.extent(source));
    }
}

TUFF_PASS(Denoise)

} // namespace tuff::passes
