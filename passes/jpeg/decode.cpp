#include "passes/jpeg/decode.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/jpeg/decode_stream.hpp"
#include "passes/jpeg/shown.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

using jpeg::blocks_of;
using jpeg::DecodeComponent;
using jpeg::DecodeHeader;
using jpeg::DecodeStream;

/// With the subsequences that two groups share a second one has seldom something to do.
constexpr std::uint32_t kSyncRounds = 2;

/// The graph's nodes of one picture.
class DecodeNodes {
  public:
    DecodeNodes(Graph& graph, const DecodeHeader& header, const DecodeStream& stream)
        : graph_(graph), header_(header),
          subsequences_(static_cast<std::uint32_t>(stream.segment_of.size())),
          segment_count_(static_cast<std::uint32_t>(stream.segments.size())),
          subsequence_bits_(stream.subsequence_bits) {
        words_ = constant_array(graph, "stream", stream.words);
        const jpeg::LookupTables tables = jpeg::lookup_tables(header);
        pairs_ = tables.pairs;
        tables_ = constant_array(graph, "tables", tables.words);
        segments_ = constant_array(graph, "segments", stream.segments);
        segment_of_ = constant_array(graph, "segment_of", stream.segment_of);
    }
    void synchronize();
    void write();
    jpeg::SamplePlane samples(std::size_t component);

  private:
    std::vector<std::uint32_t> places() const;
    std::uint32_t first_difference(std::size_t component) const;
    std::uint32_t blocks_before(std::size_t component) const;
    void bind_stream(ComputeNodeBuilder& node);

    Graph& graph_;
    const DecodeHeader& header_;
    std::uint32_t subsequences_;
    std::uint32_t segment_count_;
    std::uint32_t subsequence_bits_;
    std::uint32_t pairs_ = 0; ///< as in jpeg::LookupTables
    Buffer words_, tables_, segments_, segment_of_;
    Buffer states_, completed_, offsets_, coefficients_, sums_;
};

std::uint32_t DecodeNodes::blocks_before(std::size_t component) const {
    std::uint32_t blocks = 0;
    for (std::size_t i = 0; i < component; ++i)
        blocks += blocks_of(header_.components[i]);
    return blocks;
}

std::uint32_t DecodeNodes::first_difference(std::size_t component) const {
    return header_.mcu_count() * blocks_before(component);
}

std::vector<std::uint32_t> DecodeNodes::places() const {
    std::vector<std::uint32_t> words;
    for (std::size_t c = 0; c < header_.components.size(); ++c) {
        const DecodeComponent& component = header_.components[c];
        for (std::uint32_t i = 0; i < blocks_of(component); ++i)
            words.insert(words.end(), {first_difference(c), blocks_of(component), i});
    }
    return words;
}

void DecodeNodes::bind_stream(ComputeNodeBuilder& node) {
    node.specialize("subsequence_bits", subsequence_bits_);
    node.set("subsequences", subsequences_);
    node.set("blocks", header_.blocks_of_mcu());
    node.set("pairs", pairs_);
    node.read("stream", words_);
    node.read("tables", tables_);
    node.read("segments", segments_);
    node.read("segment_of", segment_of_);
}

void DecodeNodes::synchronize() {
    const BufferDesc states{.size = 16 * std::uint64_t{subsequences_}, .stride = 16};
    completed_ = array(graph_, "completed", subsequences_);
    const std::uint32_t groups = div_round_up(subsequences_, jpeg::kSyncStride);
    for (std::uint32_t round = 0; round < std::min(groups, kSyncRounds); ++round) {
        ComputeNodeBuilder node =
            graph_.compute("jpeg/decode_sync", {{"AGAIN", round > 0 ? 1u : 0u}});
        bind_stream(node);
        if (round > 0) node.read("before", states_);
        states_ = node.write("after", graph_.buffer("states", states));
        completed_ = node.write("completed", completed_);
        node.dispatch_each(groups * jpeg::kSyncGroup);
    }
    if (groups > 1) {
        ComputeNodeBuilder node = graph_.compute("jpeg/decode_mend");
        bind_stream(node);
        states_ = node.write("states", states_);
        completed_ = node.write("completed", completed_);
        node.dispatch(1);
    }
    offsets_ = graph_.add(Scan{.source = completed_}, "offsets").result;
}

void DecodeNodes::write() {
    const std::uint64_t blocks = std::uint64_t{header_.mcu_count()} * header_.blocks_of_mcu();
    const std::vector<std::uint32_t> order(jpeg::kZigzag.begin(), jpeg::kZigzag.end());
    coefficients_ = graph_.fill(array(graph_, "coefficients", 64 * blocks), 0);
    Buffer differences = graph_.fill(array(graph_, "differences", blocks), 0);
    ComputeNodeBuilder node = graph_.compute("jpeg/decode_write");
    bind_stream(node);
    node.read("states", states_);
    node.read("offsets", offsets_);
    node.read("places", constant_array(graph_, "places", places()));
    node.read("order", constant_array(graph_, "order", order));
    coefficients_ = node.write("coefficients", coefficients_);
    differences = node.write("differences", differences);
    node.dispatch_each(subsequences_);
    sums_ = graph_
                .add(Scan{.source = differences, .type = Element::i32, .kind = ScanKind::inclusive},
                     "sums")
                .result;
}

