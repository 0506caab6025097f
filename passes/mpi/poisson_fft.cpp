#include "passes/mpi/poisson_fft.hpp"

#include "passes/common/picture.hpp"
#include "passes/fft/from_image.hpp"
#include "passes/fft/to_image.hpp"
#include "passes/mpi/field.hpp"
#include "passes/mpi/spectrum_filter.hpp"
#include "passes/mpi/transfer.hpp"

namespace tuff::passes {

void PoissonFftOfParts::describe(PassInfo<PoissonFftOfParts>& info) {
    info.summary("Solves the periodic Poisson equation on a field that ranks have in parts")
        .details(
            "The solution of laplace(u) = source, the Laplacian being the sum of differences "
            "between neighbours as in \"mpi/poisson\", on a field that is periodic along all axes: "
            "directly, by Fourier transforms there and back. The mean of the source, for which "
            "there is no solution, is left out, and that of the solution is 0. It has the same "
            "bits "
            "for any number of ranks. Other boundaries: \"mpi/poisson\".")
        .source("Hockney, \"A Fast Direct Solution of Poisson's Equation Using Fourier Analysis\", "
                "Journal of the ACM, 1965")
        .complexity("O(n log n / ranks)")
        .cost([](const PoissonFftOfParts& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 60.0);
        });
    info.input("source", &PoissonFftOfParts::source,
               "the rank's part of the right-hand side in the first channel, with its halo, which "
               "is not read")
        .picture_or_volume();
    describe_field(info, &PoissonFftOfParts::cells, &PoissonFftOfParts::halo, 0);
    info.parameter("cell", &PoissonFftOfParts::cell, "side of a cell")
        .range(1e-6, 1e6)
        .structural();
    info.output("result", &PoissonFftOfParts::result,
                "the part of the solution with its halo, r32_sfloat");
}

void PoissonFftOfParts::build(Graph& graph) {
    constexpr HaloEdges kPeriodicEdges{HaloEdge::periodic, HaloEdge::periodic, HaloEdge::periodic};
    const Field field = field_of(graph, source, cells, halo, kPeriodicEdges);
    if (!is_part_of(graph, source, field)) return;
    auto fft = planned_fft(graph, {cells, FieldNumbers::reals, SpectrumLayout::computed, halo});
    if (!fft) return;
    fft->halo = field.halo; // of a volume along z, even where it has one cell
    const Buffer numbers =
        graph.add(FftFromImage{.source = source, .number = ImageNumber::red}).result;
    const auto rhs = field_part(graph, *fft, numbers);
    if (!rhs) return;
    graph.push_scope("forward");
    const auto spectrum = forward_of_parts(graph, *fft, *rhs, 1.0f);
    graph.pop_scope();
    if (!spectrum) return;
    const SpectrumFunction function{.shape = SpectrumShape::inverse_laplacian, .cell = cell};
    const DividedArray product = filtered(graph, *fft, *spectrum, function);
    graph.push_scope("inverse");
    const auto solution = inverse_of_parts(graph, *fft, product, fft->factor(FftScale::by_count));
    graph.pop_scope();
    if (!solution) return;
    const Cells& texels = solution->part.size;
    const bool volume = graph.desc(source).shape == ImageShape::d3;
    const Image part =
        graph
            .add(FftToImage{.source = solution->part.buffer,
                            .size = {texels[0], texels[1], texels[2], 1},
                            .shape = volume ? ImageAxes::volume : ImageAxes::picture})
            .result;
    result = fill_halo(graph, part, field);
}

TUFF_PASS(PoissonFftOfParts)

} // namespace tuff::passes
