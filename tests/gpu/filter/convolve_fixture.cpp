#include "tests/gpu/filter/convolve_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace tuff::testing_gpu {

using passes::filter_count;
using passes::FilterConvolve;
using passes::FilterProblem;
using passes::FilterSize;

Buffer constant_floats(Graph& g, const Floats& numbers) {
    return g.constant_buffer("numbers", {.size = numbers.size() * 4, .stride = 4},
                             bytes_of(numbers));
}

const Floats kSobel{-1, 0, 1, -2, 0, 2, -1, 0, 1};
const Floats kLaplace3{0, 1, 0, 1, -4, 1, 0, 1, 0};
const Floats kLaplace5{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -24, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

Floats random_whole(std::size_t count, int low, int high, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution value(low, high);
    Floats numbers(count);
    std::ranges::generate(numbers, [&] { return static_cast<float>(value(random)); });
    return numbers;
}

Floats counted(std::size_t count) {
    Floats numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1.0f);
    return numbers;
}

Floats gaussian(const FilterSize& size, double sigma) {
    std::vector<double> exact;
    for (std::uint64_t i = 0; i < filter_count(size); ++i) {
        std::uint64_t rest = i;
        double squares = 0.0;
        for (const std::uint32_t extent : size) {
            const double offset = static_cast<double>(rest % extent) - extent / 2;
            squares += offset * offset;
            rest /= extent;
        }
        exact.push_back(std::exp(-0.5 * squares / (sigma * sigma)));
    }
    const double sum = std::accumulate(exact.begin(), exact.end(), 0.0);
    Floats weights;
    for (const double weight : exact)
        weights.push_back(static_cast<float>(weight / sum));
    return weights;
}

FilterProblem random_problem(const FilterSize& size, const FilterSize& kernel_size,
                             passes::FilterBorder border) {
    FilterProblem problem{.size = size, .kernel_size = kernel_size, .border = border};
    problem.weights = random_numbers(filter_count(kernel_size), 5);
    return problem;
}

Floats random_source(const FilterProblem& problem) {
    return random_numbers(filter_count(problem.size) * problem.batch, 7);
}

void ConvolveTest::as_for_gpus() {
    DeviceCaps caps = device().caps();
    caps.type = DeviceType::discrete;
    batch().set_target(caps);
}

std::vector<passes::FilterBorder> ConvolveTest::borders() {
    if (test::leaves_to("swiftshader"))
        return {passes::FilterBorder::zero, passes::FilterBorder::mirror};
    return {std::begin(kEveryBorder), std::end(kEveryBorder)};
}

Buffer ConvolveTest::add(const FilterProblem& problem, const Floats& source, const Way& way) {
    const auto vector = [](const FilterSize& s) { return glm::uvec4(s[0], s[1], s[2], s[3]); };
    FilterConvolve pass{.source = floats(source),
                        .weights = problem.weights,
                        .size = vector(problem.size),
                        .batch = problem.batch,
                        .kernel_size = vector(problem.kernel_size),
                        .filters = problem.filters,
                        .border = problem.border,
                        .correlate = problem.correlate,
                        .path = way.path,
                        .slabs = way.slabs};
    if (way.device_weights) {
        const Buffer known = floats(problem.weights);
        const std::uint64_t bytes = problem.weights.size() * sizeof(float);
        pass.kernel = batch().copy(known, batch().buffer("kernel", {.size = bytes, .stride = 4}));
        pass.weights.clear();
    }
    return batch().add(pass).result;
}

void ConvolveTest::solve(const FilterProblem& problem, const Floats& source, const Way& way,
                         std::function<void(const Floats&)> look) {
    later(add(problem, source, way), std::move(look));
}

void ConvolveTest::expect_reference(const FilterProblem& problem, const Floats& source,
                                    const Way& way, double within) {
    solve(problem, source, way, [=](const Floats& got) {
        SCOPED_TRACE(fmt::format("{}: {}", passes::name_of(way.path), text_of(problem)));
        const FilterSize size = passes::filter_result_size(problem);
        const std::uint64_t count = filter_count(size);
        ASSERT_EQ(got.size(), count * problem.batch * problem.filters);
        constexpr std::size_t kSome = 4096;
        std::mt19937 random(3);
        const std::size_t tried = std::min(got.size(), kSome);
        for (std::size_t n = 0; n < tried; ++n) {
            const std::size_t i = got.size() <= kSome ? n : random() % got.size();
            FilterSize place{};
            std::uint64_t rest = i % count;
            for (std::size_t axis = 0; axis < 4; ++axis) {
                place[axis] = static_cast<std::uint32_t>(rest % size[axis]);
                rest /= size[axis];
            }
            const auto filter = static_cast<std::uint32_t>(i / count % problem.filters);
            const auto array = static_cast<std::uint32_t>(i / count / problem.filters);
            const auto sum =
                reference::convolved_at(problem, source, problem.weights, array, filter, place);
            ASSERT_LE(std::abs(static_cast<double>(got[i]) - sum.value), within * sum.magnitude)
                << "result " << i << " is " << got[i] << " instead of " << sum.value;
        }
    });
}

std::vector<std::string> ConvolveTest::codes(FilterConvolve pass, std::size_t numbers,
                                             const Floats& kernel) {
    Graph g = graph();
    pass.source = constant_floats(g, Floats(numbers, 1.0f));
    if (!kernel.empty()) pass.kernel = constant_floats(g, kernel);
    g.output("result", g.add(pass).result);
    const auto plan = compile(std::move(g).finish(), device().caps());
    std::vector<std::string> found;
    if (!plan)
        for (const Diagnostic& one : plan.error())
            if (one.severity == Severity::error) found.push_back(one.code);
    return found;
}

} // namespace tuff::testing_gpu
