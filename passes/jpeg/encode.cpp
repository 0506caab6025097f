#include "passes/jpeg/encode.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/divided_up.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/jpeg/header.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace tuff::passes {
namespace {

using jpeg::ChromaSize;
using jpeg::CodeKind;
using jpeg::kBlockSide;
using jpeg::kCoefficients;
using jpeg::TableKind;
using jpeg::TablePair;

constexpr std::uint32_t kMostPixels = 65535; // along a side: the header has 16 bits for it
constexpr std::uint32_t kBlocksOfGroup = 12; // as in jpeg/encode_transform
constexpr std::uint32_t kWordsOfBlock = kCoefficients / 2;
constexpr std::uint32_t kTileOfData = 512;       // words, as in jpeg/stream.glsl
constexpr std::uint32_t kMostBitsOfBlock = 1660; // 63 coefficients of 26 bits and the first, of 22

/// How a picture is cut, as in jpeg/shape.glsl.
struct Shape {
    bool grey = false;
    ChromaSize chroma;
    std::uint32_t units_across = 0;
    std::uint32_t units = 0;
    std::uint32_t restart = 0;

    std::uint32_t unit_blocks() const { return grey ? 1 : chroma.across * chroma.down + 2; }
    std::uint32_t blocks() const { return units * unit_blocks(); }
    std::uint32_t segments() const {
        return restart == 0 ? 1 : static_cast<std::uint32_t>(divided_up(units, restart));
    }
};

ChromaSize chroma_size(JpegSampling sampling) {
    switch (sampling) {
    case JpegSampling::s444: return {1, 1};
    case JpegSampling::s422: return {2, 1};
    case JpegSampling::s420: return {2, 2};
    case JpegSampling::s440: return {1, 2};
    }
    return {1, 1};
}

Shape shape_of(const JpegEncode& pass, const Extent& size, bool grey) {
    Shape shape;
    shape.grey = grey;
    shape.chroma = grey ? ChromaSize{} : chroma_size(pass.sampling);
    shape.restart = static_cast<std::uint32_t>(pass.restart);
    shape.units_across =
        static_cast<std::uint32_t>(divided_up(size.width, kBlockSide * shape.chroma.across));
    shape.units = shape.units_across * static_cast<std::uint32_t>(
                                           divided_up(size.height, kBlockSide * shape.chroma.down));
    return shape;
}

/// What the fast transform's coefficient of one dimension is, of what the definition says.
double scale_of(std::uint32_t k) {
    constexpr std::array kScales{1.0, 1.387039845, 1.306562965, 1.175875602,
                                 1.0, 0.785694958, 0.541196100, 0.275899379};
    return std::sqrt(8.0) * kScales[k];
}

/// What each coefficient is multiplied by before it is rounded.
Buffer quantiser(Graph& graph, const JpegEncode& pass, const jpeg::FileHeader& header) {
    std::vector<float> factors;
    for (const jpeg::Divisors& divisors : {header.luma, header.chroma.value_or(header.luma)})
        for (std::uint32_t place = 0; place < kCoefficients; ++place) {
            const double scale = pass.transform == JpegTransform::fast
                                     ? scale_of(place / kBlockSide) * scale_of(place % kBlockSide)
                                     : 1.0;
            factors.push_back(static_cast<float>(1.0 / (scale * divisors[place])));
        }
    return constant_array(graph, "quantiser", factors);
}

TablePair standard_tables(TableKind kind) {
    return {jpeg::standard_table(kind, CodeKind::dc), jpeg::standard_table(kind, CodeKind::ac)};
}

/// As jpeg/block_codes.glsl reads it.
Buffer code_words(Graph& graph, const TablePair& luma, const TablePair& chroma) {
    std::vector<std::uint32_t> words;
    const auto append = [&](const jpeg::HuffmanTable& table, std::size_t symbols) {
        const auto codes = jpeg::codes_of(table);
        for (std::size_t i = 0; i < symbols; ++i)
            words.push_back(std::uint32_t{codes[i].length} << 16 | codes[i].bits);
    };
    for (const TablePair* pair : {&luma, &chroma}) {
        append(pair->dc, 12);
        append(pair->ac, 256);
    }
    return constant_array(graph, "codes", words);
}

Buffer header_words(Graph& graph, const std::vector<std::byte>& bytes) {
    std::vector<std::uint32_t> words{static_cast<std::uint32_t>(bytes.size())};
    words.resize(1 + divided_up(bytes.size(), std::size_t{4}));
    for (std::size_t i = 0; i < bytes.size(); ++i)
        words[1 + i / 4] |= static_cast<std::uint32_t>(bytes[i]) << (24 - 8 * (i % 4));
    return constant_array(graph, "header", words);
}

/// Bytes that a file will hardly exceed. A guess: where it is wrong, the pool grows.
std::uint64_t likely_bytes(const Shape& shape, const jpeg::Divisors& luma) {
    const double divisor = std::accumulate(luma.begin(), luma.end(), 0.0) / kCoefficients;
    const double bits = std::min(40.0 + 1200.0 / divisor, double{kMostBitsOfBlock});
    return 2048 + static_cast<std::uint64_t>(static_cast<double>(shape.blocks()) * bits / 8.0);
}

class Encoder {
  public:
    Encoder(Graph& graph, const JpegEncode& pass, const Shape& shape)
        : graph_(graph), shape_(shape) {
        const Extent size = graph.extent(pass.source);
        const auto quality = static_cast<std::uint32_t>(pass.quality);
        header_.width = size.width;
        header_.height = size.height;
        header_.luma = jpeg::divisors_of(TableKind::luma, quality);
        if (!shape.grey) header_.chroma = jpeg::divisors_of(TableKind::chroma, quality);
        header_.chroma_size = shape.chroma;
        header_.restart = shape.restart;
    }

