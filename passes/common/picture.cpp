#include "passes/common/picture.hpp"

#include <fmt/format.h>

namespace tuff::passes {
Format result_format(Format source, OutputFormat format) {
    switch (format) {
    case OutputFormat::rgba8_unorm: return Format::rgba8_unorm;
    case OutputFormat::rgba16_sfloat: return Format::rgba16_sfloat;
    case OutputFormat::rgba32_sfloat: return Format::rgba32_sfloat;
    case OutputFormat::r32_sfloat: return Format::r32_sfloat;
    case OutputFormat::same: break;
    }
    if (info(source).kind == NumericKind::srgb) return Format::rgba16_sfloat;
    return source == Format::bgra8_unorm ? Format::rgba8_unorm : source;
}

bool same_size(Graph& graph, Image a, std::string_view port_a, Image b, std::string_view port_b) {
    const Extent first = graph.extent(a);
    const Extent second = graph.extent(b);
    if (first == second) return true;
    graph.error("image/size-mismatch",
                fmt::format("\"{}\" is {}x{} texels but \"{}\" is {}x{}", port_a, first.width,
                            first.height, port_b, second.width, second.height),
                "scale one of them with image/resize");
    return false;
}

bool in_range(Graph& graph, std::string_view parameter, double value, double low, double high) {
    if (value >= low && value <= high) return true; // false for NaN
    graph.error("pass/out-of-range", fmt::format("parameter \"{}\" is {}, not within [{}, {}]",
                                                 parameter, value, low, high));
    return false;
}

Image image_like(Graph& graph, std::string_view name, Image source, Format format) {
    return graph.image(name, {.format = format, .extent = graph.extent(source)});
}

Cost picture_cost(const Graph& graph, Image source, Image result, double operations_per_texel) {
    if (!source || !result) return {};
    const auto texels = [&](Image image) {
        const Extent extent = graph.extent(image);
        return static_cast<double>(extent.width) * extent.height;
    };
    const auto bytes = [&](Image image) {
        return texels(image) * info(graph.desc(image).format).texel_bytes;
    };
    return {.bytes = bytes(source) + bytes(result),
            .operations = texels(result) * operations_per_texel};
}

} // namespace tuff::passes
