#include "passes/filter/kernel_network.hpp"
#include "passes/filter/network.hpp"
#include "tests/gpu/filter/array_fixture.hpp"
#include "tests/reference/filter_reference.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <numeric>

/// filter/network: small kernels against the large kernels that they stand for.
namespace tuff {
namespace {

using passes::filter_count;
using passes::FilterBorder;
using passes::FilterNetwork;
using passes::FilterProblem;
using passes::FilterSize;
using passes::KernelNetwork;
using passes::NetworkKernel;
using passes::NetworkKind;
using testing_gpu::FilterNumbers;
using testing_gpu::unit_numbers;

using Weights = std::vector<double>;

Weights sampled_kernel(const FilterSize& size,
                       const std::function<double(const std::array<double, 4>&)>& value) {
    Weights weights;
    for (std::uint64_t i = 0; i < filter_count(size); ++i) {
        std::array<double, 4> place{};
        std::uint64_t rest = i;
        for (std::size_t a = 0; a < 4; ++a) {
            place[a] = static_cast<double>(rest % size[a]) - size[a] / 2;
            rest /= size[a];
        }
        weights.push_back(value(place));
    }
    return weights;
}

FilterNumbers network_floats(const Weights& weights) {
    return {weights.begin(), weights.end()};
}

double squared_radius(const std::array<double, 4>& p) {
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
}

/// Of 2 n + 1 weights: 2 n over k, over 4^n.
double binomial(std::uint32_t size, double from_middle) {
    const double n = (size - 1) / 2.0;
    const double k = from_middle + n;
    return std::exp(std::lgamma(2 * n + 1) - std::lgamma(k + 1) - std::lgamma(2 * n - k + 1) -
                    n * std::log(4.0));
}

double relative_difference(const Weights& a, const Weights& b) {
    double squares = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        squares += (a[i] - b[i]) * (a[i] - b[i]);
        all += b[i] * b[i];
    }
    return std::sqrt(squares / all);
}

TEST(KernelNetworks, OfBinomialsAreBinomialKernels) {
    const FilterSize size{9, 5, 7, 1};
    const auto network = passes::binomial_network(size, {});
    ASSERT_TRUE(network);
    const NetworkKernel kernel = network_kernel(*network, network->outputs.at(0));
    ASSERT_EQ(kernel.size, size);
    const Weights expected = sampled_kernel(size, [&](const auto& p) {
        return binomial(9, p[0]) * binomial(5, p[1]) * binomial(7, p[2]);
    });
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(kernel.weights[i], expected[i], 1e-14);
    // 4 + 2 + 3 kernels of 3 weights instead of 315.
    EXPECT_EQ(network_products(*network), 27u);
}

// Derivatives of x^n at the middle: what a difference must give for a polynomial.
TEST(KernelNetworks, OfDifferencesAreDerivatives) {
    for (const std::uint32_t order : {1u, 2u, 3u}) {
        const auto network = passes::binomial_network({9, 1, 1, 1}, {order, 0, 0, 0});
        ASSERT_TRUE(network);
        const NetworkKernel kernel = network_kernel(*network, network->outputs.at(0));
        ASSERT_EQ(kernel.size, (FilterSize{9, 1, 1, 1}));
        double derivative = 0.0;
        double lower = 0.0; // of x^(order - 1), which must vanish
        for (std::size_t i = 0; i < 9; ++i) {
            const double x = 4.0 - static_cast<double>(i); // kernels are turned
            derivative += kernel.weights[i] * std::pow(x, order);
            lower += kernel.weights[i] * std::pow(x, order - 1);
        }
        EXPECT_NEAR(derivative, std::tgamma(order + 1.0), 1e-12) << order;
        EXPECT_NEAR(lower, 0.0, 1e-12) << order;
    }
    EXPECT_FALSE(passes::binomial_network({3, 1, 1, 1}, {3, 0, 0, 0}));
}

TEST(KernelNetworks, OfProductsAreTheirKernels) {
    struct Known {
        FilterSize size;
        std::function<double(const std::array<double, 4>&)> value;
        std::uint64_t products; ///< at most
    };
    const auto gaussian = [](const auto& p) { return std::exp(-squared_radius(p) / 4.5); };
    const auto laplacian = [](int axes) {
        return [axes](const std::array<double, 4>& p) {
            const double r = squared_radius(p) / 4.5;
            return (r - axes / 2.0) * std::exp(-r);
        };
    };
    for (const Known& known :
         {Known{{9, 9, 1, 1}, gaussian, 18}, Known{{7, 5, 9, 1}, gaussian, 21},
          Known{{5, 5, 5, 5}, gaussian, 20}, Known{{9, 9, 1, 1}, laplacian(2), 36},
          Known{{9, 9, 9, 1}, laplacian(3), 90}, Known{{1, 1, 1, 1}, gaussian, 1},
          Known{{1, 7, 1, 1}, gaussian, 7}}) {
        const Weights weights = sampled_kernel(known.size, known.value);
        const KernelNetwork network =
            passes::product_network(network_floats(weights), known.size, 1e-6);
        const NetworkKernel kernel = network_kernel(network, network.outputs.at(0));
        ASSERT_EQ(kernel.size, known.size);
        EXPECT_LE(relative_difference(kernel.weights, weights), 1.1e-6);
        EXPECT_LE(network_products(network), known.products) << fmt::format("{}", known.size);
    }
}

TEST(KernelNetworks, OfProductsKeepTheirToleranceForAnyKernel) {
    for (const FilterSize& size : {FilterSize{5, 7, 1, 1}, FilterSize{5, 3, 5, 1}})
        for (const double tolerance : {0.0, 0.1, 0.3}) {
            const FilterNumbers weights = unit_numbers(filter_count(size), 3);
            const KernelNetwork network = passes::product_network(weights, size, tolerance);
            const NetworkKernel kernel = network_kernel(network, network.outputs.at(0));
            const double difference =
                relative_difference(kernel.weights, Weights(weights.begin(), weights.end()));
            EXPECT_LE(difference, tolerance + 1e-12);
            if (tolerance == 0.3) {
                EXPECT_GT(difference, 1e-3); // something was left out
            }
        }
}

class FilterNetworkTest : public testing_gpu::FilterArrayTest {
  protected:
    /// Compares one output with the large kernel.
    void expect_kernel(FilterNetwork pass, const FilterNumbers& source, const NetworkKernel& kernel,
                       std::size_t output = 0, std::size_t outputs = 1) {
        pass.source = numbers(source);
        const FilterProblem problem{.size = {pass.size.x, pass.size.y, pass.size.z, pass.size.w},
                                    .batch = pass.batch,
                                    .kernel_size = kernel.size,
                                    .border = pass.border};
        const FilterNumbers weights = network_floats(kernel.weights);
        expect(batch().add(pass).result, [=](const FilterNumbers& got) {
            SCOPED_TRACE(fmt::format("{} by {}, border {}", problem.size, kernel.size,
                                     static_cast<int>(problem.border)));
            const auto sums = reference::convolved(problem, source, weights);
            const std::size_t count = sums.size() / problem.batch;
            ASSERT_EQ(got.size(), sums.size() * outputs);
            // Rounding errors are those of each kernel in turn.
            const double scale =
                std::accumulate(kernel.weights.begin(), kernel.weights.end(), 0.0,
                                [](double sum, double weight) { return sum + std::abs(weight); });
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const std::size_t at = (i / count * outputs + output) * count + i % count;
                ASSERT_NEAR(static_cast<double>(got[at]), sums[i].value,
                            2e-6 * std::max(scale, 1.0))
                    << i;
            }
        });
    }
};

