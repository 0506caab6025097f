#include "passes/mpi/fft_inverse.hpp"

namespace tuff::passes {

void FftInverseOfParts::describe(PassInfo<FftInverseOfParts>& info) {
    info.summary("Computes the field over ranks that a spectrum, or the product of two, belongs to")
        .details(
            "Undoes \"mpi/fft_forward\" with the same \"cells\", \"numbers\" and \"layout\": the "
            "sums of \"fft/inverse\" or \"fft/real_inverse\", with the bits of one process for any "
            "number of ranks. Each rank gets its box of the domain's grid. With \"halo\" there is "
            "room for a halo around it, of zeros: \"mpi/exchange\" fills it once it is an "
            "image.\n\nA \"multiplier\" is multiplied with the source as it is read, so a "
            "convolution needs no pass between the two transforms: it is the spectrum of the other "
            "field, in the same layout. With \"conjugate\" it is a correlation.")
        .source("Dalcin, Mortensen and Keyes, \"Fast parallel multidimensional FFT using advanced "
                "MPI\", Journal of Parallel and Distributed Computing, 2019")
        .complexity("O(n log n / ranks)")
        .cost([](const FftInverseOfParts& pass, const Graph& graph) {
            return cost_of_parts(graph, pass.source, pass.result, pass.cells);
        });
    info.input("source", &FftInverseOfParts::source,
               "the rank's part of the spectrum: complex numbers, x fastest")
        .elements<glm::vec2>();
    info.optional_input("multiplier", &FftInverseOfParts::multiplier,
                        "the rank's part of a spectrum to multiply the source by")
        .elements<glm::vec2>();
    describe_spectrum(info);
    describe_array_halo(info, "width of the halo around the result");
    info.parameter("scale", &FftInverseOfParts::scale,
                   "scale of the result: none, 1 / sqrt(n) (unitary) or 1 / n (by_count), n the "
                   "cells of the field")
        .structural();
    info.parameter("conjugate", &FftInverseOfParts::conjugate,
                   "multiply by the conjugate of the multiplier")
        .structural();
    info.output("result", &FftInverseOfParts::result,
                "the rank's part of the field, x fastest, with room for the halo")
        .elements_from("f32, or vec2 for complex numbers",
                       [](const FftInverseOfParts& pass) { return elements_of(pass.numbers); });
}

void FftInverseOfParts::build(Graph& graph) {
    const auto fft = planned_fft(graph, {cells, numbers, layout, halo});
    if (!fft) return;
    const auto spectrum = spectrum_part(graph, *fft, source);
    if (!spectrum) return;
    SpectrumFactors factors{.conjugate = conjugate};
    if (multiplier) {
        factors.numbers = spectrum_part(graph, *fft, multiplier);
        if (!factors.numbers) return;
    }
    const auto field = inverse_of_parts(graph, *fft, *spectrum, fft->factor(scale), factors);
    if (field) result = field->part.buffer;
}

TUFF_PASS(FftInverseOfParts)

} // namespace tuff::passes
