#include "passes/mpi/fft_stages.hpp"

#include "passes/mpi/move_layout.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tuff::passes {
namespace {

std::uint64_t product_of(std::span<const std::uint32_t> sides) {
    std::uint64_t product = 1;
    for (const std::uint32_t side : sides)
        product *= side;
    return product;
}

std::string scope_of(const StageTransform& transform) {
    return std::string("along_") + "xyz"[transform.stage->axis];
}

/// Transforms without a move between them, and all of complex numbers where they are several.
using StageGroup = std::span<const StageTransform>;

bool is_real(const PlannedFft& fft, const StageTransform& transform) {
    return transform.stage->axis == 0 && fft.numbers == FieldNumbers::reals;
}
bool is_real(const PlannedFft& fft, StageGroup group) {
    return is_real(fft, group.front());
}

bool have_the_same_boxes(const Division& a, const Division& b, const Cells& cells) {
    for (std::uint32_t rank = 0; rank < a.places.size(); ++rank)
        if (a.box(cells, rank) != b.box(cells, rank)) return false;
    return true;
}

std::vector<StageGroup> groups_of(const PlannedFft& fft, StageGroup transforms) {
    std::vector<StageGroup> groups;
    std::size_t first = 0;
    for (std::size_t i = 1; i <= transforms.size(); ++i) {
        if (i < transforms.size()) {
            const StageTransform& a = transforms[i - 1];
            const StageTransform& b = transforms[i];
            if (!is_real(fft, a) && !is_real(fft, b) &&
                have_the_same_boxes(a.stage->division, b.stage->division, b.before()))
                continue;
        }
        groups.push_back(transforms.subspan(first, i - first));
        first = i;
    }
    return groups;
}

/// What the transforms of a stage have in common.
FftAxis axis_of(const StageTransform& transform) {
    const FftStage& stage = *transform.stage;
    const std::span whole(transform.before());
    const std::uint32_t length = stage.before[stage.axis];
    return {.length = length,
            .source_length = length,
            .result_length = length,
            .direction = transform.direction,
            .scale = transform.scale,
            .whole_inner = product_of(whole.first(stage.axis)),
            .whole_outer = product_of(whole.subspan(stage.axis + 1))};
}

Buffer numbers_of(Graph& graph, std::string_view name, std::uint64_t count) {
    if (count == 0) return {};
    return graph.buffer(name, {.size = kBytesOfComplex * count, .stride = kBytesOfComplex});
}

BufferView view_of(Buffer buffer, const NumberSpan& span) {
    return {buffer, kBytesOfComplex * span.first, kBytesOfComplex * (span.end - span.first)};
}

/// Of a part as a whole, which stays where it is.
bool transform_in_place(Graph& graph, const PlannedFft& fft, const StageTransform& transform,
                        DividedArray& array) {
    const FftStage& stage = *transform.stage;
    const bool real = is_real(fft, transform);
    const Cells before = array.part.size;
    array.part.size = array.division.box(transform.after(), graph.ranks().rank).size;
    array.part.words = real && !transform.is_forward() ? 1 : kWordsOfComplex;
    if (!array.part.buffer) return true;
    const std::span sides(before);
    FftAxis axis = axis_of(transform);
    axis.inner = product_of(sides.first(stage.axis));
    axis.outer = product_of(sides.subspan(stage.axis + 1));
    graph.push_scope(scope_of(transform));
    array.part.buffer =
        real ? transform_real_axis(graph, array.part.buffer, axis, transform.multiplier)
             : transform_axis(graph, array.part.buffer, axis, transform.multiplier);
    graph.pop_scope();
    return bool(array.part.buffer);
}

/// Numbers on their way between two groups.
struct Moving {
    LineMove move;
    MoveLayout layout;
    Buffer buffer; ///< not connected where the rank has none

