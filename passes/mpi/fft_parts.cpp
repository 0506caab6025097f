#include "passes/mpi/fft_parts.hpp"

#include "passes/mpi/fft_stages.hpp"
#include "passes/mpi/line_move.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <vector>

namespace tuff::passes {
namespace {

bool can_be_addressed(Graph& graph, const FftPlan& plan, const Cells& cells) {
    for (const FftStage& stage : plan.stages)
        for (std::uint32_t rank = 0; rank < graph.ranks().size(); ++rank) {
            const std::uint64_t count = count_of(stage.division.box(stage.before, rank).size);
            if (count <= kMaxFftNumbers) continue;
            graph.error("fft/too-large",
                        fmt::format("the transform along {} of a field of {}x{}x{} cells gives "
                                    "rank {} {} numbers, more than the {} that can be addressed",
                                    "xyz"[stage.axis], cells[0], cells[1], cells[2], rank, count,
                                    kMaxFftNumbers),
                        "use more ranks");
            return false;
        }
    return true;
}

std::optional<DividedArray> part_in(Graph& graph, Buffer buffer, DividedArray array,
                                    const Cells& cells, std::string_view what) {
    const std::uint32_t own = graph.ranks().rank;
    array.part.size = array.division.box(cells, own).size;
    if (count_of(array.part.size) == 0) return array;
    for (std::size_t axis = 0; axis < 3; ++axis)
        array.part.size[axis] += 2 * array.halo[axis];
    const Cells& size = array.part.size;
    const std::uint64_t room = graph.desc(buffer).size / packed_cell_bytes(graph, array.part);
    if (room < count_of(size)) {
        graph.error("mpi/part-size",
                    fmt::format("the buffer holds {} numbers, but {} of rank {} has {}x{}x{}", room,
                                what, own, size[0], size[1], size[2]),
                    "the parameter \"cells\" is the size of the whole field; \"numbers\" and "
                    "\"layout\" are the same in all passes of a transform");
        return {};
    }
    array.part.buffer = buffer;
    return array;
}

} // namespace

float PlannedFft::factor(FftScale scale) const {
    const double count = static_cast<double>(count_of(cells));
    switch (scale) {
    case FftScale::unitary: return static_cast<float>(1.0 / std::sqrt(count));
    case FftScale::by_count: return static_cast<float>(1.0 / count);
    default: return 1.0f;
    }
}

std::optional<PlannedFft> planned_fft(Graph& graph, const FieldOfNumbers& field) {
    PlannedFft fft{.numbers = field.numbers};
    for (int axis = 0; axis < 3; ++axis)
        fft.cells[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(field.cells[axis]);
    const auto width = static_cast<std::uint32_t>(field.halo);
    fft.halo = {width, width, fft.cells[2] > 1 ? width : 0};
    if (auto ok = graph.ranks().check(fft.cells); !ok) {
        for (Diagnostic& problem : ok.error())
            graph.report(std::move(problem));
        return {};
    }
    fft.plan = plan_fft(graph.ranks(), fft.cells, field.numbers, field.layout);
    if (!can_be_addressed(graph, fft.plan, fft.cells)) return {};
    return fft;
}

std::optional<DividedArray> field_part(Graph& graph, const PlannedFft& fft, Buffer buffer) {
    return part_in(graph, buffer,
                   {.part = {.words = fft.words()},
                    .division = domain_division(graph.ranks()),
                    .halo = fft.halo},
                   fft.cells, "the part with its halo");
}

std::optional<DividedArray> spectrum_part(Graph& graph, const PlannedFft& fft, Buffer buffer) {
    return part_in(graph, buffer,
                   {.part = {.words = kWordsOfComplex}, .division = fft.plan.spectrum},
                   fft.spectrum(), "the part of the spectrum");
}

std::optional<DividedArray> forward_of_parts(Graph& graph, const PlannedFft& fft,
                                             DividedArray field, float scale) {
    std::vector<StageTransform> transforms;
    for (const FftStage& stage : fft.plan.stages)
        transforms.push_back({.stage = &stage, .direction = FftDirection::forward});
    transforms.back().scale = scale;
    const auto spectrum = transform_stages(graph, fft, transforms, std::move(field));
    if (!spectrum) return {};
    return redistribute(graph, "move", *spectrum, fft.spectrum(), fft.plan.spectrum);
}

std::optional<DividedArray> inverse_of_parts(Graph& graph, const PlannedFft& fft,
                                             DividedArray spectrum, float scale,
                                             const SpectrumFactors& factors) {
    std::vector<StageTransform> transforms;
    for (const FftStage& stage : fft.plan.stages | std::views::reverse)
        transforms.push_back({.stage = &stage, .direction = FftDirection::inverse});
    transforms.back().scale = scale;
    if (factors.numbers) {
        StageTransform& first = transforms.front();
        const CellArray array = redistribute(graph, "move_multiplier", *factors.numbers,
                                             first.before(), first.stage->division)
                                    .part;
        first.multiplier = {array.buffer, count_of(array.size), factors.conjugate};
    }
    const auto field = transform_stages(graph, fft, transforms, std::move(spectrum));
    if (!field) return {};
    return redistribute(graph, "move", *field, fft.cells, domain_division(graph.ranks()), fft.halo);
}

BufferElements elements_of(FieldNumbers numbers) {
    return numbers == FieldNumbers::reals ? BufferElements::of<float>()
                                          : BufferElements::of<glm::vec2>();
}

Cost cost_of_parts(const Graph& graph, Buffer source, Buffer result, glm::ivec3 cells) {
    if (!source || !result) return {};
    const double count = static_cast<double>(cells.x) * cells.y * cells.z;
    const auto bytes_in = static_cast<double>(graph.desc(source).size);
    const auto bytes_out = static_cast<double>(graph.desc(result).size);
    const double axes = double(cells.x > 1) + double(cells.y > 1) + double(cells.z > 1);
    const double numbers = std::max(bytes_in, bytes_out) / sizeof(glm::vec2);
    return {.bytes = std::max(axes, 1.0) * (bytes_in + bytes_out),
            .operations = 5.0 * numbers * std::log2(count)};
}

Buffer never_empty(Graph& graph, const DividedArray& array) {
    if (array.part.buffer) return array.part.buffer;
    const std::uint32_t bytes = 4 * array.part.words;
    return graph.fill(graph.buffer("nothing", {.size = bytes, .stride = bytes}), 0, "clear");
}

} // namespace tuff::passes
