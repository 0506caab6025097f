#include "apps/bench/rank_cases.hpp"

#include "passes/fluid/emitter.hpp"
#include "passes/fluid/parts.hpp"
#include "passes/fluid/simple.hpp"
#include "passes/fluid/stable.hpp"
#include "passes/mpi/all_reduce.hpp"
#include "passes/mpi/composite.hpp"
#include "passes/mpi/division.hpp"
#include "passes/mpi/exchange.hpp"
#include "passes/mpi/fft_forward.hpp"
#include "passes/mpi/fft_inverse.hpp"
#include "passes/mpi/fft_parts.hpp"
#include "passes/mpi/gather.hpp"
#include "passes/mpi/poisson.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/volume/cast.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::bench {
namespace {

using passes::Cells;

glm::ivec3 ivec_of(const Cells& cells) {
    return {static_cast<int>(cells[0]), static_cast<int>(cells[1]), static_cast<int>(cells[2])};
}

/// First cell of the rank's part, and how many it has along each axis.
struct PartBox {
    glm::ivec3 first{0};
    glm::ivec3 cells{1};
};
PartBox part_box(const Graph& graph, const Cells& cells) {
    const auto spans = graph.ranks().part(cells);
    PartBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.first[axis] = static_cast<int>(spans[static_cast<std::size_t>(axis)].first);
        box.cells[axis] = static_cast<int>(spans[static_cast<std::size_t>(axis)].count);
    }
    return box;
}

/// A field of numbers in images, with a halo one texel wide.
Image field_image(Graph& graph, const Cells& cells) {
    const bool volume = cells[2] > 1;
    const PartBox part = part_box(graph, cells);
    const glm::ivec3 halo(1, 1, volume ? 1 : 0);
    const glm::ivec3 texels = part.cells + 2 * halo;
    const Extent extent{static_cast<std::uint32_t>(texels.x), static_cast<std::uint32_t>(texels.y),
                        static_cast<std::uint32_t>(texels.z)};
    ComputeNodeBuilder node = graph.compute("bench/field_image", {{"VOLUME", volume}}, "field");
    const Image result = node.write(
        "result", graph.image("field", {.format = Format::r32_sfloat,
                                        .extent = extent,
                                        .shape = volume ? ImageShape::d3 : ImageShape::d2}));
    node.set("texels", texels);
    node.set("first", part.first - halo);
    node.set("cells", ivec_of(cells));
    node.dispatch_over(extent);
    return result;
}

Buffer field_array(Graph& graph, const Cells& cells) {
    const PartBox part = part_box(graph, cells);
    const auto count = static_cast<std::uint64_t>(part.cells.x) *
                       static_cast<std::uint64_t>(part.cells.y) *
                       static_cast<std::uint64_t>(part.cells.z);
    ComputeNodeBuilder node = graph.compute("bench/field_array", "field");
    const Buffer result =
        node.write("result", graph.buffer("field", {.size = 8 * count, .stride = 8}));
    node.set("part", part.cells);
    node.set("first", part.first);
    node.set("cells", ivec_of(cells));
    constexpr std::uint64_t kMaxGroups = 1u << 14;
    node.dispatch(static_cast<std::uint32_t>(std::min((count + 255) / 256, kMaxGroups)));
    return result;
}

/// All parts of an array of complex numbers, on rank 0.
Buffer whole_array(Graph& graph, Buffer part, const Cells& cells) {
    const PartBox box = part_box(graph, cells);
    const passes::DividedArray divided{
        .part = {part,
                 {static_cast<std::uint32_t>(box.cells.x), static_cast<std::uint32_t>(box.cells.y),
                  static_cast<std::uint32_t>(box.cells.z)},
                 2},
        .division = passes::domain_division(graph.ranks())};
    std::vector<std::uint32_t> places(graph.ranks().size(), 1); // beyond the grid of one box
    places[0] = 0;
    return passes::never_empty(graph, passes::redistribute(graph, "whole", divided, cells,
                                                           {.grid = {1, 1, 1}, .places = places}));
}

Buffer exchange(Graph& graph, const Cells& cells, std::uint32_t steps) {
    const Image all =
        graph.repeat("step", steps, field_image(graph, cells), [&](Image field, std::uint32_t) {
            return graph.add(passes::HaloExchange{.source = field, .cells = ivec_of(cells)}).result;
        });
    graph.output("field", all);
    return {};
}

Buffer reduce(Graph& graph, std::uint32_t steps) {
    const Buffer zero = graph.fill(passes::array(graph, "number", 1), 0, "zero");
    const Buffer sum = graph.repeat("step", steps, zero, [&](Buffer number, std::uint32_t) {
        return graph.add(passes::AllReduce{.source = number}).result;
    });
    graph.output("sum", sum);
    return {};
}

passes::EmitterShape emitter_in(const Cells& cells) {
    const glm::vec3 dims(cells[0], cells[1], cells[2]);
    return {.position = 0.5f * dims,
            .radius = 0.1f * dims.y,
            .velocity = {0.5f, 0.25f, cells[2] == 1 ? 0.0f : 0.1f},
            .rate = 0.5f};
}

Buffer fluid(Graph& graph, const Cells& cells, std::uint32_t steps, bool whole) {
    const glm::uvec3 dims(cells[0], cells[1], cells[2]);
    const passes::FluidFace periodic = passes::FluidFace::periodic;
    const passes::SimpleFluid pass =
        graph.add(passes::SimpleFluid{.emitters = {emitter_in(cells)},
                                      .dims = dims,
                                      .steps = steps,
                                      .dyed = false,
                                      .boundary = {.left = periodic, .right = periodic}});
    if (!whole) return {}; // the state is kept
    const Buffer all = passes::whole_field(graph, pass.field).cells;
    return graph.copy(all, graph.buffer("whole", graph.desc(all)), "whole");
}

