#include "passes/jpeg/encode_shape.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tuff::passes::jpeg {
namespace {

constexpr std::uint32_t kMaxPixels = 65535; // along a side: the header has 16 bits for it

ChromaSize chroma_size(JpegSampling sampling) {
    switch (sampling) {
    case JpegSampling::s444: return {1, 1};
    case JpegSampling::s422: return {2, 1};
    case JpegSampling::s420: return {2, 2};
    case JpegSampling::s440: return {1, 2};
    }
    return {1, 1};
}

/// What the fast transform's coefficient of one dimension is, of what the definition says.
double scale_of(std::uint32_t k) {
    constexpr std::array kScales{1.0, 1.387039845, 1.306562965, 1.175875602,
                                 1.0, 0.785694958, 0.541196100, 0.275899379};
    return std::sqrt(8.0) * kScales[k];
}

} // namespace

std::uint32_t EncodeShape::segments() const {
    return restart == 0 ? 1 : static_cast<std::uint32_t>(div_round_up(units, restart));
}

EncodeShape cut(const Extent& size, JpegSampling sampling, bool grey, std::uint32_t restart) {
    EncodeShape shape;
    shape.grey = grey;
    shape.chroma = grey ? ChromaSize{} : chroma_size(sampling);
    shape.restart = restart;
    shape.units_across =
        static_cast<std::uint32_t>(div_round_up(size.width, kBlockSide * shape.chroma.across));
    shape.units =
        shape.units_across *
        static_cast<std::uint32_t>(div_round_up(size.height, kBlockSide * shape.chroma.down));
    return shape;
}

std::optional<EncodeShape> shape_of(Graph& graph, Image source, JpegSampling sampling,
                                    JpegColor color, std::int64_t restart) {
    const FormatInfo& format = info(graph.desc(source).format);
    const Extent size = graph.extent(source);
    if (size.width > kMaxPixels || size.height > kMaxPixels) {
        graph.error("jpeg/too-large",
                    fmt::format("the source has {} x {} pixels, but a JPEG file holds {} a side",
                                size.width, size.height, kMaxPixels),
                    "cut it with image/crop, or make it smaller with image/resize");
        return {};
    }
    if (format.channels == 2 || format.kind == NumericKind::uint ||
        format.kind == NumericKind::sint) {
        graph.error(
            "jpeg/unsupported-format",
            fmt::format("input \"source\" has format {}, but needs one, three or four channels "
                        "that are not integers",
                        format.name),
            "convert it with image/map");
        return {};
    }
    const bool grey =
        color == JpegColor::grey || (color == JpegColor::automatic && format.channels == 1);
    const EncodeShape shape = cut(size, sampling, grey, static_cast<std::uint32_t>(restart));
    if (std::uint64_t{shape.blocks()} * (kCoefficients / 2) > kMaxElements) {
        graph.error(
            "jpeg/too-large",
            fmt::format("the source has {} x {} pixels, whose coefficients do not fit a buffer",
                        size.width, size.height),
            "cut it with image/crop");
        return {};
    }
    return shape;
}

FileHeader header_of(const Extent& size, const EncodeShape& shape, std::int64_t quality,
                     JpegTables tables) {
    const auto percent = static_cast<std::uint32_t>(quality);
    FileHeader header{.width = size.width,
                      .height = size.height,
                      .luma = divisors_of(TableKind::luma, percent),
                      .chroma = {},
                      .chroma_size = shape.chroma,
                      .restart = shape.restart,
                      .chroma_tables = !shape.grey && tables != JpegTables::single};
    if (!shape.grey) header.chroma = divisors_of(TableKind::chroma, percent);
    return header;
}

Buffer read_pixels(ComputeNodeBuilder& node, const Graph& graph, Image source,
                   const PixelReading& reading, Buffer counts) {
    const FormatInfo& format = info(graph.desc(source).format);
    const bool bytes = format.texel_bytes == format.channels;
    const bool integer = reading.conversion == JpegConversion::integer;
    node.specialize("whole_values",
                    integer || (bytes && format.kind != NumericKind::snorm) ? 1u : 0u);
    node.specialize("by_alpha", reading.alpha == JpegAlpha::multiply ? 1u : 0u);
    node.specialize("whole_ycc", integer ? 1u : 0u);
    node.specialize("has_color", format.channels == 1 ? 0u : 1u);
    node.specialize("linear_light", format.kind == NumericKind::srgb ? 1u : 0u);
    const bool bounded =
        (format.kind == NumericKind::unorm && !format.depth) || format.kind == NumericKind::srgb;
    node.specialize("bounded", bounded ? 1u : 0u);
    node.read("source", ImageView(source).mip(0));
    return node.accumulate("counts", counts);
}

Buffer quantiser(Graph& graph, const FileHeader& header, JpegTransform transform) {
    std::vector<float> factors;
    for (const Divisors& divisors : {header.luma, header.chroma.value_or(header.luma)})
        for (std::uint32_t place = 0; place < kCoefficients; ++place) {
            const double scale = transform == JpegTransform::fast
                                     ? scale_of(place / kBlockSide) * scale_of(place % kBlockSide)
                                     : 1.0;
            factors.push_back(static_cast<float>(1.0 / (scale * divisors[place])));
        }
    return constant_array(graph, "quantiser", factors);
}

TablePair fixed_tables(JpegTables tables, TableKind kind) {
    if (tables == JpegTables::single) kind = TableKind::luma;
    return {standard_table(kind, CodeKind::dc), standard_table(kind, CodeKind::ac)};
}

Buffer code_words(Graph& graph, JpegTables tables) {
    std::vector<std::uint32_t> words;
    const auto append = [&](const HuffmanTable& table, std::size_t symbols) {
        const auto codes = codes_of(table);
        for (std::size_t i = 0; i < symbols; ++i)
            words.push_back(std::uint32_t{codes[i].length} << 16 | codes[i].bits);
    };
    for (const TableKind kind : {TableKind::luma, TableKind::chroma}) {
        const TablePair pair = fixed_tables(tables, kind);
        append(pair.dc, kDcSymbols);
        append(pair.ac, kAcSymbols);
    }
    return constant_array(graph, "codes", words);
}

Buffer byte_words(Graph& graph, std::string_view name, const std::vector<std::byte>& bytes) {
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(bytes.size())};
    words.resize(1 + div_round_up(bytes.size(), std::size_t{4}));
    for (std::size_t i = 0; i < bytes.size(); ++i)
        words[1 + i / 4] |= static_cast<std::uint32_t>(bytes[i]) << (24 - 8 * (i % 4));
    return constant_array(graph, name, words);
}

} // namespace tuff::passes::jpeg
