#include "passes/filter/slabs.hpp"

#include "passes/common/div_round_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tuff::passes {
namespace {

/// The most bytes of a binding: indices of kernels have 32 bits.
std::uint64_t most_bound(const DeviceCaps& target) {
    return std::min<std::uint64_t>(target.max_storage_buffer_bytes, std::uint64_t{1} << 32);
}

/// As place_read of border.glsl.
std::optional<std::int64_t> slice_read(FilterBorder border, std::int64_t place, std::int64_t size) {
    if (place >= 0 && place < size) return place;
    const std::int64_t beyond = place < 0 ? -1 - place : place;
    switch (border) {
    case FilterBorder::clamp: return place < 0 ? 0 : size - 1;
    case FilterBorder::wrap: return place < 0 ? size - 1 - beyond % size : beyond % size;
    case FilterBorder::mirror: {
        const std::int64_t within = beyond % (2 * size);
        return within < size ? within : 2 * size - 1 - within;
    }
    default: return {};
    }
}

/// Slices that follow one another in the source, or `count` slices of zeros.
struct Run {
    std::optional<std::int64_t> first;
    std::uint32_t count = 1;
};

/// What is read for the places from `first` on.
std::vector<Run> runs_of(FilterBorder border, std::int64_t first, std::uint32_t count,
                         std::int64_t size) {
    std::vector<Run> runs;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto slice = slice_read(border, first + i, size);
        if (!runs.empty()) {
            Run& last = runs.back();
            const bool goes_on =
                slice ? last.first && *last.first + last.count == *slice : !last.first;
            if (goes_on) {
                ++last.count;
                continue;
            }
        }
        runs.push_back({slice, 1});
    }
    return runs;
}

std::uint64_t product(const FilterSize& size, std::size_t from, std::size_t to) {
    std::uint64_t count = 1;
    for (std::size_t axis = from; axis < to; ++axis)
        count *= size[axis];
    return count;
}

/// An array as rows of slabs' slices: `outer` times `size` slices of `bytes`.
struct Slices {
    std::uint64_t outer;
    std::uint64_t size;
    std::uint64_t bytes;

    Slices(const FilterSize& of, std::size_t axis)
        : outer(product(of, axis + 1, 4)), size(of[axis]),
          bytes(product(of, 0, axis) * sizeof(float)) {}
    /// Where slices begin.
    std::uint64_t offset(std::uint64_t row, std::uint64_t slice) const {
        return (row * size + slice) * bytes;
    }
};

/// Slices from `first` on, and how many.
struct SlabRange {
    std::int64_t first;
    std::uint32_t count;
};

/// These slices of one array, those beyond the border included.
Buffer slab_of(Graph& graph, Buffer source, std::uint64_t array, const FilterProblem& problem,
               const Slices& all, const SlabRange& range) {
    const std::uint64_t row_bytes = range.count * all.bytes;
    Buffer slab = graph.buffer("slab", {.size = all.outer * row_bytes, .stride = sizeof(float)});
    const auto runs =
        runs_of(problem.border, range.first, range.count, static_cast<std::int64_t>(all.size));
    for (std::uint64_t row = 0; row < all.outer; ++row) {
        std::uint64_t at = row * row_bytes;
        for (const Run& run : runs) {
            const std::uint64_t bytes = run.count * all.bytes;
            const BufferView place(slab, at, bytes);
            if (run.first) {
                const auto slice = static_cast<std::uint64_t>(*run.first);
                const std::uint64_t from = all.offset(array * all.outer + row, slice);
                slab = graph.copy(BufferView(source, from, bytes), place, "take");
            } else {
                slab = graph.fill(place, 0, "zeros");
            }
            at += bytes;
        }
    }
    return slab;
}

/// The most slices of a slab that are bound with their halo.
std::uint64_t most_slices(std::uint64_t limit, const FilterProblem& problem, std::size_t axis) {
    const FilterSize result = filter_result_size(problem);
    const std::uint64_t slice = filter_count(problem.size) / problem.size[axis];
    const std::uint64_t of_results = filter_count(result) / result[axis] * problem.filters;
    const std::uint64_t halo = problem.kernel_size[axis] - 1;
    const std::uint64_t bound = limit / slice;
    return std::min(bound > halo ? bound - halo : 0, limit / of_results);
}

} // namespace

std::optional<SlabPlan> slab_plan(const DeviceCaps& target, const FilterProblem& problem,
                                  std::uint32_t least) {
    const std::uint64_t limit = most_bound(target) / sizeof(float);
    const FilterSize result = filter_result_size(problem);
    const std::uint64_t wanted =
        std::max(filter_count(problem.size), filter_count(result) * problem.filters);
    if (wanted <= limit / problem.batch && least <= 1) return SlabPlan{};
    for (std::size_t axis = 4; axis-- > 0;) {
        if (problem.size[axis] == 1 && axis != 0) continue;
        const std::uint64_t most = most_slices(limit, problem, axis);
        if (most == 0) continue;
        const std::uint64_t needed = div_round_up(std::uint64_t{result[axis]}, most);
        // One slab of several arrays that cannot be bound together is cut as well.
        return SlabPlan{axis, std::max({static_cast<std::uint32_t>(needed), least, 2u})};
    }
    return {};
}

Buffer convolve_in_slabs(Graph& graph, Buffer source, const FilterProblem& problem,
                         const SlabPlan& plan, const FilterInWindow& way) {
    const std::size_t axis = plan.axis;
    const FilterWindow whole = whole_window(problem);
    const Slices sources(problem.size, axis);
    const Slices results(whole.size, axis);
    const std::uint32_t wanted = whole.size[axis];
    const std::uint32_t half = problem.kernel_size[axis] / 2;
    const std::uint32_t thickness = div_round_up(wanted, std::min(plan.slabs, wanted));

    Buffer result = window_results(graph, problem, whole);
    for (std::uint32_t array = 0; array < problem.batch; ++array)
        for (std::uint32_t first = 0; first < wanted; first += thickness) {
            const std::uint32_t count = std::min(thickness, wanted - first);
            const SlabRange range{std::int64_t{whole.first[axis]} + first - half, count + 2 * half};
            graph.push_scope(fmt::format("slab_{}", first / thickness));
            FilterProblem cut = problem;
            cut.batch = 1;
            cut.size[axis] = range.count;
            FilterWindow window = whole;
            window.first[axis] = half;
            window.size[axis] = count;
            const Buffer filtered =
                way(slab_of(graph, source, array, problem, sources, range), cut, window);
            const std::uint64_t bytes = count * results.bytes;
            const std::uint64_t rows = problem.filters * results.outer;
            for (std::uint64_t row = 0; row < rows; ++row)
                result = graph.copy(
                    BufferView(filtered, row * bytes, bytes),
                    BufferView(result, results.offset(array * rows + row, first), bytes), "put");
            graph.pop_scope();
        }
    return result;
}

} // namespace tuff::passes
