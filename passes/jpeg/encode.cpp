#include "passes/jpeg/encode.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/jpeg/encode_shape.hpp"
#include "passes/jpeg/shown.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace tuff::passes {
namespace {

using jpeg::EncodeShape;
using jpeg::kCoefficients;
using jpeg::TableKind;

constexpr std::uint32_t kBlocksOfGroup = 12; // as in jpeg/encode_transform
constexpr std::uint32_t kWordsOfBlock = kCoefficients / 2;
constexpr std::uint32_t kTileOfData = 512;      // words, as in jpeg/stream.glsl
constexpr std::uint32_t kMaxBitsOfBlock = 1660; // 63 coefficients of 26 bits and the first, of 22
constexpr std::uint32_t kWordsOfCounts = 4;     // as in jpeg/extent.glsl
constexpr std::uint32_t kAllSymbols = 2 * (jpeg::kDcSymbols + jpeg::kAcSymbols);
constexpr std::uint32_t kWordsOfBuiltTable = 1 + 16 + 256; // as in jpeg/built_table.glsl
constexpr std::uint32_t kMaxWordsOfHeader = 513;           // as in jpeg/encode_stuff
/// Rooms up to here, in words, are cleared and gone through as a whole: that takes less time than
/// nodes that count how much of them there is to do.
constexpr std::uint64_t kSmallRoom = std::uint64_t{1} << 23;
/// As many tiles are added up by each group that needs to know the sum, without a scan.
constexpr std::uint64_t kFewTiles = 4096;

/// Bytes that a file will hardly exceed. A guess: where it is wrong, the pool grows.
std::uint64_t likely_bytes(const EncodeShape& shape, const jpeg::Divisors& luma) {
    const double divisor = std::accumulate(luma.begin(), luma.end(), 0.0) / kCoefficients;
    const double bits = std::min(100.0 + 3000.0 / divisor, double{kMaxBitsOfBlock});
    return 2048 + static_cast<std::uint64_t>(static_cast<double>(shape.blocks()) * bits / 8.0);
}

class Encoder {
  public:
    Encoder(Graph& graph, const JpegEncode& pass, const EncodeShape& shape)
        : graph_(graph), shape_(shape), tables_(pass.tables),
          header_(jpeg::header_of(graph.extent(pass.source), shape, pass.quality, pass.tables)),
          room_(graph.pool("file", div_round_up(likely_bytes(shape, header_.luma), 4u), 4)) {}

    void run(JpegEncode& pass) {
        const bool fits = tables_ == JpegTables::optimised;
        if (!fits) use_fixed_tables();
        transform(pass);
        if (fits) make_tables();
        place_blocks();
        if (room_ > kSmallRoom) clear_data();
        emit();
        stuff(pass);
        pass.decoded = jpeg::show_coefficients(graph_, shape_, header_, coefficients_);
    }

  private:
    ComputeNodeBuilder start(std::string_view shader) {
        ComputeNodeBuilder node = graph_.compute(shader);
        node.specialize("components", shape_.grey ? 1u : 3u);
        node.specialize("across", shape_.chroma.across);
        node.specialize("down", shape_.chroma.down);
        return node;
    }

    void transform(const JpegEncode& pass) {
        const bool measures = tables_ != JpegTables::optimised;
        const DeviceCaps& target = graph_.target();
        const bool by_ballots = target.min_subgroup_size == 32 && target.max_subgroup_size == 32;
        ComputeNodeBuilder node = start("jpeg/encode_transform");
        node.specialize("by_matrix", pass.transform == JpegTransform::matrix ? 1u : 0u);
        node.specialize("measures", measures ? 1u : 0u);
        node.specialize("by_ballots", by_ballots ? 1u : 0u);
        node.set("units", shape_.units);
        node.set("units_across", shape_.units_across);
        node.set("cleared", room_ > kSmallRoom ? 0u : room_words());
        const Buffer zeros =
            graph_.fill(array(graph_, "counts", kWordsOfCounts), 0, "clear_counts");
        counts_ = jpeg::read_pixels(node, graph_, pass.source,
                                    {.alpha = pass.alpha, .conversion = pass.conversion}, zeros);
        node.read("quantiser", jpeg::quantiser(graph_, header_, pass.transform));
        node.read("codes", measures ? codes_ : jpeg::code_words(graph_, JpegTables::standard));
        const std::uint64_t blocks = shape_.blocks();
        coefficients_ =
            node.write("coefficients", array(graph_, "coefficients", blocks * kWordsOfBlock));
        masks_ = node.write("masks", array(graph_, "masks", blocks * 2));
        heads_ = node.write("heads", array(graph_, "heads", blocks));
        data_ = node.write("stream", array(graph_, "data", room_));
        const std::uint32_t units_of_group = kBlocksOfGroup / shape_.unit_blocks();
        fold_groups(div_round_up(shape_.units, units_of_group)).dispatch(node);
    }

    void use_fixed_tables() {
        codes_ = jpeg::code_words(graph_, tables_);
        header_bytes_ = jpeg::byte_words(
            graph_, "header",
            jpeg::header_bytes(header_, jpeg::fixed_tables(tables_, TableKind::luma),
                               jpeg::fixed_tables(tables_, TableKind::chroma)));
    }

