#include "passes/jpeg/shown.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <array>
#include <string_view>

namespace tuff::passes::jpeg {
namespace {

/// Of a row, by an invocation of jpeg/decode_color.
constexpr std::uint32_t kPixelsEach = 4;

SamplePlane show_component(Graph& graph, const EncodeShape& shape, const FileHeader& header,
                           Buffer coefficients, std::uint32_t component) {
    const ChromaSize parts = component == 0 ? shape.chroma : ChromaSize{};
    const Divisors& chosen = component == 0 ? header.luma : *header.chroma;
    const std::vector<std::int32_t> divisors(chosen.begin(), chosen.end());
    const std::uint32_t count = shape.units * parts.across * parts.down;
    ComputeNodeBuilder node = graph.compute("jpeg/encode_shown");
    node.specialize("components", shape.grey ? 1u : 3u);
    node.specialize("across", shape.chroma.across);
    node.specialize("down", shape.chroma.down);
    node.set("component", component);
    node.set("units_across", shape.units_across);
    node.set("blocks", count);
    node.read("coefficients", coefficients);
    node.read("divisors", constant_array(graph, "divisors", divisors));
    SamplePlane plane{
        .words = node.write("samples", array(graph, "samples", std::uint64_t{count} * 16)),
        .row_words = 2 * shape.units_across * parts.across,
        .ratio = {shape.chroma.across / parts.across, shape.chroma.down / parts.down}};
    node.dispatch_each(kBlockSide * std::uint64_t{count});
    return plane;
}

} // namespace

Image colors_of(Graph& graph, const Extent& extent, const std::vector<SamplePlane>& planes,
                DecodeColors colors, JpegUpsampling upsampling) {
    glm::uvec4 row_words(0), widths(1), heights(1);
    ComputeNodeBuilder node = graph.compute("jpeg/decode_color");
    constexpr std::array<std::string_view, 3> kAcross{"luma_across", "blue_across", "red_across"};
    constexpr std::array<std::string_view, 3> kDown{"luma_down", "blue_down", "red_down"};
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const auto c = static_cast<glm::length_t>(i);
        const ChromaSize ratio = planes[i].ratio;
        row_words[c] = planes[i].row_words;
        widths[c] = div_round_up(extent.width, ratio.across);
        heights[c] = div_round_up(extent.height, ratio.down);
        node.specialize(kAcross[i], ratio.across);
        node.specialize(kDown[i], ratio.down);
    }
    node.specialize("colors", static_cast<std::uint32_t>(colors));
    node.specialize("smooth_upsampling", upsampling == JpegUpsampling::triangle ? 1u : 0u);
    node.set("row_words", row_words);
    node.set("widths", widths);
    node.set("heights", heights);
    node.read("luma", planes[0].words);
    node.read("blue", planes.size() > 1 ? planes[1].words : planes[0].words);
    node.read("red", planes.size() > 2 ? planes[2].words : planes[0].words);
    const Image result = node.write(
        "result", graph.image("result", {.format = Format::rgba8_unorm, .extent = extent}));
    node.dispatch_over({div_round_up(extent.width, kPixelsEach), extent.height});
    return result;
}

Image show_coefficients(Graph& graph, const EncodeShape& shape, const FileHeader& header,
                        Buffer coefficients) {
    std::vector<SamplePlane> planes;
    for (std::uint32_t component = 0; component < (shape.grey ? 1u : 3u); ++component)
        planes.push_back(show_component(graph, shape, header, coefficients, component));
    return colors_of(graph, {header.width, header.height}, planes,
                     shape.grey ? DecodeColors::gray : DecodeColors::ycc, JpegUpsampling::triangle);
}

} // namespace tuff::passes::jpeg
