#include "passes/filter/tile_spectra.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/fft/steps.hpp"
#include "passes/filter/kernel_array.hpp"
#include "passes/filter/way_nodes.hpp"
#include "passes/primitives/elements.hpp"

#include <bit>
#include <complex>
#include <numbers>
#include <vector>

namespace tuff::passes {
namespace {

using Complex = std::complex<double>;

/// Spectra of more slices are made by the device: they would take long to compute and to upload.
constexpr std::uint64_t kMaxSlicesOnHost = 64;

constexpr std::uint32_t kRadix = 8;
/// Where groups may have few invocations, each keeps more.
constexpr std::uint32_t kElements = 8;
constexpr std::uint32_t kManyElements = 16;

std::uint32_t tile_elements(const Graph& graph, std::uint32_t side) {
    const bool few = side * side / kElements <= graph.target().max_group_invocations;
    return few ? kElements : kManyElements;
}

float spectrum_scale(std::uint32_t side) {
    return 1.0f / (static_cast<float>(side) * static_cast<float>(side));
}

/// The weights of slice number `slice` of all kernels, in the order in which convolutions want
/// them.
std::vector<float> slice_weights(const FilterProblem& problem, std::uint64_t slice) {
    const std::uint64_t all = filter_count(problem.kernel_size);
    const std::uint64_t taps = std::uint64_t{problem.kernel_size[0]} * problem.kernel_size[1];
    std::vector<float> weights;
    for (std::uint64_t i = slice * taps; i < (slice + 1) * taps; ++i)
        weights.push_back(
            problem.weights[problem.correlate ? i / all * all + all - 1 - i % all : i]);
    return weights;
}

/// exp(-2 pi i k / side), k from 0 to side - 1.
std::vector<Complex> unit_roots(std::uint32_t side) {
    std::vector<Complex> roots;
    for (std::uint32_t k = 0; k < side; ++k)
        roots.push_back(std::polar(1.0, -2.0 * std::numbers::pi * k / side));
    return roots;
}

/// Column by column. The last weight along an axis lies at place 0, those before it at the end.
std::vector<Complex> slice_spectrum(const std::vector<float>& weights, glm::uvec2 size,
                                    const std::vector<Complex>& roots) {
    const auto side = static_cast<std::uint32_t>(roots.size());
    const auto root = [&](std::uint32_t weight, std::uint32_t weights_along, std::uint32_t k) {
        return roots[(weight + side + 1 - weights_along) * k % side];
    };
    std::vector<Complex> spectrum(std::size_t{side} * side);
    for (std::uint32_t kx = 0; kx < side; ++kx)
        for (std::uint32_t y = 0; y < size.y; ++y) {
            Complex row = 0.0;
            for (std::uint32_t x = 0; x < size.x; ++x)
                row +=
                    static_cast<double>(weights[std::size_t{y} * size.x + x]) * root(x, size.x, kx);
            for (std::uint32_t ky = 0; ky < side; ++ky)
                spectrum[std::size_t{kx} * side + ky] += row * root(y, size.y, ky);
        }
    return spectrum;
}

/// The frequency that the transform leaves at a place of a line.
std::uint32_t frequency_at(std::uint32_t place, std::uint32_t side) {
    const std::uint32_t other = side / kRadix;
    return place / other + place % other * kRadix;
}

/// As filter/tile_spectra leaves them: in the order of what invocations keep.
std::vector<glm::vec2> spectra_on_host(const FilterProblem& problem, std::uint64_t slices,
                                       std::uint32_t side, std::uint32_t elements) {
    const std::uint32_t other = side / kRadix;
    const std::uint32_t workers = side / elements;
    const double scale = spectrum_scale(side);
    const std::vector<Complex> roots = unit_roots(side);
    std::vector<glm::vec2> numbers;
    for (std::uint64_t slice = 0; slice < slices; ++slice) {
        const std::vector<Complex> spectrum = slice_spectrum(
            slice_weights(problem, slice), {problem.kernel_size[0], problem.kernel_size[1]}, roots);
        for (std::uint32_t e = 0; e < elements; ++e)
            for (std::uint32_t i = 0; i < side * workers; ++i) {
                const std::uint32_t place = (i / side + e / other * workers) * other + e % other;
                const std::uint32_t kx = frequency_at(place, side);
                const std::uint32_t ky = frequency_at(i % side, side);
                const Complex number = scale * spectrum[std::size_t{kx} * side + ky];
                numbers.emplace_back(number.real(), number.imag());
            }
    }
    return numbers;
}

} // namespace

void bind_tile(Graph& graph, ComputeNodeBuilder& node, std::uint32_t side) {
    const auto bits = static_cast<std::uint32_t>(std::countr_zero(side));
    node.read("roots", constant_table(graph, "roots", long_roots(side, bits)));
    const std::uint32_t elements = tile_elements(graph, side);
    node.specialize("local_size_x", side * side / elements);
    node.specialize("side", side);
    node.specialize("elements", elements);
    const bool padded = side * (side + 1) * sizeof(glm::vec2) <= graph.target().max_shared_bytes;
    node.specialize("pitch", padded ? side + 1 : side);
}

Buffer tile_spectra(Graph& graph, Buffer kernel, const FilterProblem& problem, std::uint32_t side) {
    const FilterSize& taps = problem.kernel_size;
    if (!spectra_fit(graph, {side, side, taps[2], taps[3]}, problem.filters)) return {};
    const std::uint32_t slices_each = taps[2] * taps[3];
    const std::uint64_t slices = std::uint64_t{slices_each} * problem.filters;
    if (!problem.weights.empty() && slices <= kMaxSlicesOnHost)
        return constant_array(graph, "spectra",
                              spectra_on_host(problem, slices, side, tile_elements(graph, side)));
    ComputeNodeBuilder node = graph.compute("filter/tile_spectra");
    node.read("kernel", kernel);
    node.set("size", glm::uvec2{taps[0], taps[1]});
    node.set("slices", slices_each);
    node.set("turned", std::uint32_t(problem.correlate));
    node.set("count", static_cast<std::uint32_t>(slices));
    node.set("scale", spectrum_scale(side));
    bind_tile(graph, node, side);
    const Buffer spectra = node.write(
        "spectra", filter_floats(graph, "spectra", 2 * std::uint64_t{side} * side * slices));
    fold_groups(slices).dispatch(node);
    return spectra;
}

} // namespace tuff::passes
