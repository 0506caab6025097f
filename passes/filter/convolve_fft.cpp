#include "passes/fft/lengths.hpp"
#include "passes/fft/transform.hpp"
#include "passes/filter/kernel_array.hpp"
#include "passes/filter/way_nodes.hpp"
#include "passes/filter/ways.hpp"

#include <algorithm>
#include <optional>

/// Convolutions as products of spectra. A transform's convolution goes round, so an axis is made
/// long enough that what comes round meets zeros, or results that are not wanted.
namespace tuff::passes {
namespace {

/// What is transformed along an axis.
struct TransformedAxis {
    std::uint32_t length = 1; ///< of the transform
    std::uint32_t source = 1; ///< numbers that there are; zeros follow
    std::uint32_t before = 0; ///< of these, that lie in front of the source's own
    std::uint32_t shift = 0;  ///< weight of the kernel that lies at place 0
};

/// The least length of small factors; even along x, where two real numbers make one complex.
std::uint32_t transform_length(std::uint32_t least, std::size_t axis) {
    if (axis != 0 || least == 1) return next_fft_length(least);
    return 2 * next_fft_length(least / 2 + least % 2);
}

TransformedAxis transformed_axis(const FilterProblem& problem, std::size_t axis) {
    const std::uint32_t size = problem.size[axis];
    const std::uint32_t kernel = problem.kernel_size[axis];
    const std::uint32_t half = kernel / 2;
    const auto of_length = [&](std::uint32_t least) { return transform_length(least, axis); };
    // Sums that come round are among the first kernel - 1, which are not wanted.
    if (problem.border == FilterBorder::valid) return {of_length(size), size, 0, kernel - 1};
    // The last `half` results of an axis alone reach beyond its end, the first ones beyond its
    // beginning: both meet the same zeros.
    if (problem.border == FilterBorder::zero || half == 0)
        return {of_length(std::max(size + half, kernel)), size, 0, half};
    if (problem.border == FilterBorder::wrap && has_small_factors(size) && kernel <= size)
        return {size, size, 0, half};
    const std::uint32_t extended = size + 2 * half;
    return {of_length(extended), extended, half, kernel - 1};
}

/// Without axes of one number: others take their place, so that x is long.
FilterProblem without_short_axes(const FilterProblem& problem) {
    FilterProblem result = problem;
    result.size = result.kernel_size = {1, 1, 1, 1};
    std::size_t axes = 0;
    for (std::size_t axis = 0; axis < 4; ++axis) {
        if (problem.size[axis] == 1 && problem.kernel_size[axis] == 1) continue;
        result.size[axes] = problem.size[axis];
        result.kernel_size[axes] = problem.kernel_size[axis];
        ++axes;
    }
    return result;
}

struct FilterTransforms {
    FftArray sources;
    FftArray kernels;
    FftArray results;
    FftExtent source_size{1, 1, 1, 1};
    FilterSize before{};
    FilterSize shift{};

    bool extended() const { return before != FilterSize{}; }
    std::uint64_t half_count() const { return filter_count(half_of(sources.size)); }
};

/// Reports filter/too-large, and returns nothing.
std::optional<FilterTransforms> filter_transforms(Graph& graph, const FilterProblem& problem) {
    FilterTransforms all;
    FftExtent size{};
    for (std::size_t axis = 0; axis < 4; ++axis) {
        const TransformedAxis along = transformed_axis(problem, axis);
        size[axis] = along.length;
        all.source_size[axis] = along.source;
        all.before[axis] = along.before;
        all.shift[axis] = along.shift;
    }
    const std::uint64_t arrays = std::uint64_t{problem.batch} * problem.filters;
    if (!spectra_fit(graph, size, arrays)) return {};
    all.sources = {.size = size, .batch = problem.batch};
    all.kernels = {.size = size, .batch = problem.filters};
    all.results = {.size = size, .batch = static_cast<std::uint32_t>(arrays)};
    return all;
}

/// Each array with what the border puts around it.
Buffer extended_source(Graph& graph, Buffer source, const FilterProblem& problem,
                       const FilterTransforms& transforms) {
    const auto count =
        static_cast<std::uint32_t>(filter_count(transforms.source_size) * problem.batch);
    ComputeNodeBuilder node = graph.compute("filter/extend");
    node.read("source", source);
    node.set("border", static_cast<std::uint32_t>(problem.border));
    node.set("size", as_vector(problem.size));
    node.set("result_size", as_vector(transforms.source_size));
    node.set("before", glm::ivec4(as_vector(transforms.before)));
    node.set("count", count);
    const Buffer result = node.write("result", filter_floats(graph, "extended", count));
    node.dispatch_each(count);
    return result;
}

/// Each spectrum of an array times each of a kernel.
Buffer spectra_products(Graph& graph, Buffer arrays, Buffer kernels, const FilterProblem& problem,
                        std::uint64_t each) {
    const std::uint64_t count = each * problem.batch * problem.filters;
    ComputeNodeBuilder node = graph.compute("filter/products");
    node.read("arrays", arrays);
    node.read("kernels", kernels);
    node.set("each", static_cast<std::uint32_t>(each));
    node.set("filters", problem.filters);
    node.set("count", static_cast<std::uint32_t>(count));
    const Buffer result = node.write(
        "result",
        graph.buffer("products", {.size = count * sizeof(glm::vec2), .stride = sizeof(glm::vec2)}));
    node.dispatch_each(static_cast<std::uint32_t>(count));
    return result;
}

} // namespace

Buffer convolve_fft(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& given) {
    const FilterProblem problem = without_short_axes(given);
    const auto transforms = filter_transforms(graph, problem);
    if (!transforms) return {};
    const float scale = scale_of(FftScale::by_count, transforms->sources);
    const FftExtent& whole = transforms->sources.size;

    const Buffer placed =
        place_kernels(graph, kernel, problem, {.size = whole, .shift = transforms->shift});
    const Buffer kernels = real_forward_transform(graph, placed, transforms->kernels, whole, scale);
    if (transforms->extended()) source = extended_source(graph, source, problem, *transforms);
    const Buffer arrays =
        real_forward_transform(graph, source, transforms->sources, transforms->source_size, 1.0f);
    if (!kernels || !arrays) return {};

    // The products are made on the way back. Either factor may be the one that is repeated.
    const std::uint64_t each = transforms->half_count();
    const FftExtent wanted = filter_result_size(problem);
    const auto back = [&](Buffer spectra, const FftMultiplier& multiplier) {
        return real_inverse_transform(graph, spectra, transforms->results, wanted, 1.0f,
                                      multiplier);
    };
    if (problem.batch == 1) return back(kernels, {.numbers = arrays, .count = each});
    if (problem.filters == 1) return back(arrays, {.numbers = kernels, .count = each});
    return back(spectra_products(graph, arrays, kernels, problem, each), {});
}

} // namespace tuff::passes