    explicit Moving(LineMove line_move) : move(std::move(line_move)), layout(layout_of(move)) {}
};

/// Where lines cannot be cut: those along x are counted by y and z in one.
bool can_cut(std::size_t axis, const Cells& cells) {
    return axis != 1 || cells[2] == 1;
}

/// The way between two groups, if it can be taken in slabs.
std::optional<Moving> moving_between(const Graph& graph, const PlannedFft& fft, StageGroup before,
                                     StageGroup after, std::size_t transforms) {
    if (is_real(fft, before) || is_real(fft, after)) return {};
    const FftStage& from = *before.back().stage;
    const FftStage& to = *after.front().stage;
    MoveLimits limits{.slab_bytes = fft.slab_bytes, .uncut_bytes = fft.uncut_bytes};
    // Where another group comes before or after these, the numbers are in slabs there.
    if (before.size() + after.size() == transforms) {
        const bool cut_before = before.size() >= after.size();
        if (can_cut(cut_before ? to.axis : from.axis, from.before))
            limits.side = cut_before ? CutSide::before : CutSide::after;
    }
    auto move = line_move({from.division, from.axis}, {to.division, to.axis}, before.back().after(),
                          graph.ranks().rank, limits);
    if (!move) return {};
    return Moving(std::move(*move));
}

/// By messages.
void exchange(Graph& graph, Moving& moving) {
    for (const MoveLayout::Step& step : moving.layout.steps) {
        std::vector<BufferView> sent;
        for (const NumberSpan& span : step.sent)
            sent.push_back(view_of(moving.buffer, span));
        BufferView filled;
        if (!step.messages.receives.empty()) filled = view_of(moving.buffer, step.filled);
        const Buffer arrived =
            exchange_messages(graph, "send_receive", step.messages, sent, filled);
        if (arrived) moving.buffer = arrived;
    }
}

/// The transforms of a group, of numbers that may come from a move and leave by another.
class GroupTransform {
  public:
    GroupTransform(Graph& graph, StageGroup group, Moving* in, Moving* out)
        : graph_(graph), group_(group), in_(in), out_(out),
          part_(
              group.front().stage->division.box(group.front().before(), graph.ranks().rank).size) {}

    /// Of `source` where nothing comes in by a move. Returns what does not leave by one.
    bool run(const DividedArray& source, DividedArray& result);

  private:
    /// An array that has a box of the part.
    struct Numbers {
        Buffer buffer;
        TexelBox box;
    };
    std::uint32_t cuts() const {
        if (cuts_out()) return out_->move.cuts;
        return cuts_in() ? in_->move.cuts : 1;
    }
    bool cuts_out() const { return out_ && out_->move.side == CutSide::before; }
    bool cuts_in() const { return in_ && in_->move.side == CutSide::after; }
    TexelBox box_of(std::uint32_t cut) const;
    bool transform_cut(std::uint32_t cut, const Numbers& source, Numbers& result);
    bool transform_lines(const StageTransform& transform, std::uint32_t cut, const TexelBox& box,
                         const Numbers& source, Numbers& result);
    static std::size_t count_of_slabs(const Moving* moving) {
        return moving ? moving->move.slabs.size() : 1;
    }
    static void take_slab(const Moving* moving, std::size_t slab, TexelBox& box) {
        if (!moving) return;
        const CellSpan& span = moving->move.slabs[slab];
        box.corner[moving->move.across()] = span.first;
        box.size[moving->move.across()] = span.count;
    }
    static FftPlaces places_in(const Numbers& numbers, std::size_t axis, const TexelBox& box) {
        const LinePiece whole{.places = {0, numbers.box.size[axis]}, .size = numbers.box.size};
        return line_places(std::span(&whole, 1), axis, from(box, numbers.box));
    }
    /// The lowest cell of a box in another one.
    static Cells from(const TexelBox& box, const TexelBox& other) {
        Cells corner = box.corner;
        for (std::size_t axis = 0; axis < 3; ++axis)
            corner[axis] -= other.corner[axis];
        return corner;
    }

