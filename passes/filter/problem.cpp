#include "passes/filter/problem.hpp"

namespace tuff::passes {

FilterSize filter_result_size(const FilterProblem& problem) {
    if (problem.border != FilterBorder::valid) return problem.size;
    FilterSize size = problem.size;
    for (std::size_t axis = 0; axis < size.size(); ++axis) {
        const std::uint32_t lost = problem.kernel_size[axis] - 1;
        size[axis] = size[axis] > lost ? size[axis] - lost : 0;
    }
    return size;
}

std::uint64_t filter_count(const FilterSize& size) {
    std::uint64_t count = 1;
    for (const std::uint32_t extent : size)
        count *= extent;
    return count;
}

} // namespace tuff::passes
