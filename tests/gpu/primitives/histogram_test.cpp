#include "passes/primitives/histogram.hpp"
#include "primitive_test.hpp"

#include <cmath>
#include <limits>

namespace tuff {
namespace {

using passes::Binning;
using passes::Histogram;
using testing_gpu::difference;
using testing_gpu::Known;
using testing_gpu::make_values;
using testing_gpu::Pattern;
using testing_gpu::Running;
using Words = std::vector<std::uint32_t>;

class HistogramTest : public testing_gpu::PrimitiveTest {
  protected:
    template <typename T>
    void expect(std::vector<T> values, Histogram pass, Known known, Words expected) {
        Graph& g = batch();
        pass.source = array(g, "source", values, values.size() + 37);
        pass.type = testing_gpu::element_of<T>();
        if (known == Known::cpu)
            pass.length = static_cast<std::int64_t>(values.size());
        else
            pass.count = count(g, static_cast<std::uint32_t>(values.size()));
        g.output(tag() + "result", g.add(pass).result);
        later([=, size = values.size(), tag = tag()](Running& running) {
            EXPECT_EQ(difference(running.buffer<std::uint32_t>(tag + "result"), expected), "")
                << size << " elements";
        });
    }
};

TEST_F(HistogramTest, CountsBytesAtEveryLength) {
    for (const std::uint32_t n : testing_gpu::lengths()) {
        const Words values =
            make_values<std::uint32_t>(n, n % 2 == 0 ? Pattern::random : Pattern::equal);
        Words expected(256);
        for (const std::uint32_t value : values)
            for (int shift = 0; shift < 32; shift += 8)
                ++expected[value >> shift & 0xff];
        expect(values, {.binning = Binning::bytes}, Known::cpu, expected);
    }
    run_batch();
}

TEST_F(HistogramTest, CountsIntegersOfAnyNumberOfBins) {
    for (const std::uint32_t bins : {1u, 3u, 256u, 8192u, 8193u, 50'000u})
        for (const Known known : testing_gpu::kKnown) {
            std::vector<std::int32_t> values = make_values<std::int32_t>(30'011, Pattern::random);
            Words expected(bins);
            for (std::int32_t& value : values) {
                value = value % 40'000; // both signs, some outside
                if (value >= -5 && value < -5 + static_cast<std::int64_t>(bins))
                    ++expected[static_cast<std::size_t>(value + 5)];
            }
            expect(values, {.binning = Binning::integers, .bins = bins, .low = -5.0f}, known,
                   expected);
        }
    run_batch();
}

TEST_F(HistogramTest, CountsFloatsWithinTheRangeAndNoNan) {
    // Bin widths are powers of two, so that the CPU and the device round alike.
    std::vector<float> values = make_values<float>(20'011, Pattern::special);
    Words expected(64);
    for (const float value : values)
        if (value >= -512.0f && value < 512.0f)
            ++expected[static_cast<std::size_t>((value + 512.0f) / 16.0f)];
    expect(values, {.bins = 64, .low = -512.0f, .high = 512.0f}, Known::cpu, expected);
    run_batch();
}

TEST_F(HistogramTest, ARangeOfNothingIsReported) {
    for (const Histogram& pass :
         {Histogram{.low = 1.0f, .high = 1.0f}, Histogram{.low = 2.0f, .high = 1.0f},
          Histogram{.high = std::numeric_limits<float>::infinity()},
          Histogram{.binning = Binning::integers, .low = 0.5f}}) {
        Graph g = graph();
        Histogram wrong = pass;
        wrong.source = array<std::uint32_t>(g, "source", {1, 2, 3});
        static_cast<void>(g.add(wrong));
        ASSERT_EQ(g.peek().diagnostics.size(), 1u);
        EXPECT_EQ(g.peek().diagnostics[0].code,
                  std::isfinite(pass.high) ? "primitives/bad-range" : "pass/out-of-range");
    }
}

} // namespace
} // namespace tuff
