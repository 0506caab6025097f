#include "passes/mpi/parts.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tuff::passes {
namespace {

/// Some texels of a rank's image along one axis, which come from one rank.
struct AxisPiece {
    std::uint32_t place = 0;  ///< of that rank in the grid
    std::uint32_t source = 0; ///< first cell, in its part
    std::uint32_t target = 0; ///< first texel
    std::uint32_t count = 0;
    bool own = false; ///< the part itself, without halo
};

/// Which of the spans has a cell.
std::uint32_t owner_of(const std::vector<CellSpan>& spans, std::uint32_t cell) {
    const auto after = std::ranges::upper_bound(spans, cell, {}, &CellSpan::first);
    return static_cast<std::uint32_t>(after - spans.begin()) - 1;
}

/// The cell that a place of the halo stands for, if any.
std::optional<std::uint32_t> cell_at(std::int64_t place, std::uint32_t cells, HaloEdge edge) {
    const auto count = static_cast<std::int64_t>(cells);
    if (place >= 0 && place < count) return static_cast<std::uint32_t>(place);
    switch (edge) {
    case HaloEdge::keep: return std::nullopt;
    case HaloEdge::clamp: return place < 0 ? 0 : cells - 1;
    case HaloEdge::periodic: return static_cast<std::uint32_t>((place % count + count) % count);
    }
    return std::nullopt;
}

/// The pieces of the image of the rank at `place`, from its lowest texel on. A halo may reach
/// beyond the next rank, and around the field several times.
std::vector<AxisPiece> pieces_of(const Field& field, std::size_t axis,
                                 const std::vector<CellSpan>& spans, std::uint32_t place) {
    const std::uint32_t cells = field.cells[axis];
    const std::uint32_t halo = field.halo[axis];
    const CellSpan part = spans[place];
    std::vector<AxisPiece> pieces;
    const auto add_halo = [&](std::uint32_t texel) {
        const std::int64_t at = std::int64_t{part.first} + texel - halo;
        const auto cell = cell_at(at, cells, field.edges[axis]);
        if (!cell) return;
        const std::uint32_t owner = owner_of(spans, *cell);
        const std::uint32_t source = *cell - spans[owner].first;
        if (!pieces.empty()) {
            AxisPiece& last = pieces.back();
            if (!last.own && last.place == owner && last.source + last.count == source &&
                last.target + last.count == texel) {
                ++last.count;
                return;
            }
        }
        pieces.push_back({owner, source, texel, 1});
    };
    for (std::uint32_t texel = 0; texel < halo; ++texel)
        add_halo(texel);
    pieces.push_back({place, 0, halo, part.count, true});
    for (std::uint32_t texel = halo + part.count; texel < part.count + 2 * halo; ++texel)
        add_halo(texel);
    return pieces;
}

bool has_size(Graph& graph, Image image, const Cells& size, std::string_view what) {
    const ImageDesc desc = graph.desc(image);
    const Extent e = desc.extent;
    if (Cells{e.width, e.height, e.depth} != size) {
        graph.error("mpi/part-size",
                    fmt::format("the image has {}x{}x{} texels, but {} has {}x{}x{}", e.width,
                                e.height, e.depth, what, size[0], size[1], size[2]),
                    "the parameter \"cells\" is the size of the whole field; a part has \"halo\" "
                    "more texels at each side");
        return false;
    }
    if (result_format(desc.format, OutputFormat::same) != desc.format) {
        graph.error("mpi/unsupported-format",
                    fmt::format("kernels cannot write format {}", tuff::info(desc.format).name),
                    "use a format without sRGB encoding, with red first");
        return false;
    }
    return true;
}

} // namespace

Split split_of(const Cells& cells, const Ranks& ranks) {
    Split split;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::uint32_t place = 0; place < ranks.grid[axis]; ++place)
            split[axis].push_back(part_of(cells[axis], ranks.grid[axis], place));
    return split;
}

std::vector<CellBox> halo_boxes(const Field& field, const Ranks& ranks, std::uint32_t to) {
    return halo_boxes(field, split_of(field.cells, ranks), ranks, to);
}

std::vector<CellBox> halo_boxes(const Field& field, const Split& split, const Ranks& ranks,
                                std::uint32_t to) {
    const std::array<std::uint32_t, 3> place = ranks.place_of(to);
    std::array<std::vector<AxisPiece>, 3> pieces;
    for (std::size_t axis = 0; axis < 3; ++axis)
        pieces[axis] = pieces_of(field, axis, split[axis], place[axis]);
    std::vector<CellBox> boxes;
    for (const AxisPiece& z : pieces[2])
        for (const AxisPiece& y : pieces[1])
            for (const AxisPiece& x : pieces[0]) {
                if (x.own && y.own && z.own) continue;
                boxes.push_back({.from = ranks.rank_at({x.place, y.place, z.place}),
                                 .source = {x.source, y.source, z.source},
                                 .target = {x.target, y.target, z.target},
                                 .size = {x.count, y.count, z.count}});
            }
    return boxes;
}

Cells texels_of(const Field& field, const Ranks& ranks, std::uint32_t rank) {
    const auto part = ranks.part(field.cells, rank);
    Cells size{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        size[axis] = part[axis].count + 2 * field.halo[axis];
    return size;
}

bool is_part_of(Graph& graph, Image image, const Field& field) {
    const Ranks& ranks = graph.ranks();
    if (auto ok = ranks.check(field.cells); !ok) {
        for (Diagnostic& problem : ok.error())
            graph.report(std::move(problem));
        return false;
    }
    return has_size(graph, image, texels_of(field, ranks, ranks.rank),
                    fmt::format("the part of rank {} with its halo", ranks.rank));
}

bool is_whole(Graph& graph, Image image, const Field& field) {
    if (auto ok = graph.ranks().check(field.cells); !ok) {
        for (Diagnostic& problem : ok.error())
            graph.report(std::move(problem));
        return false;
    }
    return has_size(graph, image, field.cells, "the whole field");
}

} // namespace tuff::passes
