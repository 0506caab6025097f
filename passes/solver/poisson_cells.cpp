#include "passes/solver/poisson_cells.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

bool is_whole(const FormatInfo& format) {
    return format.kind == NumericKind::uint && !format.stencil;
}

bool is_real(const FormatInfo& format) {
    return !format.depth && !format.stencil && format.kind != NumericKind::none &&
           format.kind != NumericKind::uint && format.kind != NumericKind::sint;
}

bool has_texels(Graph& graph, Image image, glm::uvec3 size, CellNumbers numbers,
                std::string_view port) {
    const ImageDesc& desc = graph.desc(image);
    const Extent extent = desc.extent;
    const ImageShape shape = size.z == 1 ? ImageShape::d2 : ImageShape::d3;
    if (desc.shape != shape || desc.layers != 1 || desc.samples != 1 ||
        extent != Extent{size.x, size.y, size.z}) {
        graph.error(
            "image/size-mismatch",
            fmt::format("input \"{}_image\" is an image of {} x {} x {}, but there are {} x {} x "
                        "{} cells",
                        port, extent.width, extent.height, extent.depth, size.x, size.y, size.z),
            "connect a picture if there is one cell along z, else a volume, with one layer and one "
            "sample");
        return false;
    }
    const FormatInfo& format = info(desc.format);
    const bool whole = numbers == CellNumbers::whole;
    if (format.channels == 1 && (whole ? is_whole(format) : is_real(format))) return true;
    graph.error("image/unsupported-format",
                fmt::format("input \"{}_image\" has format {}, but needs one channel of {} numbers",
                            port, format.name, whole ? "whole" : "real"),
                whole ? "use for example r8_uint" : "use for example r32_sfloat");
    return false;
}

} // namespace

bool has_cells(Graph& graph, const CellSource& source, glm::uvec3 size, CellNumbers numbers) {
    if (source.image && source.buffer) {
        graph.error("solver/given-twice",
                    fmt::format("inputs \"{0}\" and \"{0}_image\" are both connected", source.port),
                    "connect only one of them");
        return false;
    }
    if (source.image) return has_texels(graph, source.image, size, numbers, source.port);
    const auto count = static_cast<std::uint32_t>(std::uint64_t{size.x} * size.y * size.z);
    return holds(graph, source.buffer, {.most = count, .count = {}}, source.port);
}

Buffer cells_in(Graph& graph, const CellSource& source) {
    if (!source.image) return source.buffer;
    const ImageDesc& desc = graph.desc(source.image);
    const Extent extent = desc.extent;
    const std::uint64_t count = std::uint64_t{extent.width} * extent.height * extent.depth;
    ComputeNodeBuilder node = graph.compute("solver/cells_of_image",
                                            {{"DIMENSIONS", desc.shape == ImageShape::d3 ? 3 : 2},
                                             {"INTEGERS", is_whole(info(desc.format))}});
    node.read("source", ImageView(source.image).mip(0), Sampler::nearest());
    node.set("cells", glm::ivec3(extent.width, extent.height, extent.depth));
    const Buffer cells = node.write("result", array(graph, source.port, count));
    node.dispatch_each(static_cast<std::uint32_t>(count));
    return cells;
}

} // namespace tuff::passes