/// Of a step an execution, with two cycles for the pressure.
Buffer stable(Graph& graph, const Cells& cells, std::uint32_t, bool whole) {
    passes::StableFluid pass{
        .emitters = {emitter_in(cells)},
        .dims = {cells[0], cells[1], cells[2]},
        .boundary = {.left = passes::FluidFace::periodic, .right = passes::FluidFace::periodic}};
    pass.tolerance = 0.0f;
    pass.max_cycles = 2;
    pass.reach = 2;
    pass = graph.add(pass);
    if (!whole) return {}; // the state is kept
    const Buffer all = passes::whole_field(graph, pass.field).cells;
    return graph.copy(all, graph.buffer("whole", graph.desc(all)), "whole");
}

Buffer poisson(Graph& graph, const Cells& cells, std::uint32_t steps, bool whole) {
    using passes::PoissonBoundary;
    const Image solved = graph
                             .add(passes::PoissonOfParts{.source = field_image(graph, cells),
                                                         .cells = ivec_of(cells),
                                                         .tolerance = 0.0f,
                                                         .max_cycles = steps,
                                                         .x = PoissonBoundary::dirichlet,
                                                         .y = PoissonBoundary::dirichlet,
                                                         .z = PoissonBoundary::dirichlet})
                             .result;
    if (!whole) {
        graph.output("solution", solved);
        return {};
    }
    const Image all =
        graph.add(passes::GatherParts{.source = solved, .cells = ivec_of(cells), .halo = 1}).result;
    const std::uint64_t bytes = std::uint64_t{4} * cells[0] * cells[1] * cells[2];
    return graph.copy_to_buffer(all, graph.buffer("whole", {.size = bytes, .stride = 4}));
}

Buffer fft(Graph& graph, const Cells& cells, std::uint32_t steps, bool whole) {
    const auto layout = passes::SpectrumLayout::computed;
    const Buffer field = graph.repeat(
        "pair", steps / 2, field_array(graph, cells), [&](Buffer before, std::uint32_t) {
            const Buffer spectrum =
                graph
                    .add(passes::FftForwardOfParts{
                        .source = before, .cells = ivec_of(cells), .layout = layout})
                    .result;
            return graph
                .add(passes::FftInverseOfParts{
                    .source = spectrum, .cells = ivec_of(cells), .layout = layout})
                .result;
        });
    if (whole) return whole_array(graph, field, cells);
    graph.output("field", field);
    return {};
}

/// Of the volume from several sides. Pictures are as large for any number of ranks.
Buffer pictures(Graph& graph, const Cells& cells, std::uint32_t steps) {
    constexpr std::uint32_t kPixelsOfCell = 4;
    constexpr std::uint32_t kMaxSide = 1024; // pixels
    const std::uint32_t side = std::min(kPixelsOfCell * std::ranges::min(cells), kMaxSide);
    const Image source = field_image(graph, cells);
    for (std::uint32_t step = 0; step < steps; ++step) {
        passes::VolumeCast cast{.source = source, .opaque = 0.0f, .width = side, .height = side};
        cast.camera.azimuth = 20.0f + 360.0f * static_cast<float>(step) / static_cast<float>(steps);
        cast.part = {.cells = ivec_of(cells), .first = part_box(graph, cells).first, .halo = 1};
        cast = graph.add(cast, fmt::format("cast{}", step));
        const passes::CompositeParts composite{
            .source = cast.result, .eye = cast.eye, .cells = ivec_of(cells)};
        graph.output(fmt::format("picture{}", step),
                     graph.add(composite, fmt::format("composite{}", step)).result);
    }
    return {}; // sums are rounded elsewhere in parts
}

} // namespace

std::vector<RankCase> rank_cases() {
    constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 30;
    constexpr std::uint64_t kMaxFluid = std::uint64_t{1} << 26;   // with its halo at most 2^27
    constexpr std::uint64_t kMaxNumbers = std::uint64_t{1} << 28; // of a transform
    constexpr std::uint64_t kMaxTexels = std::uint64_t{1} << 29;  // of a volume
    std::vector<RankCase> all;
    for (const std::uint32_t axes : {2u, 3u}) {
        const auto add = [&](std::string_view name, std::string_view step, std::uint32_t steps,
                             std::uint64_t most, auto build) {
            all.push_back({name, step, axes, steps, most,
                           [build, steps](Graph& graph, const Cells& cells, bool whole) {
                               return build(graph, cells, steps, whole);
                           }});
        };
        add("mpi/exchange", "exchange", 32, kMaxCells,
            [](Graph& graph, const Cells& cells, std::uint32_t steps, bool) {
                return exchange(graph, cells, steps);
            });
        if (axes == 2)
            add("mpi/all_reduce", "sum", 32, kMaxCells,
                [](Graph& graph, const Cells&, std::uint32_t steps, bool) {
                    return reduce(graph, steps);
                });
        add("fluid/simple", "step", 32, kMaxFluid, fluid);
        add("fluid/stable", "step", 1, kMaxFluid, stable);
        add("mpi/poisson", "V-cycle", 8, kMaxCells, poisson);
        add("mpi/fft_forward", "transform", 4, kMaxNumbers, fft);
        if (axes == 3)
            add("mpi/composite", "picture", 4, kMaxTexels,
                [](Graph& graph, const Cells& cells, std::uint32_t steps, bool) {
                    return pictures(graph, cells, steps);
                });
    }
    return all;
}

} // namespace tuff::bench