constexpr FilterBorder kNetworkBorders[] = {FilterBorder::zero, FilterBorder::clamp,
                                            FilterBorder::mirror, FilterBorder::wrap,
                                            FilterBorder::valid};

TEST_F(FilterNetworkTest, IsTheLargeKernelAtEachBorder) {
    const std::pair<FilterSize, FilterSize> shapes[] = {{{300, 1, 1, 1}, {11, 1, 1, 1}},
                                                        {{37, 29, 1, 1}, {7, 9, 1, 1}},
                                                        {{13, 11, 9, 1}, {5, 3, 7, 1}},
                                                        {{7, 6, 5, 4}, {3, 3, 3, 3}}};
    for (const auto& [size, kernel_size] : shapes)
        for (const FilterBorder border : kNetworkBorders) {
            FilterNetwork pass{
                .size = {size[0], size[1], size[2], size[3]},
                .batch = 2,
                .border = border,
                .kind = NetworkKind::binomial,
                .kernel_size = {kernel_size[0], kernel_size[1], kernel_size[2], kernel_size[3]},
                .derivative = {1, 0, 0, 0}};
            const auto network = passes::binomial_network(kernel_size, {1, 0, 0, 0});
            const FilterNumbers source = unit_numbers(2 * filter_count(size), 2);
            expect_kernel(pass, source, network_kernel(*network, network->outputs.at(0)));
        }
    run_batch();
}

