#include "passes/primitives/reduce.hpp"
#include "primitive_test.hpp"
#include "reference.hpp"

#include <fmt/format.h>

namespace tuff {
namespace {

using passes::Combine;
using passes::Reduce;
using passes::Reduction;
using testing_gpu::Known;
using testing_gpu::make_values;
using testing_gpu::Pattern;
using testing_gpu::Running;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kNowhere = ~0u;

class ReduceTest : public testing_gpu::PrimitiveTest {
  protected:
    template <typename T>
    void reduce_later(const std::vector<T>& values, Reduction operation, Known known,
                      std::function<void(const Words&)> check) {
        Graph& g = batch();
        Reduce reduce{.type = testing_gpu::element_of<T>(), .operation = operation};
        reduce.source = array(g, "source", values, values.size() + 37);
        if (known == Known::cpu)
            reduce.length = static_cast<std::int64_t>(values.size());
        else
            reduce.count = count(g, static_cast<std::uint32_t>(values.size()));
        g.output(tag() + "result", g.add(reduce).result);
        later([tag = tag(), check](Running& running) {
            Words result = running.buffer<std::uint32_t>(tag + "result");
            result.resize(2);
            check(result);
        });
    }

    /// By itself.
    template <typename T>
    Words reduced(const std::vector<T>& values, Reduction operation, Known known = Known::cpu) {
        Words result(2);
        reduce_later(values, operation, known, [&](const Words& got) { result = got; });
        run_batch();
        return result;
    }

    template <typename T>
    void expect_exact(std::size_t count, Pattern pattern, Reduction operation, Known known) {
        const auto values = make_values<T>(count, pattern);
        reduce_later(values, operation, known, [=](const Words& got) {
            SCOPED_TRACE(fmt::format("{} elements, pattern {}, operation {}, {}", count,
                                     static_cast<int>(pattern), static_cast<int>(operation),
                                     known == Known::cpu ? "length" : "count"));
            const bool least = operation == Reduction::min || operation == Reduction::argmin;
            const Combine combine = operation == Reduction::sum ? Combine::sum
                                    : least                     ? Combine::min
                                                                : Combine::max;
            const auto bits = [](T value) { return std::bit_cast<std::uint32_t>(value); };
            const T extreme = testing_gpu::reduction_of(values, combine);
            if (operation == Reduction::argmin || operation == Reduction::argmax) {
                const auto found = std::ranges::find(values, bits(extreme), bits);
                const bool any = found != values.end();
                EXPECT_EQ(got[0],
                          any ? static_cast<std::uint32_t>(found - values.begin()) : kNowhere);
                EXPECT_EQ(got[1], bits(extreme));
            } else {
                EXPECT_EQ(got[0], bits(extreme));
            }
        });
    }
};

TEST_F(ReduceTest, SumsAreExactAtEveryLength) {
    for (const std::uint32_t n : testing_gpu::lengths())
        expect_exact<std::uint32_t>(n, Pattern::random, Reduction::sum, Known::cpu);
    run_batch();
}

TEST_F(ReduceTest, TheDeviceMayKnowTheLength) {
    for (const std::uint32_t n : testing_gpu::few_lengths())
        for (const Reduction operation : {Reduction::sum, Reduction::argmax})
            expect_exact<std::int32_t>(n, Pattern::random, operation, Known::device);
    run_batch();
}

TEST_F(ReduceTest, ExtremesAndTheirPlacesAreExact) {
    for (const Reduction operation :
         {Reduction::min, Reduction::max, Reduction::argmin, Reduction::argmax})
        for (const Pattern pattern : testing_gpu::kPatterns)
            for (const std::uint32_t n : {0u, 1u, 4099u, 20'011u}) {
                expect_exact<std::uint32_t>(n, pattern, operation, Known::cpu);
                expect_exact<std::int32_t>(n, pattern, operation, Known::cpu);
                expect_exact<float>(n, pattern, operation, Known::cpu);
            }
    run_batch();
}

TEST_F(ReduceTest, OfNothingButNanTheExtremeIsNowhere) {
    const std::vector<float> values(300, std::numeric_limits<float>::quiet_NaN());
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(reduced(values, Reduction::argmin),
              (Words{kNowhere, std::bit_cast<std::uint32_t>(infinity)}));
    EXPECT_EQ(reduced(values, Reduction::max)[0], std::bit_cast<std::uint32_t>(-infinity));
}

TEST_F(ReduceTest, SumsAndMeansOfFloatsAreWithinTheStatedBound) {
    for (const std::uint32_t n : {1u, 3u, 257u, 4097u, 100'003u, 1'000'003u})
        for (const Pattern pattern : {Pattern::random, Pattern::equal, Pattern::sorted}) {
            const auto values = make_values<float>(n, pattern);
            double sum = 0.0;
            double magnitude = 0.0;
            for (const float value : values) {
                sum += static_cast<double>(value);
                magnitude += std::abs(static_cast<double>(value));
            }
            const double bound = (40.0 + n / 2e6) * 0x1p-24 * magnitude;
            reduce_later(values, Reduction::sum, Known::cpu, [=](const Words& got) {
                EXPECT_NEAR(std::bit_cast<float>(got[0]), sum, bound) << n;
            });
            reduce_later(values, Reduction::mean, Known::cpu, [=](const Words& got) {
                EXPECT_NEAR(std::bit_cast<float>(got[0]), sum / n, bound / n) << n;
            });
        }
    run_batch();
}

TEST_F(ReduceTest, TheSumOfFloatsIsTheSameBitsEachTime) {
    const auto values = make_values<float>(70'001, Pattern::random);
    const std::uint32_t once = reduced(values, Reduction::sum)[0];
    EXPECT_EQ(reduced(values, Reduction::sum, Known::device)[0], once);
}

TEST_F(ReduceTest, MeansOfIntegersDoNotWrap) {
    const std::vector<std::uint32_t> large(1000, 4'000'000'000u);
    EXPECT_FLOAT_EQ(std::bit_cast<float>(reduced(large, Reduction::mean)[0]), 4e9f);
    const std::vector<std::int32_t> negative(1000, -2'000'000'000);
    EXPECT_FLOAT_EQ(std::bit_cast<float>(reduced(negative, Reduction::mean)[0]), -2e9f);
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(reduced(Words{}, Reduction::mean)[0])));
}

} // namespace
} // namespace tuff
