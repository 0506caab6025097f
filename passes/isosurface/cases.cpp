#include "passes/isosurface/cases.hpp"

#include <glm/vec2.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace tuff::passes {
namespace {

using Corners = std::array<std::uint32_t, 4>;
using Loop = std::vector<std::uint32_t>;
using Triangle = std::array<std::uint32_t, 3>;

constexpr std::uint32_t kSets = 256; // of corners

/// Counter-clockwise as seen from outside.
Corners face_corners(std::uint32_t face) {
    const std::uint32_t axis = face / 2;
    const std::uint32_t u = 1u << (axis + 1) % 3;
    const std::uint32_t v = 1u << (axis + 2) % 3;
    const std::uint32_t first = (face & 1) << axis;
    if (face & 1) return {first, first | u, first | u | v, first | v};
    return {first, first | v, first | u | v, first | u};
}

std::uint32_t edge_between(std::uint32_t a, std::uint32_t b) {
    const auto axis = static_cast<std::uint32_t>(std::countr_zero(a ^ b));
    const std::uint32_t corner = std::min(a, b);
    const std::uint32_t low = corner & ((1u << axis) - 1);
    return 4 * axis | low | corner >> (axis + 1) << axis;
}

/// Bits of the faces that an edge lies in.
std::uint32_t faces_of(std::uint32_t edge) {
    std::uint32_t faces = 0;
    for (std::uint32_t face = 0; face < kCellFaces; ++face) {
        const Corners corners = face_corners(face);
        for (std::size_t i = 0; i < 4; ++i)
            if (edge_between(corners[i], corners[(i + 1) % 4]) == edge) faces |= 1u << face;
    }
    return faces;
}

/// Where the surface goes from each crossed edge, along a face.
std::array<std::uint32_t, kCellEdges> successors(std::uint32_t inside, std::uint32_t joined) {
    std::array<std::uint32_t, kCellEdges> next;
    next.fill(kCellEdges);
    for (std::uint32_t face = 0; face < kCellFaces; ++face) {
        const Corners corners = face_corners(face);
        const auto is_inside = [&](std::size_t i) { return (inside >> corners[i % 4] & 1) != 0; };
        const auto edge = [&](std::size_t i) {
            return edge_between(corners[i % 4], corners[(i + 1) % 4]);
        };
        for (std::size_t i = 0; i < 4; ++i) {
            if (!is_inside(i) || is_inside(i + 1)) continue;
            // The cut ends where the way around the face leaves the inside. It begins at an edge by
            // which that way comes in: the one before, around the inner corners, or the one behind,
            // around the outer ones.
            const bool is_joined = is_ambiguous(inside, face) && (joined >> face & 1) != 0;
            std::size_t end = is_joined ? i + 1 : i + 3;
            while (is_inside(end) || !is_inside(end + 1))
                end += is_joined ? 1 : 3;
            next[edge(end)] = edge(i);
        }
    }
    return next;
}

std::vector<Loop> loops_along(std::array<std::uint32_t, kCellEdges> next) {
    std::vector<Loop> loops;
    for (std::uint32_t first = 0; first < kCellEdges; ++first) {
        Loop loop;
        for (std::uint32_t edge = first; next[edge] != kCellEdges;) {
            loop.push_back(edge);
            edge = std::exchange(next[edge], kCellEdges);
        }
        if (!loop.empty()) loops.push_back(std::move(loop));
    }
    return loops;
}

/// Triangles of the part of a loop from `first` to `last`; nothing where an edge of theirs would
/// have to lie in a face.
std::optional<std::vector<Triangle>> cut(const Loop& loop, std::size_t first, std::size_t last) {
    if (last - first < 2) return std::vector<Triangle>{};
    const auto may_cut = [&](std::size_t a, std::size_t b) {
        const bool is_of_loop = b - a == 1 || (a == 0 && b + 1 == loop.size());
        return is_of_loop || (faces_of(loop[a]) & faces_of(loop[b])) == 0;
    };
    for (std::size_t middle = first + 1; middle < last; ++middle) {
        if (!may_cut(first, middle) || !may_cut(middle, last)) continue;
        auto before = cut(loop, first, middle);
        const auto behind = cut(loop, middle, last);
        if (!before || !behind) continue;
        before->push_back({loop[first], loop[middle], loop[last]});
        before->insert(before->end(), behind->begin(), behind->end());
        return before;
    }
    return std::nullopt;
}

std::vector<Triangle> around_centre(const Loop& loop) {
    std::vector<Triangle> triangles;
    for (std::size_t i = 0; i < loop.size(); ++i)
        triangles.push_back({kCellCentre, loop[i], loop[(i + 1) % loop.size()]});
    return triangles;
}

std::uint32_t ambiguous_faces(std::uint32_t inside) {
    std::uint32_t faces = 0;
    for (std::uint32_t face = 0; face < kCellFaces; ++face)
        if (is_ambiguous(inside, face)) faces |= 1u << face;
    return faces;
}

} // namespace

