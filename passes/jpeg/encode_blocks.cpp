#include "passes/jpeg/encode_blocks.hpp"

#include "passes/jpeg/encode_shape.hpp"
#include "passes/jpeg/stitch.hpp"
#include "passes/primitives/elements.hpp"

#include <optional>

namespace tuff::passes {
namespace {

/// The kernel of one component: 0 is luma.
Buffer code_component(Graph& graph, const JpegEncodeBlocks& pass, const jpeg::EncodeShape& shape,
                      std::uint32_t component, Buffer& counts) {
    const jpeg::FileHeader header =
        jpeg::header_of(graph.extent(pass.source), shape, pass.quality, pass.tables);
    const jpeg::ChromaSize parts = component == 0 ? shape.chroma : jpeg::ChromaSize{};
    const std::uint32_t blocks = shape.units * parts.across * parts.down;
    ComputeNodeBuilder node = graph.compute("jpeg/encode_block");
    node.specialize("component", component);
    node.specialize("across", shape.chroma.across);
    node.specialize("down", shape.chroma.down);
    node.specialize("by_matrix", pass.transform == JpegTransform::matrix ? 1u : 0u);
    node.set("blocks_across", shape.units_across * parts.across);
    node.set("blocks", blocks);
    counts = jpeg::read_pixels(node, graph, pass.source, counts);
    node.read("quantiser", jpeg::quantiser(graph, header, pass.transform));
    node.read("codes", jpeg::code_words(graph, pass.tables));
    const Buffer slots =
        node.write("slots", array(graph, "slots", std::uint64_t{blocks} * jpeg::kSlotWords));
    fold_groups(blocks).dispatch(node);
    return slots;
}

} // namespace

void JpegEncodeBlocks::describe(PassInfo<JpegEncodeBlocks>& info) {
    info.summary("Codes the blocks of a JPEG file, each for itself, for the CPU to put together")
        .details(
            "A kernel for each component, a group for each block, an invocation for each "
            "coefficient: the transform as a product of matrices or by the factorisation, run "
            "lengths by compaction, codes put together in shared memory. A block has a slot of 54 "
            "words: its first coefficient, the number of bits of all others' codes, and these "
            "bits. The function stitch (passes/jpeg/stitch.hpp) makes a file of them: it codes "
            "the first coefficients, stuffs bytes and writes the header. The file is that of "
            "jpeg/encode with the same parameters, byte for byte. This is the book's way, to "
            "compare with: jpeg/encode needs no CPU.")
        .source("\"Real-Time JPEG Compression Using DirectCompute\", GPU Pro 4, 2013; Balevic, "
                "\"Parallel Variable-Length Encoding on GPGPUs\", 2009")
        .complexity("O(pixels)")
        .cost([](const JpegEncodeBlocks& pass, const Graph& graph) {
            const Extent size = graph.extent(pass.source);
            const double pixels = static_cast<double>(size.width) * size.height;
            const double samples = pass.sampling == JpegSampling::s444   ? 3.0
                                   : pass.sampling == JpegSampling::s420 ? 1.5
                                                                         : 2.0;
            const double texel = tuff::info(graph.desc(pass.source).format).texel_bytes;
            return Cost{.bytes = pixels * (texel + samples * jpeg::kSlotWords * 4.0 / 64.0),
                        .operations = 30.0 * pixels * samples};
        });
    info.input("source", &JpegEncodeBlocks::source, "the picture, up to 65,535 pixels a side")
        .picture();
    info.parameter("quality", &JpegEncodeBlocks::quality, "1: smallest; 100: divides by 1")
        .range(1, 100)
        .structural();
    info.parameter("sampling", &JpegEncodeBlocks::sampling, "which pixels share their chroma")
        .structural();
    info.parameter("color", &JpegEncodeBlocks::color, "auto: grey where the source has one channel")
        .structural();
    info.parameter("tables", &JpegEncodeBlocks::tables,
                   "Huffman codes: the standard's, or those of luma for all components")
        .structural();
    info.parameter("transform", &JpegEncodeBlocks::transform, "how blocks are transformed")
        .structural();
    info.output("luma", &JpegEncodeBlocks::luma, "slots, in rows of blocks")
        .elements<std::uint32_t>();
    info.output("blue", &JpegEncodeBlocks::blue,
                "slots of the difference of blue; not of grey ones")
        .elements<std::uint32_t>();
    info.output("red", &JpegEncodeBlocks::red, "slots of the difference of red; not of grey ones")
        .elements<std::uint32_t>();
    info.output("not_finite", &JpegEncodeBlocks::not_finite,
                "how many pixels are not finite and were taken as 0")
        .elements<std::uint32_t>();
}

void JpegEncodeBlocks::build(Graph& graph) {
    if (tables == JpegTables::optimised) {
        graph.error("jpeg/no-optimised-blocks",
                    "blocks that are coded for themselves have codes that are known before",
                    "take tables \"standard\" or \"single\", or jpeg/encode");
        return;
    }
    const std::optional<jpeg::EncodeShape> shape =
        jpeg::shape_of(graph, source, sampling, color, 0);
    if (!shape) return;
    if (std::uint64_t{shape->blocks()} * jpeg::kSlotWords > kMaxElements) {
        graph.error("jpeg/too-large", "the picture has more blocks than a buffer holds slots",
                    "cut it with image/crop, or take jpeg/encode");
        return;
    }
    Buffer counts = graph.fill(array(graph, "not_finite", 4), 0, "clear_counts");
    luma = code_component(graph, *this, *shape, 0, counts);
    if (!shape->grey) {
        blue = code_component(graph, *this, *shape, 1, counts);
        red = code_component(graph, *this, *shape, 2, counts);
    }
    not_finite = counts;
}

TUFF_PASS(JpegEncodeBlocks)

} // namespace tuff::passes
