#include "passes/terrain/heights.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>
#include <glm/vec2.hpp>

#include <algorithm>
#include <bit>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxHeights = 16384; // of a side

/// Reports where they are not, or not as many as the map has texels.
bool are_numbers_of(Graph& graph, const MakeHeights& pass) {
    if (!pass.numbers) {
        graph.error("terrain/no-heights", "kind \"numbers\" has no numbers",
                    "connect \"numbers\", or choose another kind");
        return false;
    }
    const std::uint64_t count = graph.desc(pass.numbers).size / sizeof(float);
    const std::uint64_t wanted = std::uint64_t{pass.width} * pass.height;
    if (count == wanted) return true;
    graph.error(
        "terrain/wrong-count",
        fmt::format("{} numbers are no map of {} x {} heights", count, pass.width, pass.height),
        "set \"width\" to the numbers of a row, and \"height\" to the rows");
    return false;
}

} // namespace

void MakeHeights::describe(PassInfo<MakeHeights>& info) {
    info.summary("Makes a map of heights, of a picture, of numbers or by a formula")
        .details("A picture's channel is taken texel by texel, times \"factor\" plus \"offset\": "
                 "PNG of 16 bits, EXR and NPY files come as they are. \"numbers\" takes an array, "
                 "such as a table of elevations, row by row: width * height of them. Heights that "
                 "are not finite become 0. \"fbm\" sums up octaves of noise, and \"ridges\" folds "
                 "them into crests. \"canyon\" is a valley along v that winds through such hills, "
                 "with steps at equal heights: about 0 at the river and 1 above. Factor and offset "
                 "hold for all of them.\n\nErrors: terrain/no-heights, terrain/wrong-count.")
        .source("Perlin, \"Improving Noise\", SIGGRAPH 2002; Musgrave, \"Procedural Fractal "
                "Terrains\", in \"Texturing and Modeling\", 2003")
        .complexity("O(texels * octaves)")
        .cost([](const MakeHeights& pass, const Graph& graph) {
            if (pass.kind == HeightKind::picture)
                return picture_cost(graph, pass.source, pass.result, 2.0);
            const double texels = static_cast<double>(pass.width) * pass.height;
            if (pass.kind == HeightKind::numbers)
                return Cost{.bytes = 8.0 * texels, .operations = 2.0 * texels};
            return Cost{.bytes = 4.0 * texels, .operations = 100.0 * pass.octaves * texels};
        });
    info.optional_input("source", &MakeHeights::source, "of kind \"picture\": heights").picture();
    info.optional_input("numbers", &MakeHeights::numbers, "of kind \"numbers\": heights")
        .elements<float>();
    info.parameter("kind", &MakeHeights::kind, "how the map is made").structural();
    info.parameter("width", &MakeHeights::width, "of the map; of a picture's map, the picture's")
        .range(1, kMaxHeights)
        .unit("texels")
        .structural();
    info.parameter("height", &MakeHeights::height, "of the map, in the same way")
        .range(1, kMaxHeights)
        .unit("texels")
        .structural();
    info.parameter("channel", &MakeHeights::channel, "of the picture: 0 red, 3 alpha").range(0, 3);
    info.parameter("factor", &MakeHeights::factor, "what heights are multiplied by");
    info.parameter("offset", &MakeHeights::offset, "what is added to them then");
    info.parameter("frequency", &MakeHeights::frequency, "cells of the first octave along a side")
        .range(0.01, 4096.0);
    info.parameter("octaves", &MakeHeights::octaves,
                   "of noise, each of twice the frequency of the one before")
        .range(1, 16);
    info.parameter("gain", &MakeHeights::gain, "height of an octave over the one before")
        .range(0.0, 1.0);
    info.parameter("ridges", &MakeHeights::ridges, "0 hills, 1 sharp crests between valleys")
        .range(0.0, 1.0);
    info.parameter("seed", &MakeHeights::seed, "another map").range(0, 65535);
    info.parameter("depth", &MakeHeights::depth, "canyon: how far down it is cut").range(0.0, 1.0);
    info.parameter("breadth", &MakeHeights::breadth, "canyon: of its floor")
        .range(0.001, 0.5)
        .unit("shares of the side");
    info.parameter("terraces", &MakeHeights::terraces, "canyon: steps of its walls; 0: smooth")
        .range(0, 64);
    info.output("result", &MakeHeights::result, "r32_sfloat");
}

