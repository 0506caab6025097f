#include "passes/mpi/spectrum_filter.hpp"

#include "passes/common/constant_array.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace tuff::passes {
namespace {

/// (k / cell)^2 of the frequencies of an axis, k in radians a cell.
void add_squares(std::vector<float>& squares, std::uint32_t cells,
                 const SpectrumFunction& function) {
    for (std::uint32_t i = 0; i < cells; ++i) {
        const double turn = std::numbers::pi * std::min(i, cells - i) / cells; // half a k
        const bool differences = function.shape == SpectrumShape::inverse_laplacian;
        const double k = 2.0 * (differences ? std::sin(turn) : turn);
        squares.push_back(static_cast<float>(std::pow(k / static_cast<double>(function.cell), 2)));
    }
}

float strength_of(const SpectrumFunction& function) {
    switch (function.shape) {
    case SpectrumShape::gaussian: return 0.5f * function.sigma * function.sigma;
    case SpectrumShape::power: return 0.5f * function.exponent;
    case SpectrumShape::inverse_laplacian: break;
    }
    return 1.0f;
}

} // namespace

DividedArray filtered(Graph& graph, const PlannedFft& fft, const DividedArray& spectrum,
                      const SpectrumFunction& function) {
    if (!spectrum.part.buffer) return spectrum;
    const TexelBox box = spectrum.division.box(fft.spectrum(), graph.ranks().rank);
    std::vector<float> squares;
    glm::uvec3 first{};
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        first[axis] = static_cast<std::uint32_t>(squares.size()) + box.corner[a];
        add_squares(squares, fft.cells[a], function);
    }
    const auto count = static_cast<std::uint32_t>(count_of(box.size));
    ComputeNodeBuilder node = graph.compute("mpi/spectrum_filter");
    node.read("source", spectrum.part.buffer);
    node.read("squares", constant_array(graph, "squares", squares));
    node.set("count", count);
    node.set("width", box.size[0]);
    node.set("height", box.size[1]);
    node.set("first", first);
    node.set("shape", static_cast<std::uint32_t>(function.shape));
    node.set("strength", strength_of(function));
    DividedArray result = spectrum;
    result.part.buffer = node.write(
        "result",
        graph.buffer("filtered", {.size = count * sizeof(glm::vec2), .stride = sizeof(glm::vec2)}));
    node.dispatch_each(count);
    return result;
}

void SpectrumFilter::describe(PassInfo<SpectrumFilter>& info) {
    info.summary("Multiplies the spectrum of a field over ranks by a function of the frequency")
        .details(
            "Between \"mpi/fft_forward\" and \"mpi/fft_inverse\", with the same \"cells\", "
            "\"numbers\" and \"layout\". k is the length of the wave vector, in radians by the "
            "unit "
            "of \"cell\". \"gaussian\" is a blur by a Gaussian of standard deviation \"sigma\", "
            "periodic and exact for any width. \"power\" makes a random field of noise: "
            "k^exponent. "
            "\"inverse_laplacian\" solves the Poisson equation of differences between neighbours. "
            "The last two leave no mean. Kernels for other functions find their frequency by the "
            "output \"box\" of mpi/fft_forward.")
        .source("Press, Teukolsky, Vetterling and Flannery, \"Numerical Recipes\", 3rd ed., "
                "Cambridge University Press, 2007, chapters 12 and 20.4")
        .complexity("O(cells of the part)")
        .cost([](const SpectrumFilter& pass, const Graph& graph) -> Cost {
            if (!pass.source) return {};
            const auto bytes = static_cast<double>(graph.desc(pass.source).size);
            return {.bytes = 2.0 * bytes, .operations = 8.0 * bytes / sizeof(glm::vec2)};
        });
    info.input("source", &SpectrumFilter::source,
               "the rank's part of the spectrum: complex numbers, x fastest")
        .elements<glm::vec2>();
    describe_spectrum(info);
    info.parameter("shape", &SpectrumFilter::shape, "the function").structural();
    info.parameter("sigma", &SpectrumFilter::sigma,
                   "width of the Gaussian, by the unit of \"cell\"")
        .range(0.0, 1e6);
    info.parameter("exponent", &SpectrumFilter::exponent, "of the power").range(-16.0, 16.0);
    info.parameter("cell", &SpectrumFilter::cell, "side of a cell").range(1e-6, 1e6).structural();
    info.output("result", &SpectrumFilter::result, "the product, in the same layout")
        .elements<glm::vec2>();
}

void SpectrumFilter::build(Graph& graph) {
    const auto fft = planned_fft(graph, {cells, numbers, layout, 0});
    if (!fft) return;
    const auto spectrum = spectrum_part(graph, *fft, source);
    if (!spectrum) return;
    result = never_empty(graph, filtered(graph, *fft, *spectrum, {shape, sigma, exponent, cell}));
}

TUFF_PASS(SpectrumFilter)

} // namespace tuff::passes