jpeg::SamplePlane DecodeNodes::samples(std::size_t c) {
    const DecodeComponent& component = header_.components[c];
    const std::uint32_t blocks = header_.mcu_count() * blocks_of(component);
    const std::vector<std::int32_t> divisors(component.divisors.begin(), component.divisors.end());
    ComputeNodeBuilder node = graph_.compute("jpeg/decode_idct");
    node.set("mcus", glm::uvec2(header_.mcus_across(), header_.mcus_down()));
    node.set("sampling", glm::uvec2(component.across, component.down));
    node.set("first_block", blocks_before(c));
    node.set("blocks_of_mcu", header_.blocks_of_mcu());
    node.set("first_difference", first_difference(c));
    node.set("interval", header_.restart_interval ? header_.restart_interval : header_.mcu_count());
    node.set("segments", segment_count_);
    node.read("segments", segments_);
    node.read("states", states_);
    node.read("offsets", offsets_);
    node.read("completed", completed_);
    node.read("coefficients", coefficients_);
    node.read("sums", sums_);
    node.read("divisors", constant_array(graph_, "divisors", divisors));
    const Buffer samples =
        node.write("samples", array(graph_, "samples", 16 * std::uint64_t{blocks}));
    node.dispatch_each(8 * blocks);
    return {
        .words = samples,
        .row_words = 2 * header_.mcus_across() * component.across,
        .ratio = {header_.max_across() / component.across, header_.max_down() / component.down}};
}

} // namespace

void JpegDecode::describe(PassInfo<JpegDecode>& info) {
    info.summary("Decodes a baseline JPEG file on the device")
        .details(
            "The Huffman code is decoded in parallel: each invocation starts somewhere in the "
            "stream and continues from where the previous one ended, until all agree. Restart "
            "markers are not needed. The inverse transform, upsampling and color conversion are "
            "those of libjpeg-turbo in integers, and give the same bytes. As there, a file with "
            "JFIF's "
            "segment holds luma and color differences; another file holds red, green and blue if "
            "Adobe's segment says so (transform 0) or, without that segment, if its components "
            "are named R, G and B. Missing parts of a "
            "damaged stream have coefficients of zero: gray. What it "
            "does not decode is an error (jpeg/unsupported): progressive, arithmetic, lossless and "
            "12-bit files, two, four or more components, several scans, components in another "
            "order than the frame's, and a height that follows the scan (DNL).\n\nThe CPU reads "
            "the header, drops the bytes that follow those of 255, and finds restart markers when "
            "the graph is built, a byte at a time. So the file has to be a constant: the output of "
            "jpeg/encode cannot be decoded in the same graph, but its \"decoded\" is that picture.")
        .source("ITU-T T.81; Weissenberger and Schmidt, \"Massively Parallel Huffman Decoding on "
                "GPUs\", ICPP 2018; Loeffler, Ligtenberg and Moschytz, ICASSP 1989")
        .complexity("O(bytes + pixels)")
        .cost([](const JpegDecode& pass, const Graph& graph) {
            const Extent size = pass.result ? graph.extent(pass.result) : Extent{};
            const double pixels = static_cast<double>(size.width) * size.height;
            const auto bytes = static_cast<double>(graph.desc(pass.file).size);
            return Cost{.bytes = bytes + 4.0 * pixels, .operations = 30.0 * pixels};
        });
    info.input("file", &JpegDecode::file, "the file's bytes, a constant of the graph")
        .elements<std::uint32_t>();
    info.parameter("upsampling", &JpegDecode::upsampling, "upsampling of subsampled chroma")
        .structural();
    info.output("result", &JpegDecode::result, "rgba8_unorm, of the file's size");
}

void JpegDecode::build(Graph& graph) {
    const VersionDesc& version = graph.peek().versions[file.version.index];
    const auto& contents = graph.peek().resources[version.resource.index].contents;
    if (!contents) {
        graph.error("jpeg/not-constant", "the file's bytes are not known when the graph is built",
                    "connect the file as a constant");
        return;
    }
    const Result<DecodeHeader> header = jpeg::read_header(*contents);
    if (!header) {
        for (const Diagnostic& diagnostic : header.error())
            graph.report(diagnostic);
        return;
    }
    const Result<DecodeStream> stream = jpeg::read_stream(*contents, *header);
    if (!stream) {
        for (const Diagnostic& diagnostic : stream.error())
            graph.report(diagnostic);
        return;
    }
    // Coefficients are words, and numbered by 32 bits.
    if (std::uint64_t{header->mcu_count()} * header->blocks_of_mcu() > kMaxElements / 64) {
        graph.error("jpeg/too-large", "the picture has more than 2^30 coefficients",
                    "load the file as an image asset");
        return;
    }
    DecodeNodes nodes(graph, *header, *stream);
    nodes.synchronize();
    nodes.write();
    std::vector<jpeg::SamplePlane> planes;
    for (std::size_t c = 0; c < header->components.size(); ++c)
        planes.push_back(nodes.samples(c));
    result =
        jpeg::colors_of(graph, {header->width, header->height}, planes, header->colors, upsampling);
}

TUFF_PASS(JpegDecode)

} // namespace tuff::passes