void MakeHeights::build(Graph& graph) {
    if (kind == HeightKind::picture && !source) {
        graph.error("terrain/no-heights", "kind \"picture\" has no picture",
                    "connect \"source\", or choose another kind");
        return;
    }
    if (kind == HeightKind::numbers && !are_numbers_of(graph, *this)) return;
    const Extent extent =
        kind == HeightKind::picture ? graph.extent(source) : Extent{width, height, 1};
    ComputeNodeBuilder node = graph.compute("terrain/heights");
    node.specialize("kind", static_cast<std::uint32_t>(kind));
    node.read_optional("source", kind == HeightKind::picture ? source : Image{},
                       Sampler::nearest());
    node.read_optional("numbers", kind == HeightKind::numbers ? numbers : Buffer{});
    node.set("size", glm::uvec2(extent.width, extent.height));
    node.set("channel", channel);
    node.set("factor", factor);
    node.set("offset", offset);
    node.set("frequency", frequency);
    node.set("octaves", octaves);
    node.set("gain", gain);
    node.set("ridges", ridges);
    node.set("seed", seed);
    node.set("depth", depth);
    node.set("breadth", breadth);
    node.set("terraces", terraces);
    result = node.write("result",
                        graph.image("result", {.format = Format::r32_sfloat, .extent = extent}));
    node.dispatch_over(extent);
}

TUFF_PASS(MakeHeights)

void HeightBounds::describe(PassInfo<HeightBounds>& info) {
    info.summary("Finds the least and the greatest height of every part of a map")
        .details("For culling and for distances to the ground. A texel of mip m bounds the ground "
                 "over 2^m x 2^m squares between four neighbouring heights, interpolated; there "
                 "are as many texels as the next power of two. A height that is not finite counts "
                 "as 0. A side of one texel has one square.")
        .source("Tevs, Ihrke and Seidel, \"Maximum Mipmaps for Fast, Accurate, and Scalable "
                "Dynamic Height Field Rendering\", I3D 2008")
        .complexity("O(texels)")
        .cost([](const HeightBounds& pass, const Graph& graph) {
            const Extent from = graph.extent(pass.heights);
            const Extent to = graph.extent(pass.bounds);
            return Cost{.bytes =
                            4.0 * from.width * from.height + 8.0 * 5.0 / 3.0 * to.width * to.height,
                        .operations = 8.0 * to.width * to.height};
        });
    info.input("heights", &HeightBounds::heights, "heights in the first channel").picture();
    info.output("bounds", &HeightBounds::bounds,
                "rg32_sfloat with mips: least height, greatest height");
}

void HeightBounds::build(Graph& graph) {
    const Extent from = graph.extent(heights);
    const auto cells = [](std::uint32_t texels) { return std::bit_ceil(std::max(texels, 2u) - 1); };
    const Extent extent{cells(from.width), cells(from.height), 1};
    const std::uint32_t mips =
        static_cast<std::uint32_t>(std::bit_width(std::max(extent.width, extent.height)));
    Image made =
        graph.image("bounds", {.format = Format::rg32_sfloat, .extent = extent, .mips = mips});
    for (std::uint32_t level = 0; level < mips; ++level) {
        ComputeNodeBuilder node = graph.compute("terrain/bounds", {{"FIRST", level == 0 ? 1 : 0}},
                                                fmt::format("level_{}", level));
        node.read("source", level == 0 ? ImageView(heights) : mip(made, level - 1),
                  Sampler::nearest());
        const Extent size{std::max(extent.width >> level, 1u), std::max(extent.height >> level, 1u),
                          1};
        node.set("size", glm::uvec2(size.width, size.height));
        made = node.write("result", mip(made, level));
        node.dispatch_over(size);
    }
    bounds = made;
}

TUFF_PASS(HeightBounds)

} // namespace tuff::passes
