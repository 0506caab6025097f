#include "tests/gpu/fft/fft_test.hpp"

/// What the passes refuse.
namespace tuff {
namespace {

using passes::FftForward;
using passes::FftInverse;
using passes::FftRealForward;
using passes::FftRealInverse;
using testing::ElementsAre;
using testing_gpu::Complexes;
using testing_gpu::Reals;

class FftBadInput : public testing_gpu::FftTest {
  protected:
    std::vector<std::string> forward(FftForward pass, std::size_t numbers = 64) {
        return codes<FftForward>([&](Graph& g) {
            pass.source = complexes(g, "source", Complexes(numbers));
            return pass;
        });
    }
    std::vector<std::string> inverse(FftInverse pass, std::size_t factors) {
        return codes<FftInverse>([&](Graph& g) {
            pass.source = complexes(g, "source", Complexes(64));
            pass.multiplier = complexes(g, "multiplier", Complexes(factors));
            return pass;
        });
    }
};

TEST_F(FftBadInput, ArraysThatCannotBeAddressedAreRefused) {
    EXPECT_THAT(forward({.size = {65536, 65536, 1, 1}}), ElementsAre("fft/too-large"));
    EXPECT_THAT(forward({.size = {65536, 65536, 65536, 65536}}), ElementsAre("fft/too-large"));
    EXPECT_THAT(forward({.size = {0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu}}),
                ElementsAre("fft/too-large"));
    EXPECT_THAT(forward({.size = {0, 65536, 65536, 2}}), ElementsAre("fft/too-large"));
    EXPECT_THAT(forward({.size = {64, 1, 1, 1}, .batch = 1u << 28}), ElementsAre("fft/too-large"));
}

TEST_F(FftBadInput, ArraysWithoutNumbersAreRefused) {
    EXPECT_THAT(forward({.size = {8, 0, 1, 1}}), ElementsAre("fft/empty"));
    EXPECT_THAT(forward({.size = {0, 128, 1, 1}}), ElementsAre("fft/empty")); // 64 numbers: no row
    EXPECT_THAT(forward({.size = {8, 8, 1, 1}, .batch = 0}), ElementsAre("pass/out-of-range"));
}

TEST_F(FftBadInput, ArraysThatAreTooShortAreRefused) {
    EXPECT_THAT(forward({.size = {65, 1, 1, 1}}), ElementsAre("fft/too-short"));
    EXPECT_THAT(forward({.size = {8, 4, 1, 1}, .batch = 3}), ElementsAre("fft/too-short"));
    EXPECT_TRUE(forward({.size = {65, 1, 1, 1}, .source_size = {64, 0, 0, 0}}).empty());
    EXPECT_THAT(inverse({.size = {8, 8, 1, 1}}, 63), ElementsAre("fft/too-short"));
    EXPECT_TRUE(inverse({.size = {8, 8, 1, 1}}, 64).empty());
    EXPECT_THAT(codes<FftRealInverse>([&](Graph& g) {
                    return FftRealInverse{.source = complexes(g, "source", Complexes(4)),
                                          .size = {8, 1, 1, 1}};
                }),
                ElementsAre("fft/too-short")); // of 5
}

TEST_F(FftBadInput, AxesThatThereAreNotAreRefused) {
    EXPECT_THAT(forward({.size = {64, 1, 1, 1}, .axes = "xq"}), ElementsAre("fft/axes"));
    EXPECT_THAT(forward({.size = {64, 1, 1, 1}, .axes = "xx"}), ElementsAre("fft/axes"));
    EXPECT_THAT(codes<FftRealForward>([&](Graph& g) {
                    return FftRealForward{
                        .source = reals(g, "source", Reals(64)), .size = {8, 8, 1, 1}, .axes = "y"};
                }),
                ElementsAre("fft/axes"));
}

TEST_F(FftBadInput, PartsThatAreNoneAreRefused) {
    EXPECT_THAT(forward({.size = {8, 8, 1, 1}, .source_size = {9, 0, 0, 0}}),
                ElementsAre("fft/extent"));
    EXPECT_THAT(forward({.size = {8, 8, 1, 1}, .axes = "x", .source_size = {8, 4, 0, 0}}),
                ElementsAre("fft/extent"));
    EXPECT_THAT(inverse({.size = {8, 8, 1, 1}, .result_size = {0, 9, 0, 0}}, 64),
                ElementsAre("fft/extent"));
}

/// A prime whose lines grow on the way beyond what can be addressed.
TEST_F(FftBadInput, LinesThatGrowTooLongOnTheWayAreRefused) {
    EXPECT_THAT(
        forward({.size = {1000003, 300, 1, 1}, .axes = "x", .source_size = {0, 0, 0, 0}}, 64),
        ElementsAre("fft/too-short"));
    EXPECT_THAT(codes<FftForward>([&](Graph& g) {
                    const Buffer source =
                        g.buffer("source", {.size = std::uint64_t{8} * 1000003 * 300, .stride = 8});
                    return FftForward{.source = g.fill(source, 0, "zero"),
                                      .size = {1000003, 300, 1, 1},
                                      .axes = "x"};
                }),
                testing::Contains("fft/too-large"));
}

TEST_F(FftBadInput, NumbersThatAreNotFiniteSpreadAndDoNoHarm) {
    Complexes numbers(64, 1.0);
    numbers[5] = std::numeric_limits<double>::quiet_NaN();
    Graph g = graph();
    g.output("spectrum", g.add(FftForward{.source = complexes(g, "source", numbers)}).result);
    testing_gpu::Running running = run(std::move(g));
    for (const auto& number : complexes(running, "spectrum"))
        ASSERT_TRUE(std::isnan(number.real()));
}

} // namespace
} // namespace tuff
