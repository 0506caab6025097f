#include <tuff/graph.hpp>
#include <tuff/pass_ports.hpp>

#include <fmt/format.h>

/// The kinds of image that inputs take.
namespace tuff {
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

bool has_shape(Graph& graph, Image image, PortShape shape, std::string_view port) {
    if (!image) {
        graph.error("graph/unconnected", fmt::format("input \"{}\" is not connected", port));
        return false;
    }
    if (shape == PortShape::any) return true;
    const ImageDesc desc = graph.desc(image);
    const bool volume = shape == PortShape::picture_or_volume && desc.shape == ImageShape::d3;
    if (!volume && (desc.shape != ImageShape::d2 || desc.extent.depth != 1 || desc.layers != 1)) {
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
    const FormatInfo& format = info(desc.format);
    if (reads_as_real_numbers(format) || (shape == PortShape::depth_picture && format.depth))
        return true;
    graph.error("image/unsupported-format",
                fmt::format("input \"{}\" has format {}, a color format of real numbers is needed",
                            port, format.name),
                "for example rgba8_unorm or rgba16_sfloat");
    return false;
}

} // namespace tuff
