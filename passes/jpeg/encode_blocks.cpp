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
    counts = jpeg::read_pixels(node, graph, pass.source,
                               {.alpha = pass.alpha, .conversion = pass.conversion}, counts);
    node.read("quantiser", jpeg::quantiser(graph, header, pass.transform));
    node.read("codes", jpeg::code_words(graph, pass.tables));
    const Buffer slots =
        node.write("slots", array(graph, "slots", std::uint64_t{blocks} * jpeg::kSlotWords));
    fold_groups(blocks).dispatch(node);
    return slots;
}

} // namespace

void JpegEncodeBlocks::describe(PassInfo<JpegEncodeBlocks>& info) {
    info.summary("Encodes the blocks of a JPEG file separately, for the CPU to join")
        .details(
            "This is the book's method, for comparison; jpeg/encode needs no CPU and gives the "
            "same file for the same parameters, byte for byte.\n\nA kernel runs for each "
            "component, with a group for each block and an invocation for each coefficient: the "
            "transform is a product of matrices or the factorisation, run lengths come from "
            "compaction, and codes are joined in shared memory. A block has a slot of 54 words: "
            "its first coefficient, the number of bits of all other codes, and these bits. The "
            "function stitch (passes/jpeg/stitch.hpp) joins them into a file: it codes the first "
            "coefficients, stuffs bytes and writes the header.")
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
    info.parameter("quality", &JpegEncodeBlocks::quality,
                   "1: smallest file; 100: quantization steps of 1")
        .range(1, 100)
        .structural();
    info.parameter("sampling", &JpegEncodeBlocks::sampling, "which pixels share their chroma")
        .structural();
    info.parameter("color", &JpegEncodeBlocks::color, "auto: grey where the source has one channel")
        .structural();
    info.parameter("tables", &JpegEncodeBlocks::tables,
                   "Huffman codes: the standard's, or those of luma for all components")
        .structural();
    info.parameter("transform", &JpegEncodeBlocks::transform,
                   "the algorithm of the block transform")
        .structural();
    info.parameter("alpha", &JpegEncodeBlocks::alpha,
                   "alpha is left out, or colors are multiplied by it: the picture over black")
        .structural();
    info.parameter("conversion", &JpegEncodeBlocks::conversion,
                   "luma and color differences: not rounded, or rounded as the Independent JPEG "
                   "Group's library does")
        .structural();
    info.output("luma", &JpegEncodeBlocks::luma, "slots, in rows of blocks")
        .elements<std::uint32_t>();
    info.output("blue", &JpegEncodeBlocks::blue,
                "slots of the blue difference; not for grey pictures")
        .elements<std::uint32_t>();
    info.output("red", &JpegEncodeBlocks::red, "slots of the red difference; not for grey pictures")
        .elements<std::uint32_t>();
    info.output("not_finite", &JpegEncodeBlocks::not_finite,
                "number of pixels that are not finite and count as 0")
        .elements<std::uint32_t>();
}

void JpegEncodeBlocks::build(Graph& graph) {
    if (tables == JpegTables::optimised) {
        graph.error("jpeg/no-optimised-blocks",
                    "separate blocks need Huffman codes that are known in advance",
                    "set \"tables\" to \"standard\" or \"single\", or use jpeg/encode");
        return;
    }
    const std::optional<jpeg::EncodeShape> shape =
        jpeg::shape_of(graph, source, sampling, color, 0);
    if (!shape) return;
    if (std::uint64_t{shape->blocks()} * jpeg::kSlotWords > kMaxElements) {
        graph.error("jpeg/too-large", "the picture has more blocks than a buffer has slots",
                    "cut it with image/crop, or use jpeg/encode");
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
