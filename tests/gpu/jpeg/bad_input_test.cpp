// What jpeg/encode, jpeg/encode_blocks and jpeg/decode refuse, in the words of docs/diagnostics.md.

#include "encode_fixture.hpp"
#include "passes/jpeg/decode.hpp"
#include "passes/jpeg/encode_blocks.hpp"

#include <string>

namespace tuff {
namespace {

using passes::JpegDecode;
using passes::JpegEncode;
using passes::JpegEncodeBlocks;
using passes::JpegTables;

class JpegBadInput : public testing_gpu::GpuTest {
  protected:
    /// The first diagnostic of a graph with this pass; "" where there is none.
    template <typename Pass>
    std::string code_of(ImageDesc desc, Pass pass = {}) {
        Graph g = graph();
        pass.source = g.image("picture", desc);
        (void)g.add(pass);
        return first_code(std::move(g));
    }
    static std::string first_code(Graph g) {
        const GraphDesc done = std::move(g).finish();
        return done.diagnostics.empty() ? std::string() : done.diagnostics.front().code;
    }
    template <typename Pass>
    void expect_refusals() {
        const auto code = [&](ImageDesc desc) { return code_of<Pass>(desc); };
        const Format format = Format::rgba8_unorm;
        EXPECT_EQ(code({.format = format, .extent = {65535, 1}}), "");
        EXPECT_EQ(code({.format = format, .extent = {1, 65535}}), "");
        EXPECT_EQ(code({.format = format, .extent = {65536, 1}}), "jpeg/too-large");
        EXPECT_EQ(code({.format = format, .extent = {1, 65536}}), "jpeg/too-large");
        // Neither side is too long, but there are more coefficients than a buffer holds.
        EXPECT_EQ(code({.format = format, .extent = {65535, 65535}}), "jpeg/too-large");
        for (const Format other : {Format::rg8_unorm, Format::rg16_sfloat})
            EXPECT_EQ(code({.format = other, .extent = {5, 4}}), "jpeg/unsupported-format")
                << info(other).name;
        for (const Format other : {Format::r8_uint, Format::rgba8_uint, Format::r32_sint})
            EXPECT_EQ(code({.format = other, .extent = {5, 4}}), "image/unsupported-format")
                << info(other).name;
        EXPECT_EQ(code({.format = format, .extent = {5, 4}, .layers = 2}),
                  "image/not-two-dimensional");
        EXPECT_EQ(code({.format = format, .extent = {5, 4, 3}, .shape = ImageShape::d3}),
                  "image/not-two-dimensional");
        for (const std::int64_t quality : {-1, 0, 101}) {
            EXPECT_EQ(code_of<Pass>({.format = format, .extent = {5, 4}}, {.quality = quality}),
                      "pass/out-of-range")
                << quality;
        }
        for (const std::int64_t quality : {1, 100}) {
            EXPECT_EQ(code_of<Pass>({.format = format, .extent = {5, 4}}, {.quality = quality}), "")
                << quality;
        }
    }
};

TEST_F(JpegBadInput, SizesFormatsAndQualitiesOutOfRangeAreRefused) {
    expect_refusals<JpegEncode>();
    expect_refusals<JpegEncodeBlocks>();
}

TEST_F(JpegBadInput, RestartIntervalsHaveSixteenBits) {
    const ImageDesc desc{.format = Format::rgba8_unorm, .extent = {5, 4}};
    EXPECT_EQ(code_of<JpegEncode>(desc, {.restart = 65535}), "");
    EXPECT_EQ(code_of<JpegEncode>(desc, {.restart = 65536}), "pass/out-of-range");
    EXPECT_EQ(code_of<JpegEncode>(desc, {.restart = -1}), "pass/out-of-range");
}

TEST_F(JpegBadInput, BlocksAloneHaveNoOptimisedTables) {
    const ImageDesc desc{.format = Format::rgba8_unorm, .extent = {5, 4}};
    EXPECT_EQ(code_of<JpegEncodeBlocks>(desc, {.tables = JpegTables::optimised}),
              "jpeg/no-optimised-blocks");
    EXPECT_EQ(code_of<JpegEncodeBlocks>(desc, {.tables = JpegTables::standard}), "");
}

TEST_F(JpegBadInput, FilesToDecodeAreConstants) {
    Graph g = graph();
    const Buffer bytes = g.fill(g.buffer("file", {.size = 64}), 0);
    (void)g.add(JpegDecode{.file = bytes});
    EXPECT_EQ(first_code(std::move(g)), "jpeg/not-constant");
}

TEST_F(JpegBadInput, FilesThatAreNoneOrCutOffAreReported) {
    for (const std::size_t size : {4u, 64u}) {
        Graph g = graph();
        const std::vector<std::byte> zeros(size);
        const Buffer bytes =
            g.constant_buffer("file", {.size = size}, testing_gpu::bytes_of(zeros));
        (void)g.add(JpegDecode{.file = bytes});
        EXPECT_EQ(first_code(std::move(g)), "jpeg/damaged");
    }
}

} // namespace
} // namespace tuff