    /// Such as fit the picture, and the header that has them.
    void make_tables() {
        ComputeNodeBuilder count = start("jpeg/encode_histogram");
        bind_blocks(count);
        const Buffer frequencies =
            count.write("frequencies", graph_.fill(array(graph_, "frequencies", kAllSymbols), 0,
                                                   "clear_frequencies"));
        dispatch_each(count, shape_.blocks(), 256);

        const std::uint32_t tables = shape_.grey ? 2 : 4;
        ComputeNodeBuilder build = graph_.compute("jpeg/encode_tables");
        build.read("frequencies", frequencies);
        codes_ = build.write("codes", array(graph_, "codes", kAllSymbols));
        const Buffer built = build.write("built", array(graph_, "built", 4 * kWordsOfBuiltTable));
        build.dispatch(tables);

        ComputeNodeBuilder join = graph_.compute("jpeg/encode_header");
        join.set("tables", tables);
        join.read("built", built);
        join.read("front", jpeg::byte_words(graph_, "front", jpeg::bytes_before_tables(header_)));
        join.read("back", jpeg::byte_words(graph_, "back", jpeg::bytes_after_tables(header_)));
        header_bytes_ = join.write("header", array(graph_, "header", kMaxWordsOfHeader));
        join.dispatch(1);
    }

    void bind_blocks(ComputeNodeBuilder& node) {
        node.specialize("restart", shape_.restart);
        node.set("blocks", shape_.blocks());
        node.read("coefficients", coefficients_);
        node.read("masks", masks_);
        node.read("heads", heads_);
    }

    void place_blocks() {
        constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
        const bool counts_all = std::uint64_t{shape_.blocks()} * kMaxBitsOfBlock > kMax;
        ComputeNodeBuilder node = start("jpeg/encode_sizes");
        bind_blocks(node);
        node.specialize("measured", tables_ == JpegTables::optimised ? 0u : 1u);
        node.specialize("counts_all", counts_all ? 1u : 0u);
        node.read("codes", codes_);
        const Buffer sizes = node.write("sizes", array(graph_, "sizes", shape_.blocks()));
        counts_ = node.accumulate("counts", counts_);
        dispatch_each(node, shape_.blocks(), 256);
        const Scan offsets = graph_.add(Scan{.source = sizes}, "offsets");
        offsets_ = offsets.result;
        total_ = offsets.total;
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
        const Scan scan = graph_.add(Scan{.source = bytes}, "segments");
        segments_ = scan.result;
        segmented_ = scan.total;
    }

    /// Binds what jpeg/extent.glsl reads.
    void bind_extent(ComputeNodeBuilder& node) {
        node.specialize("restart", shape_.restart);
        node.set("room", room_words());
        node.read("total", total_);
        node.read("segmented", segmented_);
        node.read("counts", counts_);
    }

    /// Of large rooms that much as will be used.
    void clear_data() {
        ComputeNodeBuilder measure = start("jpeg/encode_extent");
        bind_extent(measure);
        const Buffer words = measure.write("words", array(graph_, "words", 1));
        tiles_ = measure.write("tiles", array(graph_, "tiles", 1));
        measure.dispatch(1);

        ComputeNodeBuilder clear = graph_.compute("jpeg/encode_clear");
        clear.read("words", words);
        data_ = clear.write("stream", data_);
        groups_for(graph_, {.most = room_words(), .count = words}, 256).dispatch(clear);
    }

    void emit() {
        ComputeNodeBuilder node = start("jpeg/encode_emit");
        bind_blocks(node);
        node.set("room", room_words());
        node.read("codes", codes_);
        node.read("offsets", offsets_);
        node.read("segments", segments_);
        data_ = node.write("stream", data_);
        dispatch_each(node, shape_.blocks(), 64);
    }

    void stuff(JpegEncode& pass) {
        const auto most_tiles = static_cast<std::uint32_t>(div_round_up(room_, kTileOfData));
        const Groups groups = groups_for(graph_, {.most = most_tiles, .count = tiles_}, 1);
        ComputeNodeBuilder count = start("jpeg/encode_count");
        bind_extent(count);
        count.set("tiles", most_tiles);
        count.read("stream", data_);
        const Buffer stuffed = count.write("stuffed", array(graph_, "stuffed", most_tiles));
        groups.dispatch(count);
        const bool sums_up = most_tiles <= kFewTiles && shape_.restart == 0;
        const Buffer before =
            sums_up ? stuffed
                    : graph_.add(Scan{.source = stuffed, .count = tiles_}, "stuffed").result;

        ComputeNodeBuilder node = start("jpeg/encode_stuff");
        node.match<JpegStatus>("result");
        bind_extent(node);
        node.specialize("sums_up", sums_up ? 1u : 0u);
        node.read("header", header_bytes_);
        node.read("stream", data_);
        node.read("before", before);
        pass.file = node.write("file", array(graph_, "file", room_));
        pass.length = node.write("file_length", array(graph_, "length", 1));
        pass.status = node.write("result", array(graph_, "status", 4));
        groups.dispatch(node);
        if (shape_.restart != 0) pass.file = marked(pass.file, before);
        graph_.status<JpegStatus>(pass.status);
    }

