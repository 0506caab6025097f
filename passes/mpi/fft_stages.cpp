#include "passes/mpi/fft_stages.hpp"

#include <array>
#include <span>

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

Buffer numbers_of(Graph& graph, std::string_view name, const Cells& size) {
    if (count_of(size) == 0) return {};
    return graph.buffer(name,
                        {.size = kBytesOfComplex * count_of(size), .stride = kBytesOfComplex});
}

std::uint64_t end_of(const std::vector<RankBytes>& messages) {
    return messages.empty() ? 0 : messages.back().offset + messages.back().size;
}

/// Slabs across an axis, on one side of a transform; one that is the whole part where it stays.
struct Side {
    const LineMove* move = nullptr;
    std::vector<CellSpan> slabs;

    Side(const std::optional<LineMove>& line_move)
        : move(line_move ? &*line_move : nullptr), slabs{CellSpan{}} {
        if (move) slabs = move->slabs;
    }
    /// Leaves the cells of a slab of this box.
    void cut(TexelBox& box, const CellSpan& slab) const {
        if (!move) return;
        box.corner[move->across()] = slab.first;
        box.size[move->across()] = slab.count;
    }
    /// Places of lines along `axis` of a box of a part, `size` being that of the part.
    FftTable places(std::vector<LinePiece> pieces, std::size_t axis, const Cells& size,
                    Cells corner) const {
        if (move)
            corner[move->across()] = 0;
        else
            pieces = {{{0, size[axis]}, 0, size}};
        return line_places(pieces, axis, corner);
    }
};

} // namespace

std::optional<StageNumbers> transform_stage(Graph& graph, const PlannedFft& fft,
                                            const StageTransform& transform,
                                            const StageNumbers& source) {
    const FftStage& stage = transform.stage;
    const FftStage* const next = transform.next;
    const std::uint32_t own = graph.ranks().rank;
    const Cells& cells = is_forward(transform) ? stage.after : stage.before;
    StageNumbers result;
    if (next && !is_real(fft, stage) && !is_real(fft, *next))
        result.move = line_move({stage.division, stage.axis}, {next->division, next->axis}, cells,
                                own, fft.slab_bytes);
    if (!source.move && !result.move) {
        result.array = transformed(graph, fft, transform, source.array);
        if (source.array.part.buffer && !result.array.part.buffer) return {};
        return result;
    }
    const TexelBox part = stage.division.box(cells, own);
    const Side in(source.move);
    const Side out(result.move);
    result.array = {.part = {.size = part.size, .words = kWordsOfComplex},
                    .division = stage.division};
    for (const CellSpan& slab : out.slabs) {
        TexelBox box{{}, part.size};
        out.cut(box, slab);
        result.sent.push_back(numbers_of(graph, out.move ? "sent" : "transformed", box.size));
    }
    if (count_of(part.size) == 0) return result;
    for (std::size_t i = 0; i < in.slabs.size(); ++i)
        for (std::size_t o = 0; o < out.slabs.size(); ++o) {
            TexelBox box{{}, part.size};
            in.cut(box, in.slabs[i]);
            out.cut(box, out.slabs[o]);
            const LineCounts lines = line_counts(box.size, stage.axis);
            FftAxis axis = axis_of(transform);
            axis.inner = lines.inner;
            axis.outer = lines.outer;
            Buffer numbers = source.array.part.buffer;
            std::vector<LinePiece> from, to;
            if (in.move) {
                from = received_pieces(*in.move, in.slabs[i]);
                numbers = source.received[i] ? source.received[i] : source.sent[i];
                axis.places.second_source = source.sent[i];
                axis.places.second_first = from.back().places.first;
                axis.places.second_count = from.back().places.count;
            }
            if (out.move) to = sent_pieces(*out.move, out.slabs[o]);
            axis.places.source = in.places(std::move(from), stage.axis, part.size, box.corner);
            axis.places.result = out.places(std::move(to), stage.axis, part.size, box.corner);
            axis.places.into = result.sent[o];
            result.sent[o] = transform_axis(graph, numbers, axis, transform.multiplier);
            if (!result.sent[o]) return {};
        }
    if (!out.move) result.array.part.buffer = result.sent.front();
    return result;
}

StageNumbers arrived(Graph& graph, const StageNumbers& source, const Cells& cells,
                     const Division& division) {
    if (!source.move) return {.array = redistribute(graph, "move", source.array, cells, division)};
    StageNumbers result = source;
    const LineMove& move = *source.move;
    graph.push_scope("move");
    for (std::size_t i = 0; i < move.slabs.size(); ++i) {
        Messages messages = slab_messages(move, move.slabs[i]);
        Buffer room;
        if (const std::uint64_t bytes = end_of(messages.receives); bytes > 0)
            room = graph.buffer("received", {.size = bytes, .stride = kBytesOfComplex});
        BufferView sent;
        if (const std::uint64_t bytes = end_of(messages.sends); bytes > 0)
            sent = {source.sent[i], 0, bytes};
        result.received.push_back(
            exchange_messages(graph, "send_receive", std::move(messages), sent, room));
    }
    graph.pop_scope();
    return result;
}

} // namespace tuff::passes
