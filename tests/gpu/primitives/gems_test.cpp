#include "passes/primitives/gems/compact.hpp"
#include "passes/primitives/gems/reduce.hpp"
#include "primitive_test.hpp"

#include <fmt/format.h>

namespace tuff {
namespace {

using passes::CompactGems2;
using passes::GemsText;
using passes::PyramidOperation;
using passes::PyramidValue;
using passes::ReduceGems;
using testing_gpu::difference;
using testing_gpu::first;
using testing_gpu::Known;
using testing_gpu::make_values;
using testing_gpu::Pattern;
using testing_gpu::Running;
using Words = std::vector<std::uint32_t>;

class GemsTest : public testing_gpu::PrimitiveTest {
  protected:
    /// Flags about one in `sparse` elements; `right` counts the cases that come out as they must.
    void compact_later(std::uint32_t n, std::uint32_t sparse, GemsText text, Known known,
                       std::uint32_t& right) {
        const Words values = make_values<std::uint32_t>(n, Pattern::random);
        Words flags = make_values<std::uint32_t>(n, Pattern::random, n + sparse);
        for (std::uint32_t& flag : flags)
            flag = flag % sparse == 0 ? 1 : 0;
        Graph& g = batch();
        CompactGems2 pass{.text = text};
        pass.source = array(g, "source", values, n + 5);
        pass.flags = array(g, "flags", flags, n + 5);
        if (known == Known::cpu)
            pass.length = n;
        else
            pass.count = count(g, n);
        const CompactGems2 done = g.add(pass);
        g.output(tag() + "result", done.result);
        g.output(tag() + "kept", done.kept);
        later([=, &right, tag = tag()](Running& running) {
            Words expected;
            for (std::uint32_t i = 0; i < n; ++i)
                if (flags[i] != 0) expected.push_back(values[i]);
            const Words kept = running.buffer<std::uint32_t>(tag + "kept");
            const Words got = running.buffer<std::uint32_t>(tag + "result");
            if (kept == Words{static_cast<std::uint32_t>(expected.size())} &&
                difference(first(got, expected.size()), expected).empty())
                ++right;
        });
    }
};

TEST_F(GemsTest, TheCorrectedTextCompactsAtEveryLength) {
    std::uint32_t right = 0;
    std::uint32_t cases = 0;
    for (const std::uint32_t n : testing_gpu::few_lengths())
        for (const std::uint32_t sparse : {1u, 2u, 7u, 1u << 30})
            for (const Known known : testing_gpu::kKnown) {
                compact_later(n, sparse, GemsText::corrected, known, right);
                ++cases;
            }
    run_batch();
    EXPECT_EQ(right, cases);
}

TEST_F(GemsTest, ThePrintedTextsAreFoundWrong) {
    for (const GemsText text : {GemsText::printed_scan, GemsText::printed_search}) {
        std::uint32_t right = 0;
        for (std::uint32_t n = 1000; n < 1020; ++n)
            compact_later(n, 2, text, Known::cpu, right);
        run_batch();
        EXPECT_LT(right, 20u) << static_cast<int>(text);
    }
}

TEST_F(GemsTest, ThePyramidReducesPicturesOfEverySize) {
    struct Size {
        std::uint32_t width, height;
    };
    for (const Size size : {Size{1, 1}, Size{1, 7}, Size{65, 33}, Size{64, 64}, Size{127, 3}}) {
        const ImageDesc desc{.format = Format::rgba32_sfloat,
                             .extent = {size.width, size.height, 1}};
        std::vector<float> texels =
            make_values<float>(std::size_t{size.width} * size.height * 4, Pattern::random);
        for (float& value : texels)
            value = std::abs(value) + 0.01f;
        double sum = 0.0;
        double logs = 0.0;
        double greatest = 0.0;
        for (std::size_t i = 0; i < texels.size(); i += 4) {
            const double luminance = 0.2126 * static_cast<double>(texels[i]) +
                                     0.7152 * static_cast<double>(texels[i + 1]) +
                                     0.0722 * static_cast<double>(texels[i + 2]);
            sum += luminance;
            logs += std::log(luminance);
            greatest = std::max(greatest, luminance);
        }
        const double count = static_cast<double>(texels.size() / 4);
        Graph g = graph();
        const Image source = g.constant_image("source", desc, testing_gpu::bytes_of(texels));
        const auto reduced = [&](PyramidOperation operation, PyramidValue value) {
            return g.add(ReduceGems{.source = source, .operation = operation, .value = value})
                .result;
        };
        g.output("max", reduced(PyramidOperation::max, PyramidValue::luminance));
        g.output("sum", reduced(PyramidOperation::sum, PyramidValue::luminance));
        g.output("log", reduced(PyramidOperation::mean, PyramidValue::log_luminance));
        Running running = run(std::move(g));
        const auto value = [&](const char* name) {
            return static_cast<double>(running.image(name).texel(0, 0)[0]);
        };
        SCOPED_TRACE(fmt::format("{}x{}", size.width, size.height));
        EXPECT_NEAR(value("max"), greatest, greatest * 1e-6);
        EXPECT_NEAR(value("sum"), sum, sum * 2e-6);
        EXPECT_NEAR(value("log"), logs / count, 1e-4); // logarithms of devices differ
    }
}

} // namespace
} // namespace tuff