    /// With restart markers.
    Buffer marked(Buffer file, Buffer before) {
        ComputeNodeBuilder node = start("jpeg/encode_markers");
        bind_extent(node);
        node.set("segments", shape_.segments());
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
    EncodeShape shape_;
    JpegTables tables_;
    jpeg::FileHeader header_;
    std::uint64_t room_; // words, of the data and of the file
    Buffer header_bytes_;
    Buffer codes_;
    Buffer coefficients_;
    Buffer masks_;
    Buffer heads_;
    Buffer counts_;
    Buffer offsets_;
    Buffer total_;
    Buffer segments_;
    Buffer segmented_;
    Buffer tiles_; // how many, where that is counted on the device
    Buffer data_;
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
        all.push_back(warning(
            "jpeg/no-room",
            fmt::format("the file needs {}{} bytes, but there is room for {}: it is cut off",
                        data < room ? "" : "up to ", bytes, room),
            "execute the graph again: the room grows"));
    return all;
}

std::vector<PoolNeed> JpegStatus::pool_needs() const {
    if (bytes <= room) return {};
    return {{"file", bytes / 4 + 1}};
}

void JpegEncode::describe(PassInfo<JpegEncode>& info) {
    info.summary("Encodes a picture as a baseline JPEG file with Huffman codes")
        .details(
            "The picture holds display values from 0 to 1. sRGB formats are encoded again, and "
            "values that are not finite count as 0. Files hold no alpha: it is left out, or with "
            "\"alpha\": \"multiply\" the texels' colors are multiplied by it before they are "
            "encoded; for what lies behind use image/map before. Chroma is the mean of the pixels "
            "that share it. With \"conversion\": \"real\" nothing is rounded before the "
            "transform, which is finer at qualities above 95; \"integer\" rounds luma, color "
            "differences and their means as the Independent JPEG Group's library does, so that "
            "19 of 20 coefficients at quality 100, and more below, are those of its files. Beyond "
            "the right and lower edge the "
            "last pixels are repeated. The file has the source's size: for another one use "
            "image/resize before. "
            "Quality scales the tables of the standard as the Independent JPEG Group's library "
            "does. Tables that fit the picture (\"optimised\") make files 2 to 10 % smaller and "
            "take three more kernels. \"decoded\" is the picture of libjpeg-turbo's decoder, to "
            "the bit.\n\nAll devices write the same bytes. The file equals that of a sequential "
            "encoder in double precision, except for coefficients within 0.001 of halfway between "
            "two integers. If a file is longer than its room, its beginning is written, nothing "
            "beyond the room, and the status has a length that is enough: the file's, or where "
            "there was not even room for the data before stuffing, at most twice as many. tuff run "
            "and the viewer then execute the graph again with more room.")
        .source("ITU-T T.81, 1992; Balevic, \"Parallel Variable-Length Encoding on GPGPUs\", 2009; "
                "\"Real-Time JPEG Compression Using DirectCompute\", GPU Pro 4, 2013")
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
    info.parameter("quality", &JpegEncode::quality,
                   "1: smallest file; 100: quantization steps of 1")
        .range(1, 100)
        .structural();
    info.parameter("sampling", &JpegEncode::sampling, "which pixels share their chroma")
        .structural();
    info.parameter("color", &JpegEncode::color, "auto: grey where the source has one channel")
        .structural();
    info.parameter("tables", &JpegEncode::tables,
                   "Huffman codes: the standard's, the standard's luma codes for all, or codes "
                   "that fit the picture")
        .structural();
    info.parameter("restart", &JpegEncode::restart,
                   "MCUs (8 x 8 pixels, or the pixels that share chroma blocks) from one restart "
                   "marker to the next; 0: none")
        .range(0, 65535)
        .structural();
    info.parameter("transform", &JpegEncode::transform, "the algorithm of the block transform")
        .structural();
    info.parameter("alpha", &JpegEncode::alpha,
                   "alpha is left out, or colors are multiplied by it: the picture over black")
        .structural();
    info.parameter("conversion", &JpegEncode::conversion,
                   "luma and color differences: not rounded, or rounded as the Independent JPEG "
                   "Group's library does")
        .structural();
    info.output("file", &JpegEncode::file, "the file's bytes, followed by unused room")
        .elements<std::uint32_t>();
    info.output("length", &JpegEncode::length, "length of the file in bytes")
        .elements<std::uint32_t>();
    info.output("status", &JpegEncode::status,
                "bytes, room, bytes before stuffing, and number of pixels that are not finite")
        .elements<std::uint32_t>();
    info.output("decoded", &JpegEncode::decoded, "the decoded picture of the file, rgba8_unorm");
}

void JpegEncode::build(Graph& graph) {
    const std::optional<EncodeShape> shape =
        jpeg::shape_of(graph, source, sampling, color, restart);
    if (shape) Encoder(graph, *this, *shape).run(*this);
}

TUFF_PASS(JpegEncode)

} // namespace tuff::passes
