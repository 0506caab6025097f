#include "tests/gpu/filter/array_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace tuff::testing_gpu {
namespace {

using passes::filter_count;
using passes::FilterBorder;
using passes::FilterProblem;
using passes::FilterSize;
using ArrayPlace = std::array<std::int64_t, 4>;

ArrayPlace place_in(const FilterSize& size, std::uint64_t index) {
    ArrayPlace place{};
    for (std::size_t axis = 0; axis < 4; ++axis) {
        place[axis] = static_cast<std::int64_t>(index % size[axis]);
        index /= size[axis];
    }
    return place;
}

/// By walking, so that it shares no formula with what it tests.
std::optional<std::int64_t> walked(FilterBorder border, std::int64_t place, std::int64_t size) {
    while (place < 0 || place >= size) {
        if (border == FilterBorder::zero || border == FilterBorder::valid) return {};
        if (border == FilterBorder::clamp) place += place < 0 ? 1 : -1;
        if (border == FilterBorder::wrap) place += place < 0 ? size : -size;
        if (border == FilterBorder::mirror) place = place < 0 ? -1 - place : 2 * size - 1 - place;
    }
    return place;
}

/// Where the middle of a result's neighbourhood lies, and the first number of its array.
std::pair<ArrayPlace, std::uint64_t> middle_of(const FilterProblem& problem, std::uint64_t result) {
    const FilterSize size = filter_result_size(problem);
    ArrayPlace middle = place_in(size, result % filter_count(size));
    if (problem.border == FilterBorder::valid)
        for (std::size_t axis = 0; axis < 4; ++axis)
            middle[axis] += problem.kernel_size[axis] / 2;
    return {middle, result / filter_count(size) * filter_count(problem.size)};
}

std::uint64_t index_in(const FilterSize& size, const ArrayPlace& place) {
    std::uint64_t index = 0;
    for (std::size_t axis = 4; axis-- > 0;)
        index = index * size[axis] + static_cast<std::uint64_t>(place[axis]);
    return index;
}

} // namespace

FilterNumbers unit_numbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(0.0f, 1.0f);
    FilterNumbers values(count);
    std::ranges::generate(values, [&] { return value(random); });
    return values;
}

FilterNumbers neighbours(const FilterProblem& problem, const FilterNumbers& source,
                         std::uint64_t result) {
    const auto [middle, first] = middle_of(problem, result);
    FilterNumbers met;
    for (std::uint64_t tap = 0; tap < filter_count(problem.kernel_size); ++tap) {
        ArrayPlace place = place_in(problem.kernel_size, tap);
        bool exists = true;
        for (std::size_t axis = 0; axis < 4; ++axis) {
            const auto at =
                walked(problem.border, middle[axis] + place[axis] - problem.kernel_size[axis] / 2,
                       problem.size[axis]);
            exists = exists && at;
            place[axis] = at.value_or(0);
        }
        met.push_back(exists ? source[first + index_in(problem.size, place)] : 0.0f);
    }
    return met;
}

float own_number(const FilterProblem& problem, const FilterNumbers& source, std::uint64_t result) {
    const auto [middle, first] = middle_of(problem, result);
    return source[first + index_in(problem.size, middle)];
}

double psnr(const FilterNumbers& a, const FilterNumbers& b, double peak) {
    double squares = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        squares += apart * apart;
    }
    return 20.0 * std::log10(peak / std::sqrt(squares / static_cast<double>(a.size())));
}

Graph& FilterArrayTest::batch() {
    if (!batch_) batch_.emplace(graph());
    return *batch_;
}

Buffer FilterArrayTest::numbers(Graph& g, std::string_view name, const FilterNumbers& values) {
    return g.constant_buffer(name, {.size = values.size() * 4, .stride = 4}, bytes_of(values));
}

Buffer FilterArrayTest::numbers(const FilterNumbers& values) {
    return numbers(batch(), "numbers" + std::to_string(made_++), values);
}

void FilterArrayTest::expect(Buffer buffer, std::function<void(const FilterNumbers&)> look) {
    looks_.emplace_back(std::to_string(looks_.size()), std::move(look));
    batch().output(looks_.back().first, buffer);
}

void FilterArrayTest::run_batch() {
    if (!batch_) return;
    Running running = run(std::move(*batch_), 2);
    batch_.reset();
    ASSERT_TRUE(bool(running));
    for (const auto& [name, look] : std::exchange(looks_, {}))
        look(running.buffer<float>(name));
}

std::vector<std::string> FilterArrayTest::codes(const std::function<Buffer(Graph&)>& make) {
    Graph g = graph();
    g.output("result", make(g));
    const auto plan = compile(std::move(g).finish(), device().caps());
    std::vector<std::string> found;
    if (!plan)
        for (const Diagnostic& one : plan.error())
            if (one.severity == Severity::error) found.push_back(one.code);
    return found;
}

} // namespace tuff::testing_gpu