    Graph& graph_;
    StageGroup group_;
    Moving* in_;
    Moving* out_;
    Cells part_;
};

TexelBox GroupTransform::box_of(std::uint32_t cut) const {
    TexelBox box{{}, part_};
    const Moving* const moving = cuts_out() ? out_ : cuts_in() ? in_ : nullptr;
    if (!moving) return box;
    const CellSpan span = moving->move.cut(cut);
    box.corner[moving->move.cut_axis()] = span.first;
    box.size[moving->move.cut_axis()] = span.count;
    return box;
}

/// The lines of a cut along one axis, those of each pair of slabs by a kernel of its own.
bool GroupTransform::transform_lines(const StageTransform& transform, std::uint32_t cut,
                                     const TexelBox& box, const Numbers& source, Numbers& result) {
    const std::size_t along = transform.stage->axis;
    Moving* const in = &transform == &group_.front() ? in_ : nullptr;
    Moving* const out = &transform == &group_.back() ? out_ : nullptr;
    for (std::size_t i = 0; i < count_of_slabs(in); ++i)
        for (std::size_t o = 0; o < count_of_slabs(out); ++o) {
            TexelBox out_box = box;
            take_slab(out, o, out_box);
            TexelBox in_box = box;
            take_slab(in, i, in_box);
            TexelBox lines_box = out_box;
            take_slab(in, i, lines_box);
            const LineCounts lines = line_counts(lines_box.size, along);
            FftAxis axis = axis_of(transform);
            axis.inner = lines.inner;
            axis.outer = lines.outer;
            BufferView numbers = source.buffer;
            if (in) {
                const std::size_t slabs = count_of_slabs(in);
                const MoveLayout::Read& read = in->layout.read[cuts_in() ? cut * slabs + i : i];
                numbers = view_of(in->buffer, {0, read.end});
                axis.source_places = line_places(read.pieces, along, from(lines_box, in_box));
            } else {
                axis.source_places = places_in(source, along, lines_box);
            }
            if (out) {
                const MoveLayout::Written& written =
                    out->layout.written[cut * count_of_slabs(out) + o];
                axis.into = view_of(out->buffer, written.span);
                axis.result_places = line_places(written.pieces, along, from(lines_box, out_box));
            } else {
                axis.into = result.buffer;
                axis.result_places = places_in(result, along, lines_box);
            }
            const Buffer written = transform_axis(graph_, numbers, axis, transform.multiplier);
            if (!written) return false;
            (out ? out->buffer : result.buffer) = written;
        }
    return true;
}

bool GroupTransform::transform_cut(std::uint32_t cut, const Numbers& source, Numbers& result) {
    const TexelBox box = box_of(cut);
    if (count_of(box.size) == 0) return true;
    Numbers numbers = source;
    for (const StageTransform& transform : group_) {
        const bool last = &transform == &group_.back();
        Numbers next{.box = box};
        if (last)
            next = result;
        else
            next.buffer = numbers_of(graph_, "transformed", count_of(box.size));
        graph_.push_scope(scope_of(transform));
        const bool done = transform_lines(transform, cut, box, numbers, next);
        graph_.pop_scope();
        if (!done) return false;
        numbers = next;
    }
    result = numbers;
    return true;
}

bool GroupTransform::run(const DividedArray& source, DividedArray& result) {
    const Numbers from{source.part.buffer, {{}, part_}};
    Numbers to{{}, {{}, part_}};
    if (out_)
        out_->buffer = numbers_of(graph_, "moving", out_->layout.numbers);
    else
        to.buffer = numbers_of(graph_, "transformed", count_of(part_));
    for (std::uint32_t cut = 0; cut < cuts(); ++cut)
        if (!transform_cut(cut, from, to)) return false;
    result = {.part = {.buffer = to.buffer, .size = part_, .words = kWordsOfComplex},
              .division = group_.front().stage->division};
    return true;
}

} // namespace

std::optional<DividedArray> transform_stages(Graph& graph, const PlannedFft& fft,
                                             std::span<const StageTransform> transforms,
                                             DividedArray source) {
    const std::vector<StageGroup> groups = groups_of(fft, transforms);
    std::optional<Moving> in;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const StageGroup group = groups[i];
        const StageTransform& first = group.front();
        graph.push_scope(scope_of(first));
        if (in) {
            graph.push_scope("move");
            exchange(graph, *in);
            graph.pop_scope();
        } else {
            source = redistribute(graph, "move", source, first.before(), first.stage->division);
        }
        graph.pop_scope();
        std::optional<Moving> out;
        if (i + 1 < groups.size())
            out = moving_between(graph, fft, group, groups[i + 1], transforms.size());
        if (in || out) {
            GroupTransform transform(graph, group, in ? &*in : nullptr, out ? &*out : nullptr);
            if (!transform.run(source, source)) return {};
        } else {
            for (const StageTransform& transform : group)
                if (!transform_in_place(graph, fft, transform, source)) return {};
        }
        in = std::move(out);
    }
    return source;
}

} // namespace tuff::passes