    void run(JpegEncode& pass) {
        const Buffer none = graph_.fill(array(graph_, "not_finite", 1), 0, "clear_not_finite");
        transform(pass, none);
        make_tables();
        place_blocks();
        emit();
        stuff(pass);
    }

  private:
    ComputeNodeBuilder start(std::string_view shader) {
        ComputeNodeBuilder node = graph_.compute(shader);
        node.specialize("components", shape_.grey ? 1u : 3u);
        node.specialize("across", shape_.chroma.across);
        node.specialize("down", shape_.chroma.down);
        return node;
    }

    void transform(const JpegEncode& pass, Buffer none) {
        const FormatInfo& format = info(graph_.desc(pass.source).format);
        const bool whole =
            format.texel_bytes == format.channels && format.kind != NumericKind::snorm;
        ComputeNodeBuilder node = start("jpeg/encode_transform");
        node.specialize("whole_values", whole ? 1u : 0u);
        node.specialize("by_matrix", pass.transform == JpegTransform::matrix ? 1u : 0u);
        node.specialize("has_color", format.channels == 1 ? 0u : 1u);
        node.specialize("decoded", format.kind == NumericKind::srgb ? 1u : 0u);
        node.set("units", shape_.units);
        node.set("units_across", shape_.units_across);
        node.read("source", ImageView(pass.source).mip(0));
        node.read("quantiser", quantiser(graph_, pass, header_));
        coefficients_ =
            node.write("coefficients", array(graph_, "coefficients",
                                             std::uint64_t{shape_.blocks()} * kWordsOfBlock));
        masks_ = node.write("masks", array(graph_, "masks", std::uint64_t{shape_.blocks()} * 2));
        not_finite_ = node.accumulate("counts", none);
        const std::uint32_t units_of_group = kBlocksOfGroup / shape_.unit_blocks();
        const Groups groups = fold_groups(divided_up(shape_.units, units_of_group));
        groups.dispatch(node);
    }

    void make_tables() {
        const TablePair luma = standard_tables(TableKind::luma);
        const TablePair chroma = standard_tables(TableKind::chroma);
        codes_ = code_words(graph_, luma, chroma);
        std::vector<std::byte> bytes = jpeg::bytes_before_tables(header_);
        const auto append = [&](const std::vector<std::byte>& more) {
            bytes.insert(bytes.end(), more.begin(), more.end());
        };
        append(jpeg::table_bytes(luma, shape_.grey ? nullptr : &chroma));
        append(jpeg::bytes_after_tables(header_));
        header_bytes_ = header_words(graph_, bytes);
    }

    void bind_blocks(ComputeNodeBuilder& node) {
        node.specialize("restart", shape_.restart);
        node.set("blocks", shape_.blocks());
        node.read("coefficients", coefficients_);
        node.read("masks", masks_);
        node.read("codes", codes_);
    }

    void place_blocks() {
        const Buffer nothing = graph_.fill(array(graph_, "total", 2), 0, "clear_total");
        ComputeNodeBuilder node = start("jpeg/encode_sizes");
        bind_blocks(node);
        const Buffer sizes = node.write("sizes", array(graph_, "sizes", shape_.blocks()));
        total_ = node.accumulate("total", nothing);
        dispatch_each(node, shape_.blocks(), 256);
        offsets_ = graph_.add(Scan{.source = sizes}).result;
        segments_ = offsets_; // not read
        segmented_ = total_;
        if (shape_.restart == 0) return;

        ComputeNodeBuilder lengths = start("jpeg/encode_segments");
        lengths.specialize("restart", shape_.restart);
        lengths.set("segments", shape_.segments());
        lengths.read("offsets", offsets_);
        lengths.read("total", total_);
        const Buffer bytes =
            lengths.write("lengths", array(graph_, "segment_bytes", shape_.segments()));
        dispatch_each(lengths, shape_.segments(), 64);
        const Scan scan = graph_.add(Scan{.source = bytes});
        segments_ = scan.result;
        segmented_ = scan.total;
    }

