#include "tests/reference/filter_reference.hpp"

#include <cmath>
#include <optional>

namespace tuff::reference {
namespace {

using passes::FilterBorder;
using passes::FilterProblem;
using passes::FilterSize;

/// Where a place of an axis is read, or nothing where zeros lie.
std::optional<std::int64_t> inside(FilterBorder border, std::int64_t place, std::int64_t size) {
    if (place >= 0 && place < size) return place;
    switch (border) {
    case FilterBorder::clamp: return place < 0 ? 0 : size - 1;
    case FilterBorder::wrap: return ((place % size) + size) % size;
    case FilterBorder::mirror: {
        const std::int64_t within = ((place % (2 * size)) + 2 * size) % (2 * size);
        return within < size ? within : 2 * size - 1 - within;
    }
    case FilterBorder::zero:
    case FilterBorder::valid: break;
    }
    return {};
}

FilterSize place_of(std::uint64_t index, const FilterSize& size) {
    FilterSize place{};
    for (std::size_t axis = 0; axis < 4; ++axis) {
        place[axis] = static_cast<std::uint32_t>(index % size[axis]);
        index /= size[axis];
    }
    return place;
}

/// The number that weight `tap` of the kernel meets at `place`, or nothing.
std::optional<std::uint64_t> met(const FilterProblem& problem, const FilterSize& place,
                                 const FilterSize& tap) {
    std::uint64_t index = 0;
    for (std::size_t axis = 4; axis-- > 0;) {
        const std::int64_t half = problem.kernel_size[axis] / 2;
        const std::int64_t offset = std::int64_t{tap[axis]} - half;
        std::int64_t at = std::int64_t{place[axis]} + (problem.correlate ? offset : -offset);
        if (problem.border == FilterBorder::valid) at += half;
        const auto read = inside(problem.border, at, problem.size[axis]);
        if (!read) return {};
        index = index * problem.size[axis] + static_cast<std::uint64_t>(*read);
    }
    return index;
}

} // namespace

FilterSum convolved_at(const FilterProblem& problem, std::span<const float> source,
                       std::span<const float> kernel, std::uint32_t array, std::uint32_t filter,
                       const FilterSize& place) {
    const std::uint64_t taps = passes::filter_count(problem.kernel_size);
    const std::uint64_t first = array * passes::filter_count(problem.size);
    FilterSum sum;
    for (std::uint64_t tap = 0; tap < taps; ++tap) {
        const auto index = met(problem, place, place_of(tap, problem.kernel_size));
        if (!index) continue;
        const double product =
            static_cast<double>(source[first + *index]) * kernel[filter * taps + tap];
        sum.value += product;
        sum.magnitude += std::abs(product);
    }
    return sum;
}

std::vector<FilterSum> convolved(const FilterProblem& problem, std::span<const float> source,
                                 std::span<const float> kernel) {
    const FilterSize size = passes::filter_result_size(problem);
    std::vector<FilterSum> sums;
    for (std::uint32_t array = 0; array < problem.batch; ++array)
        for (std::uint32_t filter = 0; filter < problem.filters; ++filter)
            for (std::uint64_t i = 0; i < passes::filter_count(size); ++i)
                sums.push_back(
                    convolved_at(problem, source, kernel, array, filter, place_of(i, size)));
    return sums;
}

} // namespace tuff::reference