bool is_ambiguous(std::uint32_t inside, std::uint32_t face) {
    const Corners corners = face_corners(face);
    const auto is_inside = [&](std::size_t i) { return (inside >> corners[i] & 1) != 0; };
    return is_inside(0) == is_inside(2) && is_inside(1) == is_inside(3) &&
           is_inside(0) != is_inside(1);
}

CellCase cell_case(std::uint32_t inside, std::uint32_t joined) {
    CellCase result{
        .loops = loops_along(successors(inside, joined)), .triangles = {}, .has_centre = false};
    for (const Loop& loop : result.loops) {
        auto triangles = cut(loop, 0, loop.size() - 1);
        if (!triangles) {
            triangles = around_centre(loop);
            result.has_centre = true;
        }
        result.triangles.insert(result.triangles.end(), triangles->begin(), triangles->end());
    }
    return result;
}

std::optional<std::uint32_t> doubled_face(std::uint32_t inside) {
    for (const Loop& loop : cell_case(inside, 0).loops)
        for (std::uint32_t face = 0; face < kCellFaces; ++face) {
            const auto in_face = std::ranges::count_if(
                loop, [&](std::uint32_t edge) { return (faces_of(edge) >> face & 1) != 0; });
            if (in_face == 4) return face;
        }
    return std::nullopt;
}

namespace {

using TableBytes = std::shared_ptr<const std::vector<std::byte>>;

template <typename T>
TableBytes table_bytes(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

struct DerivedTables {
    TableBytes cases;
    TableBytes triangles;
};

DerivedTables derived_tables() {
    std::vector<glm::uvec2> cases(std::size_t{kSets} << kCellFaces, glm::uvec2(0));
    std::vector<std::uint32_t> triangles;
    for (std::uint32_t joined = 0; joined < 1u << kCellFaces; ++joined)
        for (std::uint32_t inside = 0; inside < kSets; ++inside) {
            if ((joined & ~ambiguous_faces(inside)) != 0) continue; // never asked for
            const CellCase one = cell_case(inside, joined);
            const std::uint32_t doubled = joined == 0 ? doubled_face(inside).value_or(~0u) + 1 : 0;
            glm::uvec2& entry = cases[joined << 8 | inside];
            entry.x = static_cast<std::uint32_t>(triangles.size()) |
                      static_cast<std::uint32_t>(one.triangles.size()) << 16 |
                      std::uint32_t{one.has_centre} << 20 |
                      static_cast<std::uint32_t>(one.loops.size()) << 21 | doubled << 24;
            for (std::uint32_t loop = 0; loop < one.loops.size(); ++loop)
                for (const std::uint32_t edge : one.loops[loop])
                    entry.y |= loop << 2 * edge;
            for (const Triangle& triangle : one.triangles)
                triangles.push_back(triangle[0] | triangle[1] << 4 | triangle[2] << 8);
        }
    return {table_bytes(cases), table_bytes(triangles)};
}

Buffer table_buffer(Graph& graph, std::string_view name, std::uint32_t stride,
                    const TableBytes& bytes) {
    return graph.constant_buffer(name, {.size = bytes->size(), .stride = stride}, bytes);
}

} // namespace

CaseTables case_tables(Graph& graph) {
    // Derived once, so that graphs which are built again upload nothing.
    static const DerivedTables kTables = derived_tables();
    return {table_buffer(graph, "cases", 8, kTables.cases),
            table_buffer(graph, "case_triangles", 4, kTables.triangles)};
}

} // namespace tuff::passes
