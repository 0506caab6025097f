#include "passes/primitives/reduce.hpp"
#include "primitive_test.hpp"
#include "reference.hpp"

#include <fmt/format.h>

#include <functional>

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

TEST_F(ReduceTest, ProductsOfIntegersWrap) {
    for (const std::uint32_t n : testing_gpu::few_lengths())
        for (const Known known : testing_gpu::kKnown) {
            Words values = make_values<std::uint32_t>(n, Pattern::random);
            std::uint32_t product = 1;
            for (std::uint32_t& value : values)
                product *= value |= 1u; // odd, or all is zero soon
            reduce_later(values, Reduction::product, known,
                         [=](const Words& got) { EXPECT_EQ(got[0], product) << n; });
            std::vector<std::int32_t> negative;
            for (const std::uint32_t value : values)
                negative.push_back(static_cast<std::int32_t>(value));
            reduce_later(negative, Reduction::product, known,
                         [=](const Words& got) { EXPECT_EQ(got[0], product) << n; });
        }
    run_batch();
}

TEST_F(ReduceTest, ProductsOfFloatsAreNearTheExactOnes) {
    for (const std::uint32_t n : testing_gpu::few_lengths()) {
        std::mt19937 random(3);
        std::vector<float> values(n);
        double product = 1.0;
        for (float& value : values) {
            value = std::uniform_real_distribution<float>(0.8f, 1.22f)(random);
            product *= static_cast<double>(value);
        }
        if (n > 1) {
            values[n / 2] = -values[n / 2];
            product = -product;
        }
        const double bound = 1e-6 * std::max(std::log2(n + 1.0), 1.0) * std::abs(product);
        reduce_later(values, Reduction::product, Known::cpu, [=](const Words& got) {
            EXPECT_NEAR(std::bit_cast<float>(got[0]), product, bound) << n;
        });
    }
    run_batch();
}

/// An operator of the user's, and what it makes of the elements on the CPU.
template <typename T>
struct Operator {
    std::string combine;
    std::string identity;
    glm::vec4 p;
    T begin;
    std::function<T(T, T)> of;
};

class CustomReduceTest : public ReduceTest {
  protected:
    template <typename T>
    void expect_operator(const Operator<T>& op) {
        for (const std::uint32_t n : testing_gpu::few_lengths())
            for (const Known known : testing_gpu::kKnown) {
                const auto values = make_values<T>(n, Pattern::random);
                Graph& g = batch();
                Reduce pass{.operation = Reduction::custom};
                pass.type = testing_gpu::element_of<T>();
                pass.combine = op.combine;
                pass.identity = op.identity;
                pass.p = op.p;
                pass.source = array(g, "source", values, n + 37);
                if (known == Known::cpu)
                    pass.length = n;
                else
                    pass.count = count(g, n);
                g.output(tag() + "result", g.add(pass).result);
                later([=, tag = tag()](Running& running) {
                    T expected = op.begin;
                    for (const T value : values)
                        expected = op.of(expected, value);
                    EXPECT_THAT(running.buffer<T>(tag + "result"), testing::ElementsAre(expected))
                        << op.combine << ", " << n << " elements";
                });
            }
    }
    Diagnostics problems_of(std::string combine, std::string identity) {
        Graph g = graph();
        Reduce pass{.type = passes::Element::f32, .operation = Reduction::custom};
        pass.combine = std::move(combine);
        pass.identity = std::move(identity);
        pass.source = array<float>(g, "source", {1, 2, 3});
        static_cast<void>(g.add(pass));
        return g.peek().diagnostics;
    }
};

TEST_F(CustomReduceTest, OperatorsOfTheUserCombineAllElements) {
    expect_operator<std::uint32_t>({"x ^ y", "0u", {}, 0, std::bit_xor<std::uint32_t>()});
    expect_operator<std::uint32_t>(
        {"x & y | uint(p.x)", "~0u", {64, 0, 0, 0}, ~0u, [](std::uint32_t x, std::uint32_t y) {
             return (x & y) | 64u;
         }});
    expect_operator<std::int32_t>(
        {"max(x, y)", "int(p.y)", {0, -7, 0, 0}, -7, [](std::int32_t x, std::int32_t y) {
             return std::max(x, y);
         }});
    expect_operator<float>({"max(abs(x), abs(y))", "0.0", {}, 0.0f, [](float x, float y) {
                                return std::max(std::abs(x), std::abs(y));
                            }});
    run_batch();
}

TEST_F(CustomReduceTest, AWrongExpressionIsReportedOnceWithItsParameter) {
    struct Case {
        std::string combine;
        std::string identity;
        std::string says;
        std::string hint;
    };
    for (const Case& c : {Case{"x * z", "1.0", "\"combine\", column 5", "x and y (float"},
                          Case{"x * i", "1.0", "\"combine\", column 5", "x and y (float"},
                          Case{"", "1.0", "\"combine\", column 1", "x and y (float"},
                          Case{"x * y", "x", "\"identity\", column 1", "expression of p"},
                          Case{"x * y", "", "\"identity\", column 1", "expression of p"}}) {
        const Diagnostics problems = problems_of(c.combine, c.identity);
        ASSERT_EQ(problems.size(), 1u) << c.combine << ", " << c.identity;
        EXPECT_EQ(problems[0].code, "primitives/bad-expression");
        EXPECT_THAT(problems[0].message, testing::HasSubstr(c.says));
        EXPECT_THAT(problems[0].hint, testing::HasSubstr(c.hint));
    }
}

TEST_F(CustomReduceTest, TheIdentityIsZeroInAKernelWithoutAnExpression) {
    Graph g = graph();
    ComputeNodeBuilder node = g.compute("primitives/reduce_identity");
    node.set("p", glm::vec4(1.0f));
    node.set("words", 1u);
    const Buffer word = node.write("result", passes::array(g, "identity", 1));
    node.dispatch(1);
    g.output("word", word);
    EXPECT_THAT(run(std::move(g)).buffer<std::uint32_t>("word"), testing::ElementsAre(0u));
}

} // namespace
} // namespace tuff
