#include "passes/common/picture.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

std::string_view name_of(ImageShape shape) {
    switch (shape) {
    case ImageShape::d2: return "two-dimensional";
    case ImageShape::d2_array: return "an array";
    case ImageShape::d3: return "three-dimensional";
    case ImageShape::cube: return "a cube map";
    }
    return "of unknown shape";
}

bool reads_as_real_numbers(const FormatInfo& format) {
    if (format.depth || format.stencil) return false;
    return format.kind != NumericKind::none && format.kind != NumericKind::uint &&
           format.kind != NumericKind::sint;
}

} // namespace

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

namespace {

/// Of two dimensions, one layer and one sample.
bool has_form_of_picture(Graph& graph, Image image, std::string_view port) {
    if (!image) {
        graph.error("graph/unconnected", fmt::format("input \"{}\" is not connected", port));
        return false;
    }
    const ImageDesc& desc = graph.desc(image);
    if (desc.shape != ImageShape::d2 || desc.extent.depth != 1 || desc.layers != 1) {
        graph.error("image/not-two-dimensional",
                    fmt::format("input \"{}\" is {} ({}x{}x{}, {} layers), a picture is needed",
                                port, name_of(desc.shape), desc.extent.width, desc.extent.height,
                                desc.extent.depth, desc.layers));
        return false;
    }
    if (desc.samples != 1) {
        graph.error("image/not-two-dimensional",
                    fmt::format("input \"{}\" has {} samples a texel", port, desc.samples),
                    "resolve it first");
        return false;
    }
    return true;
}

} // namespace

bool is_picture(Graph& graph, Image image, std::string_view port) {
    if (!has_form_of_picture(graph, image, port)) return false;
    const ImageDesc& desc = graph.desc(image);
    if (!reads_as_real_numbers(info(desc.format))) {
        graph.error("image/unsupported-format",
                    fmt::format("input \"{}\" has format {}, a colour format of real numbers "
                                "is needed",
                                port, info(desc.format).name),
                    "for example rgba8_unorm or rgba16_sfloat");
        return false;
    }
    return true;
}

bool is_depth_picture(Graph& graph, Image image, std::string_view port) {
    if (image && info(graph.desc(image).format).depth)
        return has_form_of_picture(graph, image, port);
    return is_picture(graph, image, port);
}

bool same_size(Graph& graph, Image a, std::string_view port_a, Image b, std::string_view port_b) {
    const Extent first = graph.extent(a);
    const Extent second = graph.extent(b);
    if (first == second) return true;
    graph.error("image/size-mismatch",
                fmt::format("\"{}\" is {}x{} texels but \"{}\" is {}x{}", port_a, first.width,
                            first.height, port_b, second.width, second.height),
                "image/resize brings one to the size of the other");
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
