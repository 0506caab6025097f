#include "passes/isosurface/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

/// The derived table of cases, by itself.
namespace tuff {
namespace {

using passes::cell_case;
using passes::CellCase;
using passes::kCellCentre;

using DirectedEdge = std::pair<std::uint32_t, std::uint32_t>;

std::uint32_t ambiguous_faces(std::uint32_t inside) {
    std::uint32_t faces = 0;
    for (std::uint32_t face = 0; face < passes::kCellFaces; ++face)
        if (passes::is_ambiguous(inside, face)) faces |= 1u << face;
    return faces;
}

/// The corner at which an edge begins, and its other one.
std::pair<std::uint32_t, std::uint32_t> ends(std::uint32_t edge) {
    const std::uint32_t axis = edge / 4;
    std::uint32_t seen = 0;
    for (std::uint32_t corner = 0; corner < 8; ++corner)
        if ((corner >> axis & 1) == 0 && seen++ == edge % 4) return {corner, corner | 1u << axis};
    return {};
}

bool lie_in_a_face(std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t axis = 0; axis < 3; ++axis)
        for (const std::uint32_t side : {0u, 1u}) {
            const auto in_face = [&](std::uint32_t edge) {
                const auto [from, to] = ends(edge);
                return (from >> axis & 1) == side && (to >> axis & 1) == side;
            };
            if (in_face(a) && in_face(b)) return true;
        }
    return false;
}

template <typename Function>
void for_each_case(Function function) {
    for (std::uint32_t inside = 0; inside < 256; ++inside)
        for (std::uint32_t joined = 0; joined < 64; ++joined)
            if ((joined & ~ambiguous_faces(inside)) == 0) function(inside, joined);
}

TEST(IsosurfaceCases, CrossedEdgesAreThoseBetweenInsideAndOutside) {
    int cases = 0;
    for_each_case([&](std::uint32_t inside, std::uint32_t joined) {
        ++cases;
        std::vector<std::uint32_t> got;
        for (const auto& loop : cell_case(inside, joined).loops)
            got.insert(got.end(), loop.begin(), loop.end());
        std::ranges::sort(got);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t edge = 0; edge < 12; ++edge)
            if ((inside >> ends(edge).first & 1) != (inside >> ends(edge).second & 1))
                expected.push_back(edge);
        ASSERT_EQ(got, expected) << inside << ' ' << joined;
    });
    EXPECT_EQ(cases, 656);
}

/// Edges of triangles that nobody in the cell goes back along lie in faces, and all others do not:
/// so the surface of two cells fits together, and no edge has more than two triangles.
TEST(IsosurfaceCases, TrianglesMeetInTheCellAndEndInItsFaces) {
    std::size_t most = 0;
    for_each_case([&](std::uint32_t inside, std::uint32_t joined) {
        const CellCase one = cell_case(inside, joined);
        most = std::max(most, one.triangles.size());
        std::map<DirectedEdge, int> met;
        for (const auto& triangle : one.triangles)
            for (std::size_t i = 0; i < 3; ++i)
                ++met[{triangle[i], triangle[(i + 1) % 3]}];
        for (const auto& [edge, times] : met) {
            ASSERT_EQ(times, 1);
            const bool goes_back = met.contains({edge.second, edge.first});
            const bool has_centre = edge.first == kCellCentre || edge.second == kCellCentre;
            ASSERT_EQ(goes_back, has_centre || !lie_in_a_face(edge.first, edge.second))
                << inside << ' ' << joined << ' ' << edge.first << ' ' << edge.second;
        }
        if (joined == 0) {
            ASSERT_FALSE(one.has_centre);
        }
    });
    EXPECT_LE(most, 12u);
}

/// The same cut of a face, seen from both of its cells, goes in opposite directions.
TEST(IsosurfaceCases, CellsAgreeOnTheFaceBetweenThem) {
    for (std::uint32_t axis = 0; axis < 3; ++axis)
        for (std::uint32_t corners = 0; corners < 16; ++corners)
            for (const std::uint32_t is_joined : {0u, 1u}) {
                const std::uint32_t high = 2 * axis + 1;
                const std::uint32_t low = 2 * axis;
                std::uint32_t of_first = 0;
                std::uint32_t of_second = 0;
                std::uint32_t bit = 0;
                for (std::uint32_t corner = 0; corner < 8; ++corner) {
                    if ((corner >> axis & 1) == 0) continue;
                    if ((corners >> bit++ & 1) == 0) continue;
                    of_first |= 1u << corner;
                    of_second |= 1u << (corner ^ 1u << axis);
                }
                if (is_joined == 1 && !passes::is_ambiguous(of_first, high)) continue;
                const auto cuts = [&](std::uint32_t inside, std::uint32_t face) {
                    std::vector<DirectedEdge> found;
                    for (const auto& loop : cell_case(inside, is_joined << face).loops)
                        for (std::size_t i = 0; i < loop.size(); ++i) {
                            const std::uint32_t a = loop[i];
                            const std::uint32_t b = loop[(i + 1) % loop.size()];
                            const auto in_face = [&](std::uint32_t edge) {
                                return edge / 4 != axis &&
                                       (ends(edge).first >> axis & 1) == (face & 1);
                            };
                            if (in_face(a) && in_face(b)) found.emplace_back(a, b);
                        }
                    return found;
                };
                auto first = cuts(of_first, high);
                std::vector<DirectedEdge> second;
                for (const auto& [a, b] : cuts(of_second, low)) {
                    // The same edges, one cell further.
                    const auto moved = [&](std::uint32_t edge) {
                        for (std::uint32_t e = 0; e < 12; ++e)
                            if (e / 4 == edge / 4 &&
                                ends(e).first == (ends(edge).first | 1u << axis))
                                return e;
                        return 12u;
                    };
                    second.emplace_back(moved(b), moved(a));
                }
                std::ranges::sort(first);
                std::ranges::sort(second);
                ASSERT_EQ(first, second) << axis << ' ' << corners << ' ' << is_joined;
            }
}

/// What makes the dual mesh a manifold by one exchange of a cut: the cell has no other ambiguous
/// face, and the other cut parts the loop.
TEST(IsosurfaceCases, ADoubledFaceIsTheOnlyAmbiguousOne) {
    int doubled = 0;
    for (std::uint32_t inside = 0; inside < 256; ++inside) {
        const auto face = passes::doubled_face(inside);
        if (!face) continue;
        ++doubled;
        EXPECT_EQ(ambiguous_faces(inside), 1u << *face);
        EXPECT_EQ(cell_case(inside, 0).loops.size() + 1,
                  cell_case(inside, 1u << *face).loops.size());
    }
    EXPECT_EQ(doubled, 36);
}

} // namespace
} // namespace tuff