    void emit() {
        room_ = graph_.pool("file", divided_up(likely_bytes(shape_, header_.luma), 4u), 4);
        ComputeNodeBuilder measure = start("jpeg/encode_extent");
        measure.specialize("restart", shape_.restart);
        measure.set("room", room_words());
        measure.read("total", total_);
        measure.read("segmented", segmented_);
        extent_ = measure.write("result", array(graph_, "extent", 4));
        const Buffer words = measure.write("words", array(graph_, "words", 1));
        tiles_ = measure.write("tiles", array(graph_, "tiles", 1));
        measure.dispatch(1);

        const Length length{.most = room_words(), .count = words};
        ComputeNodeBuilder clear = graph_.compute("jpeg/encode_clear");
        clear.read("extent", extent_);
        const Buffer zeros = clear.write("stream", array(graph_, "data", room_));
        groups_for(graph_, length, 256).dispatch(clear);

        ComputeNodeBuilder node = start("jpeg/encode_emit");
        bind_blocks(node);
        node.set("room", room_words());
        node.read("offsets", offsets_);
        node.read("segments", segments_);
        data_ = node.write("stream", zeros);
        dispatch_each(node, shape_.blocks(), 64);
    }

    void stuff(JpegEncode& pass) {
        const std::uint64_t most_tiles = divided_up(room_, kTileOfData);
        const Length length{.most = static_cast<std::uint32_t>(most_tiles), .count = tiles_};
        const Groups groups = groups_for(graph_, length, 1);
        ComputeNodeBuilder count = graph_.compute("jpeg/encode_count");
        count.read("extent", extent_);
        count.read("stream", data_);
        const Buffer stuffed = count.write("stuffed", array(graph_, "stuffed", most_tiles));
        groups.dispatch(count);
        const Buffer before = graph_.add(Scan{.source = stuffed, .count = tiles_}).result;

        ComputeNodeBuilder node = graph_.compute("jpeg/encode_stuff");
        node.match<JpegStatus>("result");
        node.set("room", room_words());
        node.read("extent", extent_);
        node.read("header", header_bytes_);
        node.read("stream", data_);
        node.read("before", before);
        node.read("pixels", not_finite_);
        pass.file = node.write("file", array(graph_, "file", room_));
        pass.length = node.write("file_length", array(graph_, "length", 1));
        pass.status = node.write("result", array(graph_, "status", 4));
        groups.dispatch(node);
        if (shape_.restart != 0) pass.file = marked(pass.file, before);
        graph_.status<JpegStatus>(pass.status);
    }

    /// With restart markers.
    Buffer marked(Buffer file, Buffer before) {
        ComputeNodeBuilder node = graph_.compute("jpeg/encode_markers");
        node.set("segments", shape_.segments());
        node.set("room", room_words());
        node.read("extent", extent_);
        node.read("header", header_bytes_);
        node.read("stream", data_);
        node.read("segments", segments_);
        node.read("before", before);
        const Buffer result = node.write("file", file);
        dispatch_each(node, shape_.segments(), 64);
        return result;
    }

    std::uint32_t room_words() const { return static_cast<std::uint32_t>(room_); }

    Graph& graph_;
    Shape shape_;
    jpeg::FileHeader header_;
    Buffer header_bytes_;
    Buffer codes_;
    Buffer coefficients_;
    Buffer masks_;
    Buffer not_finite_;
    Buffer offsets_;
    Buffer total_;
    Buffer segments_;
    Buffer segmented_;
    Buffer extent_;
    Buffer tiles_; // of data, as jpeg/encode_stuff takes them
    Buffer data_;
    std::uint64_t room_ = 0; // words, of the data and of the file
};

} // namespace

JpegStatus JpegStatus::read(std::span<const std::uint32_t> words) {
    return status_from<JpegStatus>(words);
}

