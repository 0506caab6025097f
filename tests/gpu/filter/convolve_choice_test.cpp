#include "passes/filter/tiled.hpp"
#include "passes/filter/weights.hpp"
#include "tests/gpu/filter/convolve_fixture.hpp"

#include <fmt/format.h>

#include <limits>

/// What filter/convolve refuses, what it finds out about weights, and which way it takes.
namespace tuff {
namespace {

using passes::choose_path;
using passes::filter_count;
using passes::filter_factors;
using passes::filter_symmetries;
using passes::FilterBorder;
using passes::FilterConvolve;
using passes::FilterPath;
using passes::FilterProblem;
using passes::FilterSymmetry;
using testing::ElementsAre;
using testing::IsEmpty;
using testing_gpu::constant_floats;
using testing_gpu::Floats;
using testing_gpu::gaussian;
using testing_gpu::kLaplace3;
using testing_gpu::kSobel;
using testing_gpu::random_numbers;
using testing_gpu::random_problem;
using testing_gpu::random_source;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

class ConvolveBadInput : public testing_gpu::ConvolveTest {};

TEST_F(ConvolveBadInput, SizesThatDoNotFitAreRefused) {
    const Floats nine(9, 1.0f);
    EXPECT_THAT(codes({.weights = nine}), IsEmpty());
    EXPECT_THAT(codes({.weights = nine, .size = {0, 8, 1, 1}}), IsEmpty());
    EXPECT_THAT(codes({.weights = nine, .size = {8, 0, 1, 1}}), ElementsAre("filter/empty"));
    EXPECT_THAT(codes({.weights = nine, .size = {0, 128, 1, 1}}), ElementsAre("filter/empty"));
    EXPECT_THAT(codes({.weights = nine, .size = {8, 9, 1, 1}}), ElementsAre("filter/too-short"));
    EXPECT_THAT(codes({.weights = nine, .size = {8, 8, 1, 1}, .batch = 2}),
                ElementsAre("filter/too-short"));
    EXPECT_THAT(codes({.weights = nine, .size = {8, 8, 1, 1}, .batch = 0}),
                ElementsAre("pass/out-of-range"));
    EXPECT_THAT(codes({.weights = nine, .size = {~0u, ~0u, ~0u, ~0u}}),
                ElementsAre("filter/too-large"));
    EXPECT_THAT(codes({.weights = nine, .size = {0, ~0u, ~0u, 1}}),
                ElementsAre("filter/too-large"));
    EXPECT_THAT(codes({.weights = nine, .size = {1u << 20, 1u << 20, 1, 1}}),
                ElementsAre("filter/too-large"));
}

TEST_F(ConvolveBadInput, KernelsThatDoNotFitAreRefused) {
    EXPECT_THAT(codes({.weights = Floats(4), .kernel_size = {2, 2, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.weights = Floats(4), .kernel_size = {3, 0, 1, 1}}),
                ElementsAre("filter/kernel-size"));
    EXPECT_THAT(codes({.weights = Floats(8)}), ElementsAre("filter/weights"));
    EXPECT_THAT(codes({.weights = Floats(10)}), ElementsAre("filter/weights"));
    EXPECT_THAT(codes({.weights = Floats(9), .filters = 2}), ElementsAre("filter/weights"));
    EXPECT_THAT(codes({.weights = Floats(9), .filters = 0}), ElementsAre("pass/out-of-range"));
    EXPECT_THAT(codes({}), ElementsAre("filter/kernel-given"));
    EXPECT_THAT(codes({.weights = Floats(9)}, 64, Floats(9)), ElementsAre("filter/kernel-given"));
    EXPECT_THAT(codes({}, 64, Floats(8)), ElementsAre("filter/too-short"));
    EXPECT_THAT(codes({}, 64, Floats(9)), IsEmpty());
    EXPECT_THAT(codes({.weights = Floats(9), .kernel_size = {65535, 65535, 65535, 65535}}),
                ElementsAre("filter/too-large"));
    EXPECT_THAT(codes({.weights = Floats(9), .kernel_size = {~0u, ~0u, ~0u, ~0u}}),
                ElementsAre("filter/too-large"));
}

/// In a list, which the engine checks, and in a buffer that never changes.
TEST_F(ConvolveBadInput, WeightsThatAreNoNumbersAreRefused) {
    Floats weights(9, 1.0f);
    for (const float wrong : {kNoNumber, kInfinity, -kInfinity}) {
        weights[4] = wrong;
        EXPECT_THAT(codes({.weights = weights}), ElementsAre("pass/out-of-range"));
        EXPECT_THAT(codes({}, 64, weights), ElementsAre("filter/not-finite"));
    }
}

/// "valid" leaves nothing of an array that is smaller than the kernel; other borders do.
TEST_F(ConvolveBadInput, NeighbourhoodsThatAreNowhereWholeAreRefused) {
    FilterConvolve pass{
        .weights = Floats(81, 1.0f), .size = {8, 8, 1, 1}, .kernel_size = {9, 9, 1, 1}};
    EXPECT_THAT(codes(pass), IsEmpty());
    pass.border = FilterBorder::valid;
    EXPECT_THAT(codes(pass), ElementsAre("filter/no-result"));
    pass.weights = Floats(63, 1.0f);
    pass.kernel_size = {7, 9, 1, 1};
    EXPECT_THAT(codes(pass), ElementsAre("filter/no-result"));
}

TEST_F(ConvolveBadInput, PathsThatCannotAreRefused) {
    FilterConvolve pass{.weights = random_numbers(9, 1), .path = FilterPath::separable};
    EXPECT_THAT(codes(pass), ElementsAre("filter/not-separable"));
    pass.path = FilterPath::texture;
    pass.size = {8, 2, 2, 2};
    EXPECT_THAT(codes(pass), ElementsAre("filter/no-texture"));
    pass.size = {8, 8, 1, 1};
    pass.slabs = 2;
    EXPECT_THAT(codes(pass), ElementsAre("filter/slabs"));
    FilterConvolve row{
        .weights = Floats(65, 1.0f), .kernel_size = {65, 1, 1, 1}, .path = FilterPath::tiled};
    EXPECT_THAT(codes(row), ElementsAre("filter/kernel-size"));
    FilterConvolve wide{.weights = Floats(20'001, 1.0f),
                        .size = {32, 2, 1, 1},
                        .kernel_size = {1, 20'001, 1, 1},
                        .path = FilterPath::tiled};
    EXPECT_THAT(codes(wide), ElementsAre("filter/kernel-size"));
}

TEST_F(ConvolveBadInput, WhatCannotBeCutIntoSlabsIsRefused) {
    DeviceCaps caps = device().caps();
    caps.max_storage_buffer_bytes = 4096;
    const auto codes_there = [&](const FilterConvolve& asked) {
        Graph g = graph();
        g.set_target(caps);
        FilterConvolve pass = asked;
        pass.source = constant_floats(g, Floats(20 * 20 * 20));
        g.add(pass);
        std::vector<std::string> found;
        for (const Diagnostic& one : g.peek().diagnostics)
            if (one.severity == Severity::error) found.push_back(one.code);
        return found;
    };
    FilterConvolve pass{.weights = random_numbers(9, 1), .size = {20, 20, 20, 1}};
    EXPECT_THAT(codes_there(pass), IsEmpty());
    pass.path = FilterPath::texture;
    EXPECT_THAT(codes_there(pass), ElementsAre("filter/too-large"));
    pass.path = FilterPath::tiled;
    pass.size = {400, 20, 1, 1};
    pass.kernel_size = {1, 9, 1, 1};
    EXPECT_THAT(codes_there(pass), IsEmpty()); // along x
    pass.kernel_size = {61, 9, 1, 1};
    pass.weights = Floats(549, 1.0f);
    EXPECT_THAT(codes_there(pass), ElementsAre("filter/too-large"));
}

// --- weights
// ---------------------------------------------------------------------------------------

TEST(FilterWeights, GaussiansAndMeansAreProductsAndOthersAreNot) {
    const auto is_product = [](const passes::FilterSize& size, const Floats& weights) {
        const FilterProblem problem{.size = {9, 9, 9, 9}, .kernel_size = size, .weights = weights};
        return filter_factors(problem).has_value();
    };
    EXPECT_TRUE(is_product({7, 7, 1, 1}, gaussian({7, 7, 1, 1}, 1.0)));
    EXPECT_TRUE(is_product({5, 5, 5, 1}, gaussian({5, 5, 5, 1}, 1.0)));
    EXPECT_TRUE(is_product({3, 5, 3, 5}, gaussian({3, 5, 3, 5}, 2.0)));
    EXPECT_TRUE(is_product({5, 5, 1, 1}, Floats(25, 0.04f)));
    EXPECT_TRUE(is_product({3, 3, 1, 1}, kSobel));
    EXPECT_TRUE(is_product({3, 3, 1, 1}, Floats(9, 0.0f)));
    EXPECT_FALSE(is_product({3, 3, 1, 1}, kLaplace3));
    EXPECT_FALSE(is_product({5, 5, 1, 1}, random_numbers(25, 3)));
    Floats nearly = gaussian({5, 5, 5, 1}, 1.0);
    nearly[0] += 1e-4f * nearly[62];
    EXPECT_FALSE(is_product({5, 5, 5, 1}, nearly));
    EXPECT_FALSE(is_product({3, 3, 1, 1}, {})); // not known
}

TEST(FilterWeights, FactorsMultiplyToTheWeights) {
    const passes::FilterSize size{1, 3, 5, 3};
    const FilterProblem problem{
        .size = {9, 9, 9, 9}, .kernel_size = size, .weights = gaussian(size, 0.8)};
    const auto factors = filter_factors(problem);
    ASSERT_TRUE(factors && factors->size() == 1);
    const auto& [x, y, z, w] = factors->front();
    EXPECT_EQ(x, Floats{1.0f}); // no pass along x
    for (std::size_t i = 0; i < problem.weights.size(); ++i)
        EXPECT_NEAR(y[i % 3] * z[i / 3 % 5] * w[i / 15], problem.weights[i], 1e-7);
}

TEST(FilterWeights, SymmetriesAreAboutTheMiddle) {
    FilterProblem problem{.size = {9, 9, 1, 1}, .kernel_size = {3, 3, 1, 1}, .filters = 3};
    for (const Floats& weights : {kLaplace3, kSobel, random_numbers(9, 1)})
        problem.weights.insert(problem.weights.end(), weights.begin(), weights.end());
    EXPECT_THAT(filter_symmetries(problem),
                ElementsAre(FilterSymmetry::even, FilterSymmetry::odd, FilterSymmetry::none));
}

// --- which way
// -------------------------------------------------------------------------------------

FilterPath path_on_gpu(const FilterProblem& problem) {
    DeviceCaps caps;
    caps.type = DeviceType::discrete;
    caps.max_storage_buffer_bytes = (std::uint64_t{1} << 32) - 1;
    caps.device_memory_bytes = std::uint64_t{80} << 30;
    const passes::FilterChoice choice = choose_path(caps, problem);
    EXPECT_FALSE(choice.reason.empty());
    return choice.path;
}

TEST(FilterChoice, SmallKernelsAreTiledAndLargeOnesTransformed) {
    const auto path_of = [](const passes::FilterSize& size, const passes::FilterSize& kernel_size) {
        return path_on_gpu(random_problem(size, kernel_size));
    };
    EXPECT_EQ(path_of({2048, 2048, 1, 1}, {3, 3, 1, 1}), FilterPath::tiled);
    EXPECT_EQ(path_of({2048, 2048, 1, 1}, {9, 9, 1, 1}), FilterPath::tiled);
    EXPECT_EQ(path_of({2048, 2048, 1, 1}, {11, 11, 1, 1}), FilterPath::tiles_fft);
    EXPECT_EQ(path_of({2048, 2048, 1, 1}, {33, 33, 1, 1}), FilterPath::tiles_fft);
    EXPECT_EQ(path_of({2048, 2048, 1, 1}, {9, 81, 1, 1}), FilterPath::tiled); // no such tiles
    EXPECT_EQ(path_of({2048, 2048, 1, 1}, {63, 63, 1, 1}), FilterPath::fft);
    EXPECT_EQ(path_of({256, 256, 256, 1}, {3, 3, 3, 1}), FilterPath::tiled);
    EXPECT_EQ(path_of({256, 256, 256, 1}, {17, 17, 17, 1}), FilterPath::fft);
    EXPECT_EQ(path_of({128, 128, 128, 32}, {3, 3, 3, 3}), FilterPath::tiled);
    EXPECT_EQ(path_of({128, 128, 128, 32}, {11, 11, 11, 11}), FilterPath::fft);
    EXPECT_EQ(path_of({1u << 20, 1, 1, 1}, {1023, 1, 1, 1}), FilterPath::fft);
    // So small that the dispatches of a transform would take longer.
    EXPECT_EQ(path_of({64, 64, 1, 1}, {31, 31, 1, 1}), FilterPath::tiled);
    // Spectra that cannot be addressed.
    EXPECT_EQ(path_of({1024, 1024, 512, 1}, {17, 17, 17, 1}), FilterPath::tiled);
    FilterProblem many = random_problem({512, 512, 512, 1}, {17, 17, 17, 1});
    many.filters = 11;
    many.weights.clear();
    EXPECT_EQ(path_on_gpu(many), FilterPath::tiled);
}

/// Spectra that the device makes take a dispatch, which many kernels share.
TEST(FilterChoice, TilesAreTransformedFromLargerKernelsOfTheDeviceOn) {
    FilterProblem problem{.size = {2048, 2048, 1, 1}, .kernel_size = {13, 13, 1, 1}};
    EXPECT_EQ(path_on_gpu(problem), FilterPath::tiled);
    problem.kernel_size = {15, 15, 1, 1};
    EXPECT_EQ(path_on_gpu(problem), FilterPath::tiles_fft);
    problem.kernel_size = {9, 9, 1, 1};
    problem.filters = 12;
    EXPECT_EQ(path_on_gpu(problem), FilterPath::tiles_fft);
    problem.kernel_size = {7, 7, 1, 1};
    EXPECT_EQ(path_on_gpu(problem), FilterPath::tiled);
}

TEST(FilterChoice, ProductsAreFilteredAlongEachAxis) {
    FilterProblem problem{.size = {512, 512, 1, 1}, .kernel_size = {13, 13, 1, 1}};
    problem.weights = gaussian(problem.kernel_size, 2.0);
    EXPECT_EQ(path_on_gpu(problem), FilterPath::separable);
    problem.kernel_size = {3, 3, 1, 1};
    problem.weights = gaussian(problem.kernel_size, 2.0);
    EXPECT_EQ(path_on_gpu(problem), FilterPath::tiled); // nothing to gain
    problem.kernel_size = {13, 13, 1, 1};
    problem.weights.clear(); // made by the device
    EXPECT_EQ(path_on_gpu(problem), FilterPath::tiled);
}

class ConvolveChoice : public testing_gpu::ConvolveTest {};

TEST_F(ConvolveChoice, ANoteSaysWhichWayIsTakenAndWhy) {
    FilterProblem any = random_problem({40, 30, 1, 1}, {3, 3, 1, 1});
    FilterProblem product = any;
    product.kernel_size = {13, 13, 1, 1};
    product.weights = gaussian(product.kernel_size, 2.0);
    const auto solve_both = [&] {
        expect_reference(any, random_source(any), {.path = FilterPath::automatic});
        expect_reference(product, random_source(any), {.path = FilterPath::automatic}, 2e-6);
    };
    solve_both();
    as_for_gpus();
    solve_both();
    std::vector<std::string> notes;
    for (const Diagnostic& one : batch().peek().diagnostics) {
        EXPECT_EQ(one.code, "filter/path");
        EXPECT_EQ(one.severity, Severity::note);
        notes.push_back(one.message);
    }
    const bool on_gpu = device().caps().type != DeviceType::cpu;
    const std::string few = fmt::format("\"{}\" is taken: 9 weights", on_gpu ? "tiled" : "plain");
    EXPECT_THAT(notes, ElementsAre(testing::HasSubstr(few),
                                   testing::HasSubstr("\"separable\" is taken: 169 weights"),
                                   testing::HasSubstr("\"tiled\" is taken: 9 weights"),
                                   testing::HasSubstr("\"separable\" is taken: 169 weights")));
    run_batch();
}

/// The chapter's scan, of 9.3 GB, by 11 filters of 11^4 weights: 375,000 billion products. It takes
/// slabs, and the graph of them is sound.
TEST_F(ConvolveChoice, TheCostOfTheChaptersScanIsThatOfTheChapter) {
    DeviceCaps caps = device().caps();
    caps.max_storage_buffer_bytes = (std::uint64_t{1} << 32) - 1;
    Graph g = graph();
    g.set_target(caps);
    const passes::FilterSize size{512, 512, 445, 20};
    const std::uint64_t bytes = filter_count(size) * sizeof(float);
    const Buffer scan = g.fill(g.buffer("scan", {.size = bytes, .stride = 4}), 0, "scan");
    const FilterConvolve pass = g.add(FilterConvolve{
        .source = scan,
        .weights = random_numbers(std::size_t{11} * 14641, 1),
        .size = {512, 512, 445, 20},
        .kernel_size = {11, 11, 11, 11},
        .filters = 11,
    });
    EXPECT_NEAR(cost_of(pass, g).operations / 2.0, 3.757e14, 0.001e14);
    g.output("result", pass.result);
    const auto plan = compile(std::move(g).finish(), caps);
    EXPECT_TRUE(plan.has_value()) << (plan ? std::string() : to_string(plan.error()));
}

} // namespace
} // namespace tuff
