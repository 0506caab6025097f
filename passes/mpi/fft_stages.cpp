#include "passes/mpi/fft_stages.hpp"

#include <span>
#include <utility>

namespace tuff::passes {
namespace {

std::uint64_t product_of(std::span<const std::uint32_t> sides) {
    std::uint64_t product = 1;
    for (const std::uint32_t side : sides)
        product *= side;
    return product;
}

bool is_real(const PlannedFft& fft, const FftStage& stage) {
    return stage.axis == 0 && fft.numbers == FieldNumbers::reals;
}

bool is_forward(const StageTransform& transform) {
    return transform.direction == FftDirection::forward;
}

/// What the transforms of a stage have in common.
FftAxis axis_of(const StageTransform& transform) {
    const FftStage& stage = transform.stage;
    const std::span whole(is_forward(transform) ? stage.before : stage.after);
    const std::uint32_t length = stage.before[stage.axis];
    return {.length = length,
            .source_length = length,
            .result_length = length,
            .direction = transform.direction,
            .scale = transform.scale,
            .whole_inner = product_of(whole.first(stage.axis)),
            .whole_outer = product_of(whole.subspan(stage.axis + 1))};
}

/// In place of who has them.
DividedArray transformed(Graph& graph, const PlannedFft& fft, const StageTransform& transform,
                         const DividedArray& source) {
    const FftStage& stage = transform.stage;
    const bool forward = is_forward(transform);
    const bool real = is_real(fft, stage);
    DividedArray result{.division = source.division};
    result.part.size =
        source.division.box(forward ? stage.after : stage.before, graph.ranks().rank).size;
    result.part.words = real && !forward ? 1 : kWordsOfComplex;
    if (!source.part.buffer) return result;
    const std::span sides(source.part.size);
    FftAxis axis = axis_of(transform);
    axis.inner = product_of(sides.first(stage.axis));
    axis.outer = product_of(sides.subspan(stage.axis + 1));
    result.part.buffer =
        real ? transform_real_axis(graph, source.part.buffer, axis, transform.multiplier)
             : transform_axis(graph, source.part.buffer, axis, transform.multiplier);
    return result;
}

Buffer numbers_of(Graph& graph, std::string_view name, std::uint64_t count) {
    if (count == 0) return {};
    return graph.buffer(name, {.size = kBytesOfComplex * count, .stride = kBytesOfComplex});
}

/// One side of a transform: slabs, or the part as a whole.
struct Side {
    const LineMove* move = nullptr;
    std::vector<CellSpan> slabs;
    std::vector<SlabLayout> layouts;