TEST_F(FilterNetworkTest, FindsProductsForAKernel) {
    const FilterSize size{31, 23, 12, 1};
    for (const FilterSize& kernel_size : {FilterSize{7, 7, 1, 1}, FilterSize{5, 5, 5, 1}}) {
        const FilterNumbers weights = network_floats(sampled_kernel(kernel_size, [](const auto& p) {
            const double r = squared_radius(p) / 3.0;
            return (r - 1.0) * std::exp(-r) + 0.01 * p[0];
        }));
        FilterNetwork pass{.size = {size[0], size[1], size[2], size[3]},
                           .border = FilterBorder::mirror,
                           .kind = NetworkKind::products,
                           .kernel_size = {kernel_size[0], kernel_size[1], kernel_size[2], 1}};
        const NetworkKernel kernel{kernel_size, Weights(weights.begin(), weights.end())};
        const FilterNumbers source = unit_numbers(filter_count(size), 4);
        pass.weights = weights;
        expect_kernel(pass, source, kernel);
        pass.weights.clear();
        pass.kernel = numbers(weights);
        expect_kernel(pass, source, kernel);
    }
    run_batch();
}

// source -(a)-> 1 -(b, spread)-> 2 (output), 1 -(c)-> 3, source -(d)-> 3 (output); 1 is one, too.
TEST_F(FilterNetworkTest, HandsOnSeveralResultsOfATree) {
    for (const FilterBorder border : kNetworkBorders) {
        FilterNetwork pass{.size = {41, 30, 1, 1},
                           .batch = 2,
                           .border = border,
                           .weights = {1, 2, 4,                      // a
                                       -1, 3, 2,                     // b
                                       0.5f, 0, 1, 0, 2, 0, 1, 0, 3, // c
                                       5},                           // d
                           .from = {0, 1, 1, 0},
                           .to = {1, 2, 3, 3},
                           .sizes = {3, 1, 1, 1, 1, 3, 1, 1, 3, 3, 1, 1, 1, 1, 1, 1},
                           .spreads = {1, 1, 1, 1, 1, 4, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1},
                           .outputs = {2, 3, 1}};
        const KernelNetwork network{
            .edges = {{.from = 0, .to = 1, .size = {3, 1, 1, 1}, .weights = {1, 2, 4}},
                      {.from = 1,
                       .to = 2,
                       .size = {1, 3, 1, 1},
                       .spread = {1, 4, 1, 1},
                       .weights = {-1, 3, 2}},
                      {.from = 1,
                       .to = 3,
                       .size = {3, 3, 1, 1},
                       .spread = {2, 1, 1, 1},
                       .weights = {0.5, 0, 1, 0, 2, 0, 1, 0, 3}},
                      {.from = 0, .to = 3, .weights = {5}}},
            .outputs = {2, 3, 1}};
        const FilterNumbers source = unit_numbers(2 * 41 * 30, 6);
        for (std::size_t i = 0; i < 3; ++i) {
            NetworkKernel kernel = network_kernel(network, network.outputs[i]);
            if (border == FilterBorder::valid) {
                // All outputs are where the whole network fits: 3 to each side along x, 4 along y.
                NetworkKernel all{{7, 9, 1, 1}, Weights(63, 0.0)};
                for (std::uint32_t y = 0; y < kernel.size[1]; ++y)
                    for (std::uint32_t x = 0; x < kernel.size[0]; ++x)
                        all.weights[(y + 4 - kernel.size[1] / 2) * 7 + x + 3 - kernel.size[0] / 2] =
                            kernel.weights[y * kernel.size[0] + x];
                kernel = all;
            }
            expect_kernel(pass, source, kernel, i, 3);
        }
    }
    run_batch();
}