Diagnostics JpegStatus::warnings() const {
    Diagnostics all;
    if (not_finite > 0)
        all.push_back(
            warning("jpeg/not-finite",
                    fmt::format("{} pixels are not finite: they are written as 0", not_finite),
                    "look for a division by 0 with --watch-nan"));
    if (bytes > room)
        all.push_back(
            warning("jpeg/no-room",
                    fmt::format("the file needs {} bytes, and there is room for {}: it is cut off",
                                bytes, room),
                    "execute it again: the room grows"));
    return all;
}

std::vector<PoolNeed> JpegStatus::pool_needs() const {
    if (bytes <= room) return {};
    return {{"file", bytes / 4 + 1}};
}

void JpegEncode::describe(PassInfo<JpegEncode>& info) {
    info.summary("Writes a picture as a JPEG file: baseline, Huffman codes")
        .details(
            "The file is that of a sequential encoder in double precision, but for coefficients "
            "that "
            "lie within 0.001 of halfway between two whole numbers. All devices write the same "
            "bytes. Values are what the screen shows, 0 to 1; sRGB formats are encoded again, "
            "alpha "
            "is left out, what is not finite is 0. Chroma is the mean of the pixels that share it; "
            "beyond the right and lower edge the last pixels are repeated. Quality scales the "
            "tables "
            "of the standard as the Independent JPEG Group's library does. Where a file turns out "
            "longer than there is room for, nothing is written beyond it and the status says how "
            "long it is; tuff run and the viewer then execute it again with more room.")
        .source("ITU-T T.81, 1992; Balevic, \"Parallel Variable-Length Encoding on GPGPUs\", 2009; "
                "\"Real-Time "
                "JPEG Compression Using DirectCompute\", GPU Pro 4, 2013")
        .complexity("O(pixels)")
        .cost([](const JpegEncode& pass, const Graph& graph) {
            const Extent size = graph.extent(pass.source);
            const double pixels = static_cast<double>(size.width) * size.height;
            const double samples = pass.sampling == JpegSampling::s444   ? 3.0
                                   : pass.sampling == JpegSampling::s420 ? 1.5
                                                                         : 2.0;
            const double texel = tuff::info(graph.desc(pass.source).format).texel_bytes;
            return Cost{.bytes = pixels * (texel + 6.0 * samples),
                        .operations = 30.0 * pixels * samples};
        });
    info.input("source", &JpegEncode::source, "the picture, up to 65,535 pixels a side").picture();
    info.parameter("quality", &JpegEncode::quality, "1: smallest; 100: divides by 1")
        .range(1, 100)
        .structural();
    info.parameter("sampling", &JpegEncode::sampling, "which pixels share their chroma")
        .structural();
    info.parameter("color", &JpegEncode::color, "auto: grey where the source has one channel")
        .structural();
    info.parameter("restart", &JpegEncode::restart,
                   "units (of 8 x 8 pixels, or as many as share chroma blocks) from one restart "
                   "marker to the next; 0: none")
        .range(0, 65535)
        .structural();
    info.parameter("transform", &JpegEncode::transform, "how blocks are transformed").structural();
    info.output("file", &JpegEncode::file, "the file's bytes, and what is left of the room")
        .elements<std::uint32_t>();
    info.output("length", &JpegEncode::length, "of the file, in bytes").elements<std::uint32_t>();
    info.output("status", &JpegEncode::status,
                "bytes, room, bytes before stuffing, pixels that are not finite")
        .elements<std::uint32_t>();
}

void JpegEncode::build(Graph& graph) {
    const FormatInfo& format = tuff::info(graph.desc(source).format);
    const Extent size = graph.extent(source);
    if (size.width > kMostPixels || size.height > kMostPixels) {
        graph.error("jpeg/too-large",
                    fmt::format("the source has {} x {} pixels; a JPEG file holds {} a side",
                                size.width, size.height, kMostPixels),
                    "cut it with image/crop, or make it smaller with image/resize");
        return;
    }
    if (format.channels == 2 || format.kind == NumericKind::uint ||
        format.kind == NumericKind::sint) {
        graph.error(
            "jpeg/unsupported-format",
            fmt::format("input \"source\" has format {}, which is neither grey nor a picture of "
                        "three colours",
                        format.name),
            "turn it into one with image/map");
        return;
    }
    const bool grey =
        color == JpegColor::grey || (color == JpegColor::automatic && format.channels == 1);
    const Shape shape = shape_of(*this, size, grey);
    if (std::uint64_t{shape.blocks()} * kWordsOfBlock > kMaxElements) {
        graph.error(
            "jpeg/too-large",
            fmt::format("the source has {} x {} pixels, more than a buffer holds coefficients of",
                        size.width, size.height),
            "cut it with image/crop");
        return;
    }
    Encoder(graph, *this, shape).run(*this);
}

TUFF_PASS(JpegEncode)

} // namespace tuff::passes