    explicit Side(const std::optional<LineMove>& line_move)
        : move(line_move ? &*line_move : nullptr), slabs{CellSpan{}} {
        if (!move) return;
        slabs = move->slabs;
        for (const CellSpan& slab : slabs)
            layouts.push_back(slab_layout(*move, slab));
    }
    /// Leaves the cells of a slab of this box.
    void cut(TexelBox& box, std::size_t slab) const {
        if (!move) return;
        box.corner[move->across()] = slabs[slab].first;
        box.size[move->across()] = slabs[slab].count;
    }
};

/// Where the lines of a box of a part are, in `pieces` of a slab or in the part.
FftPlaces places_of(const Side& side, std::span<const LinePiece> pieces, std::size_t axis,
                    const Cells& part, const TexelBox& box) {
    Cells corner = box.corner;
    const LinePiece whole{.places = {0, part[axis]}, .size = part};
    if (!side.move) return line_places(std::span(&whole, 1), axis, corner);
    corner[side.move->across()] = 0;
    return line_places(pieces, axis, corner);
}

/// The lines that are in one slab of either side.
FftAxis axis_between(const StageTransform& transform, const Cells& part, const Side& in,
                     std::size_t i, const Side& out, std::size_t o) {
    const std::size_t along = transform.stage.axis;
    TexelBox box{{}, part};
    in.cut(box, i);
    out.cut(box, o);
    const LineCounts lines = line_counts(box.size, along);
    FftAxis axis = axis_of(transform);
    axis.inner = lines.inner;
    axis.outer = lines.outer;
    const std::span<const LinePiece> none;
    axis.source_places =
        places_of(in, in.move ? std::span(in.layouts[i].after) : none, along, part, box);
    axis.result_places =
        places_of(out, out.move ? std::span(out.layouts[o].before) : none, along, part, box);
    return axis;
}

/// The way to where `next` needs the numbers, if it can be taken in slabs.
std::optional<LineMove> move_to_next(const Graph& graph, const PlannedFft& fft,
                                     const StageTransform& transform, const Cells& cells) {
    const FftStage& stage = transform.stage;
    const FftStage* const next = transform.next;
    if (!next || is_real(fft, stage) || is_real(fft, *next)) return {};
    return line_move({stage.division, stage.axis}, {next->division, next->axis}, cells,
                     graph.ranks().rank, fft.slab_bytes);
}

} // namespace

std::optional<StageNumbers> transform_stage(Graph& graph, const PlannedFft& fft,
                                            const StageTransform& transform,
                                            const StageNumbers& source) {
    const FftStage& stage = transform.stage;
    const Cells& cells = is_forward(transform) ? stage.after : stage.before;
    StageNumbers result{.move = move_to_next(graph, fft, transform, cells)};
    if (!source.move && !result.move) {
        result.array = transformed(graph, fft, transform, source.array);
        if (source.array.part.buffer && !result.array.part.buffer) return {};
        return result;
    }
    const Cells part = stage.division.box(cells, graph.ranks().rank).size;
    const Side in(source.move);
    const Side out(result.move);
    result.array = {.part = {.size = part, .words = kWordsOfComplex}, .division = stage.division};
    for (const SlabLayout& layout : out.layouts)
        result.slabs.push_back(numbers_of(graph, "slab", layout.sent + layout.received));
    if (!out.move) result.slabs = {numbers_of(graph, "transformed", count_of(part))};
    if (count_of(part) == 0) return result;
    for (std::size_t i = 0; i < in.slabs.size(); ++i)
        for (std::size_t o = 0; o < out.slabs.size(); ++o) {
            FftAxis axis = axis_between(transform, part, in, i, out, o);
            axis.into = result.slabs[o];
            const Buffer numbers = in.move ? source.slabs[i] : source.array.part.buffer;
            result.slabs[o] = transform_axis(graph, numbers, axis, transform.multiplier);
            if (!result.slabs[o]) return {};
        }
    if (!out.move) result.array.part.buffer = result.slabs.front();
    return result;
}

StageNumbers arrived(Graph& graph, const StageNumbers& source, const Cells& cells,
                     const Division& division) {
    if (!source.move) return {.array = redistribute(graph, "move", source.array, cells, division)};
    StageNumbers result = source;
    const LineMove& move = *source.move;
    graph.push_scope("move");
    for (std::size_t i = 0; i < move.slabs.size(); ++i) {
        const SlabLayout layout = slab_layout(move, move.slabs[i]);
        const std::uint64_t sent = kBytesOfComplex * layout.sent;
        Messages messages = layout.messages;
        BufferView to_send, to_fill;
        if (sent > 0) to_send = {source.slabs[i], 0, sent};
        if (!messages.receives.empty()) {
            const std::uint64_t first = messages.receives.front().offset;
            const RankBytes& last = messages.receives.back();
            to_fill = {source.slabs[i], sent + first, last.offset + last.size - first};
            for (RankBytes& message : messages.receives)
                message.offset -= first;
        }
        const Buffer filled =
            exchange_messages(graph, "send_receive", std::move(messages), to_send, to_fill);
        if (filled) result.slabs[i] = filled;
    }
    graph.pop_scope();
    return result;
}

} // namespace tuff::passes
