#include "passes/filter/weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace tuff::passes {
namespace {

constexpr double kProductWithin = 1e-6; // of the greatest weight

using Weights = std::span<const float>;

Weights weights_of(const FilterProblem& problem, std::uint32_t filter) {
    const std::uint64_t taps = filter_count(problem.kernel_size);
    return Weights(problem.weights).subspan(filter * taps, taps);
}

FilterSize tap_at(std::uint64_t index, const FilterSize& size) {
    FilterSize tap{};
    for (std::size_t axis = 0; axis < 4; ++axis) {
        tap[axis] = static_cast<std::uint32_t>(index % size[axis]);
        index /= size[axis];
    }
    return tap;
}

/// The lines through the greatest weight, all but the first of them divided by it.
std::optional<FilterFactors> factors_of(Weights weights, const FilterSize& size) {
    const auto greatest = static_cast<std::uint64_t>(
        std::ranges::max_element(weights, {}, [](float w) { return std::abs(w); }) -
        weights.begin());
    const double peak = static_cast<double>(weights[greatest]);
    const FilterSize place = tap_at(greatest, size);
    std::array<std::vector<double>, 4> lines;
    std::uint64_t pitch = 1;
    bool first = true;
    for (std::size_t axis = 0; axis < 4; ++axis) {
        for (std::uint32_t i = 0; i < size[axis]; ++i) {
            const double weight =
                static_cast<double>(weights[greatest - place[axis] * pitch + i * pitch]);
            lines[axis].push_back(first || peak == 0.0 ? weight : weight / peak);
        }
        first = false;
        pitch *= size[axis];
    }
    for (std::uint64_t i = 0; i < weights.size(); ++i) {
        const FilterSize tap = tap_at(i, size);
        const double product =
            lines[0][tap[0]] * lines[1][tap[1]] * lines[2][tap[2]] * lines[3][tap[3]];
        if (std::abs(product - static_cast<double>(weights[i])) > kProductWithin * std::abs(peak))
            return {};
    }
    // What an axis of one weight has goes to an axis that is filtered anyway.
    std::size_t longest = 0;
    for (std::size_t axis = 1; axis < 4; ++axis)
        if (size[axis] > size[longest]) longest = axis;
    if (longest != 0 && size[0] == 1) {
        for (double& weight : lines[longest])
            weight *= lines[0][0];
        lines[0][0] = 1.0;
    }
    FilterFactors factors;
    for (std::size_t axis = 0; axis < 4; ++axis)
        factors[axis].assign(lines[axis].begin(), lines[axis].end());
    return factors;
}

FilterSymmetry symmetry_of(Weights weights) {
    bool even = true;
    bool odd = true;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const float opposite = weights[weights.size() - 1 - i];
        even = even && weights[i] == opposite;
        odd = odd && weights[i] == -opposite;
    }
    if (even) return FilterSymmetry::even;
    return odd ? FilterSymmetry::odd : FilterSymmetry::none;
}

} // namespace

std::optional<std::vector<FilterFactors>> filter_factors(const FilterProblem& problem) {
    if (problem.weights.empty()) return {};
    std::vector<FilterFactors> all;
    for (std::uint32_t filter = 0; filter < problem.filters; ++filter) {
        auto factors = factors_of(weights_of(problem, filter), problem.kernel_size);
        if (!factors) return {};
        all.push_back(std::move(*factors));
    }
    return all;
}

std::vector<FilterSymmetry> filter_symmetries(const FilterProblem& problem) {
    std::vector<FilterSymmetry> all;
    if (problem.weights.empty()) return all;
    for (std::uint32_t filter = 0; filter < problem.filters; ++filter)
        all.push_back(symmetry_of(weights_of(problem, filter)));
    return all;
}

std::vector<float> constant_numbers(const Graph& graph, Buffer buffer, std::uint64_t count) {
    const GraphDesc& desc = graph.peek();
    if (!buffer || buffer.version.index >= desc.versions.size()) return {};
    const ResourceDesc& resource =
        desc.resources[desc.versions[buffer.version.index].resource.index];
    if (resource.lifetime != Lifetime::constant || !resource.contents) return {};
    if (resource.contents->size() / sizeof(float) < count) return {};
    std::vector<float> numbers(count);
    std::memcpy(numbers.data(), resource.contents->data(), count * sizeof(float));
    return numbers;
}

} // namespace tuff::passes
