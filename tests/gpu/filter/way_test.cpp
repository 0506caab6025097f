#include "tests/gpu/filter/way_test.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace tuff::testing_gpu {

using passes::FilterProblem;

std::vector<float> random_numbers(std::uint64_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<float> numbers(count);
    for (float& number : numbers)
        number = static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f;
    return numbers;
}

SharedCase filter_case(const FilterProblem& problem, std::vector<float> source,
                       std::vector<float> kernel) {
    auto one = std::make_shared<FilterCase>();
    one->problem = problem;
    one->expected = reference::convolved(problem, source, kernel);
    one->source = std::move(source);
    one->kernel = std::move(kernel);
    return one;
}

SharedCase filter_case(const FilterProblem& problem, std::uint32_t seed) {
    return filter_case(
        problem, random_numbers(passes::filter_count(problem.size) * problem.batch, seed),
        random_numbers(passes::filter_count(problem.kernel_size) * problem.filters, seed + 1000));
}

std::string text_of(const FilterProblem& problem) {
    constexpr const char* kBorders[] = {"zero", "clamp", "mirror", "wrap", "valid"};
    return fmt::format("{} arrays of {}, {} kernels of {}, {}{}", problem.batch,
                       fmt::join(problem.size, "x"), problem.filters,
                       fmt::join(problem.kernel_size, "x"),
                       kBorders[static_cast<std::size_t>(problem.border)],
                       problem.correlate ? ", correlated" : "");
}

WayBound transform_bound(const FilterProblem& problem) {
    const auto numbers = static_cast<double>(passes::filter_count(problem.size));
    return {.of_greatest = 2e-6 * std::max(std::log2(numbers), 1.0)};
}

void expect_sums(const std::vector<float>& got, const FilterCase& expected, const WayBound& bound,
                 const std::string& what) {
    ASSERT_EQ(got.size(), expected.expected.size()) << what;
    const std::uint64_t taps = passes::filter_count(expected.problem.kernel_size);
    double greatest = 0.0;
    for (const float number : expected.source)
        greatest = std::max(greatest, std::abs(static_cast<double>(number)));
    double weights = 0.0; // of the kernel that has most
    for (std::uint64_t first = 0; first < expected.kernel.size(); first += taps) {
        double sum = 0.0;
        for (std::uint64_t tap = 0; tap < taps; ++tap)
            sum += std::abs(static_cast<double>(expected.kernel[first + tap]));
        weights = std::max(weights, sum);
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        const reference::FilterSum& sum = expected.expected[i];
        const double most =
            bound.of_own_sum * sum.magnitude + bound.of_greatest * greatest * weights;
        ASSERT_LE(std::abs(static_cast<double>(got[i]) - sum.value), most)
            << what << ": result " << i << " is " << got[i] << " instead of " << sum.value;
    }
}

Graph& WayTest::batch() {
    if (!batch_) batch_ = graph();
    return *batch_;
}

Buffer WayTest::floats(const std::vector<float>& numbers) {
    return batch().constant_buffer(
        "numbers", {.size = numbers.size() * sizeof(float), .stride = sizeof(float)},
        bytes_of(numbers));
}

void WayTest::later(Buffer result, std::function<void(const std::vector<float>&)> check) {
    const std::string name = std::to_string(checks_.size());
    batch().output(name, result);
    checks_.push_back({name, std::move(check)});
}

void WayTest::try_way(const NamedWay& way, const SharedCase& one, const WayBound& bound) {
    const Buffer result = way.way(batch(), floats(one->source), floats(one->kernel), one->problem);
    const std::string what = way.name + ", " + text_of(one->problem);
    later(result, [=](const std::vector<float>& got) { expect_sums(got, *one, bound, what); });
}

void WayTest::run_batch() {
    Running running = run(std::move(*batch_));
    batch_.reset();
    if (!running) return;
    for (const Check& check : std::exchange(checks_, {}))
        check.check(running.buffer<float>(check.output));
}

} // namespace tuff::testing_gpu