// By hand: 1 2 1, then 1 0 3 with zeros between, since they are spread by 2.
TEST(KernelNetworks, HaveTheKernelThatTheirPartsMake) {
    const KernelNetwork network{
        .edges = {{.from = 0, .to = 1, .size = {3, 1, 1, 1}, .weights = {1, 2, 1}},
                  {.from = 1,
                   .to = 2,
                   .size = {3, 1, 1, 1},
                   .spread = {2, 1, 1, 1},
                   .weights = {1, 0, 3}}},
        .outputs = {2}};
    const NetworkKernel kernel = network_kernel(network, 2);
    EXPECT_EQ(kernel.size, (FilterSize{7, 1, 1, 1}));
    EXPECT_EQ(kernel.weights, (Weights{1, 2, 1, 0, 3, 6, 3}));
    EXPECT_EQ(network_products(network), 2u); // 2 and 3: ones cost nothing
}

TEST_F(FilterNetworkTest, SaysWhatIsWrong) {
    using Codes = std::vector<std::string>;
    const auto code_of = [this](const std::function<void(FilterNetwork&, Graph&)>& change) {
        return codes([&](Graph& g) {
            FilterNetwork pass{.source = numbers(g, "source", FilterNumbers(60)),
                               .size = {10, 6, 1, 1},
                               .weights = {1, 2, 1},
                               .from = {0},
                               .to = {1},
                               .sizes = {3, 1, 1, 1}};
            change(pass, g);
            return g.add(pass).result;
        });
    };
    EXPECT_EQ(code_of([](auto&, auto&) {}), Codes{});
    const Codes network{"filter/no-network"};
    EXPECT_EQ(code_of([](auto& p, auto&) { p.to = {1, 2}; }), network);
    EXPECT_EQ(code_of([](auto& p, auto&) { p.to = {0}; }), network);
    EXPECT_EQ(code_of([](auto& p, auto&) { p.to = {2}; }), network);
    EXPECT_EQ(code_of([](auto& p, auto&) { p.to = {1.5f}; }), network);
    EXPECT_EQ(code_of([](auto& p, auto&) { p.sizes = {3, 1, 1}; }), network);
    EXPECT_EQ(code_of([](auto& p, auto&) { p.spreads = {0, 1, 1, 1}; }), network);
    EXPECT_EQ(code_of([](auto& p, auto&) { p.outputs = {2}; }), network);
    EXPECT_EQ(code_of([](auto& p, auto&) { p.sizes = {4, 1, 1, 1}; }), Codes{"filter/kernel-size"});
    EXPECT_EQ(code_of([](auto& p, auto&) { p.weights = {1, 2}; }), Codes{"filter/weights"});
    EXPECT_EQ(code_of([](auto& p, Graph& g) {
                  p.kind = NetworkKind::products;
                  p.weights.clear();
                  p.kernel_size = {3, 1, 1, 1};
                  p.kernel = numbers(g, "kernel", {1.0f, INFINITY, 1.0f});
              }),
              Codes{"filter/not-finite"});
    EXPECT_EQ(code_of([](auto& p, auto&) { p.size = {10, 7, 1, 1}; }), Codes{"filter/too-short"});
    EXPECT_EQ(code_of([](auto& p, auto&) {
                  p.border = FilterBorder::valid;
                  p.spreads = {5, 1, 1, 1};
              }),
              Codes{"filter/no-result"});
    EXPECT_EQ(code_of([](auto& p, Graph& g) { p.kernel = numbers(g, "k", FilterNumbers(3)); }),
              network);
    EXPECT_EQ(code_of([](auto& p, auto&) {
                  p.kind = NetworkKind::binomial;
                  p.kernel_size = {3, 1, 1, 1};
                  p.derivative = {3, 0, 0, 0};
              }),
              network);
    EXPECT_EQ(code_of([](auto& p, Graph& g) {
                  p.kind = NetworkKind::products;
                  p.weights.clear();
                  p.kernel = g.fill(g.buffer("made", {.size = 400, .stride = 4}), 0, "fill");
              }),
              network);
}

} // namespace
} // namespace tuff
