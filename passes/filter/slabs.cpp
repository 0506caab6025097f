#include "passes/filter/slabs.hpp"

#include "passes/common/divided_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tuff::passes {
namespace {

std::size_t outermost_axis(const FilterSize& size) {
    for (std::size_t axis = size.size() - 1; axis > 0; --axis)
        if (size[axis] > 1) return axis;
    return 0;
}

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

/// Numbers `first` to `first + count` of the outermost axis of one array, those beyond the border
/// included.
struct SlabSource {
    std::uint64_t array_offset; ///< bytes
    std::uint64_t slice_bytes;
    std::int64_t first;
    std::uint32_t count;
};

Buffer slab_of(Graph& graph, Buffer source, const FilterProblem& problem, const SlabSource& part) {
    const std::int64_t size = problem.size[outermost_axis(problem.size)];
    Buffer slab =
        graph.buffer("slab", {.size = part.count * part.slice_bytes, .stride = sizeof(float)});
    std::uint64_t at = 0;
    for (const Run& run : runs_of(problem.border, part.first, part.count, size)) {
        const std::uint64_t bytes = run.count * part.slice_bytes;
        const BufferView place(slab, at, bytes);
        if (run.first) {
            const std::uint64_t offset =
                part.array_offset + static_cast<std::uint64_t>(*run.first) * part.slice_bytes;
            slab = graph.copy(BufferView(source, offset, bytes), place, "take");
        } else {
            slab = graph.fill(place, 0, "zeros");
        }
        at += bytes;
    }
    return slab;
}

} // namespace

std::uint32_t slabs_needed(const DeviceCaps& target, const FilterProblem& problem) {
    const std::uint64_t limit = most_bound(target) / sizeof(float);
    const FilterSize result = filter_result_size(problem);
    const std::uint64_t wanted =
        std::max(filter_count(problem.size), filter_count(result) * problem.filters);
    if (wanted <= limit / problem.batch) return 1;
    const std::size_t axis = outermost_axis(problem.size);
    const std::uint64_t slice = filter_count(problem.size) / problem.size[axis];
    const std::uint64_t halo = problem.kernel_size[axis] - 1;
    const std::uint64_t by_source = limit / slice > halo ? limit / slice - halo : 0;
    const std::uint64_t of_results = filter_count(result) / result[axis] * problem.filters;
    const std::uint64_t most = std::min(by_source, limit / of_results);
    if (most == 0) return 0;
    return static_cast<std::uint32_t>(divided_up(std::uint64_t{result[axis]}, most));
}

Buffer convolve_in_slabs(Graph& graph, Buffer source, const FilterProblem& problem,
                         std::uint32_t slabs, const FilterInWindow& way) {
    const FilterWindow whole = whole_window(problem);
    const std::size_t axis = outermost_axis(problem.size);
    const std::uint32_t wanted = whole.size[axis];
    const std::uint32_t half = problem.kernel_size[axis] / 2;
    const std::uint64_t slice_bytes =
        filter_count(problem.size) / problem.size[axis] * sizeof(float);
    const std::uint64_t result_slice_bytes = filter_count(whole.size) / wanted * sizeof(float);
    const std::uint32_t thickness = divided_up(wanted, std::min(slabs, wanted));

    Buffer result = window_results(graph, problem, whole);
    for (std::uint32_t array = 0; array < problem.batch; ++array)
        for (std::uint32_t first = 0; first < wanted; first += thickness) {
            const std::uint32_t count = std::min(thickness, wanted - first);
            const SlabSource part{.array_offset =
                                      array * filter_count(problem.size) * sizeof(float),
                                  .slice_bytes = slice_bytes,
                                  .first = std::int64_t{whole.first[axis]} + first - half,
                                  .count = count + 2 * half};
            graph.push_scope(fmt::format("slab_{}", first / thickness));
            const Buffer slab = slab_of(graph, source, problem, part);
            FilterProblem cut = problem;
            cut.batch = 1;
            cut.size[axis] = part.count;
            FilterWindow window = whole;
            window.first[axis] = half;
            window.size[axis] = count;
            const Buffer filtered = way(slab, cut, window);
            const std::uint64_t bytes = count * result_slice_bytes;
            for (std::uint32_t filter = 0; filter < problem.filters; ++filter) {
                const std::uint64_t place =
                    (std::uint64_t{array} * problem.filters + filter) * wanted + first;
                result = graph.copy(BufferView(filtered, filter * bytes, bytes),
                                    BufferView(result, place * result_slice_bytes, bytes), "put");
            }
            graph.pop_scope();
        }
    return result;
}

} // namespace tuff::passes
