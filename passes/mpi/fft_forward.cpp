#include "passes/mpi/fft_forward.hpp"

#include "passes/common/constant_array.hpp"

namespace tuff::passes {
namespace {

/// As SpectrumBox of shaders/include/mpi/spectrum.glsl.
Buffer box_of(Graph& graph, const PlannedFft& fft) {
    const TexelBox box = fft.plan.spectrum.box(fft.spectrum(), graph.ranks().rank);
    std::vector<std::uint32_t> words;
    for (const Cells& three : {box.corner, box.size, fft.cells}) {
        words.insert(words.end(), three.begin(), three.end());
        words.push_back(1);
    }
    const Buffer box_words = constant_array(graph, "box_words", words);
    return graph.copy(box_words, graph.buffer("box", graph.desc(box_words)), "copy");
}

} // namespace

void FftForwardOfParts::describe(PassInfo<FftForwardOfParts>& info) {
    info.summary("Computes the Fourier transform of a field that ranks have in parts")
        .details(
            "The sums of \"fft/forward\", or of \"fft/real_forward\" for reals, over the whole "
            "field along x, y and z. Along each axis in turn ranks have whole lines: the field is "
            "divided along the other axes meanwhile, as slabs where one of these has enough cells "
            "for all ranks and as pencils otherwise. Numbers travel where the next lines need it; "
            "what is in place stays. Each line goes through the kernels that one process takes for "
            "the whole field, so the result has its bits.\n\nAn axis may have any number of cells. "
            "Where the others have too few for all ranks, some ranks wait; a field with one axis "
            "is "
            "transformed by one rank.\n\n\"box\" tells kernels which numbers of the spectrum a "
            "rank "
            "has: mpi/spectrum.glsl reads it. A rank without any gets one number, which is 0.")
        .source("Dalcin, Mortensen and Keyes, \"Fast parallel multidimensional FFT using advanced "
                "MPI\", Journal of Parallel and Distributed Computing, 2019")
        .complexity("O(n log n / ranks)")
        .cost([](const FftForwardOfParts& pass, const Graph& graph) {
            return cost_of_parts(graph, pass.source, pass.result, pass.cells);
        });
    info.input("source", &FftForwardOfParts::source,
               "the rank's part of the field, x fastest, with its halo")
        .elements_from("f32, or vec2 for complex numbers",
                       [](const FftForwardOfParts& pass) { return elements_of(pass.numbers); });
    describe_spectrum(info);
    describe_array_halo(info, "width of the halo around the source, which is left out");
    info.parameter("scale", &FftForwardOfParts::scale,
                   "scale of the result: none, 1 / sqrt(n) (unitary) or 1 / n (by_count), n the "
                   "cells of the field")
        .structural();
    info.output("result", &FftForwardOfParts::result,
                "the rank's part of the spectrum: complex numbers, x fastest")
        .elements<glm::vec2>();
    info.output("box", &FftForwardOfParts::box,
                "the first frequency of that part along x, y, z, then its size, then \"cells\": "
                "three uvec4, each with a 1 behind")
        .elements<std::uint32_t>();
}

void FftForwardOfParts::build(Graph& graph) {
    const auto fft = planned_fft(graph, {cells, numbers, layout, halo});
    if (!fft) return;
    const auto field = field_part(graph, *fft, source);
    if (!field) return;
    const auto spectrum = forward_of_parts(graph, *fft, *field, fft->factor(scale));
    if (!spectrum) return;
    result = never_empty(graph, *spectrum);
    box = box_of(graph, *fft);
}

TUFF_PASS(FftForwardOfParts)

} // namespace tuff::passes
