#include "tests/gpu/subdivision/loop_reference.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#if __has_include(<opensubdiv/far/primvarRefiner.h>)
#define TUFF_HAS_OPENSUBDIV 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <opensubdiv/far/primvarRefiner.h>
#include <opensubdiv/far/topologyDescriptor.h>
#pragma GCC diagnostic pop
#endif

/// The reference that kernels are compared with is itself compared with OpenSubdiv.
namespace tuff {
namespace {

using testing_gpu::LoopMesh;

#ifdef TUFF_HAS_OPENSUBDIV
namespace far = OpenSubdiv::Far;

struct OsdPoint {
    glm::dvec3 at{0.0};
    void Clear(void* = nullptr) { at = glm::dvec3(0.0); }
    void AddWithWeight(const OsdPoint& other, float weight) {
        at += static_cast<double>(weight) * other.at;
    }
};

struct OsdLevels {
    std::vector<OsdPoint> refined;
    std::vector<OsdPoint> limit;
    std::vector<OsdPoint> along; ///< two tangents
    std::vector<OsdPoint> across;
    std::shared_ptr<far::TopologyRefiner> refiner;

    glm::dvec3 normal(std::size_t i) const {
        return glm::normalize(glm::cross(along[i].at, across[i].at));
    }
    /// The number in the last level of a vertex of the cage.
    std::size_t last_number(std::uint32_t v) const {
        int at = static_cast<int>(v);
        for (int level = 0; level < refiner->GetMaxLevel(); ++level)
            at = refiner->GetLevel(level).GetVertexChildVertex(at);
        return static_cast<std::size_t>(at);
    }
    /// From a vertex of the cage along an edge, at the last level.
    glm::dvec3 along_edge(std::uint32_t from, std::uint32_t to) const {
        int a = static_cast<int>(from);
        int b = static_cast<int>(to);
        for (int level = 0; level < refiner->GetMaxLevel(); ++level) {
            const far::TopologyLevel& at = refiner->GetLevel(level);
            b = at.GetEdgeChildVertex(at.FindEdge(a, b));
            a = at.GetVertexChildVertex(a);
        }
        return limit[static_cast<std::size_t>(b)].at - limit[static_cast<std::size_t>(a)].at;
    }
};

OsdLevels by_opensubdiv(const LoopMesh& mesh, int levels) {
    far::TopologyDescriptor descriptor;
    std::vector<int> counts(mesh.triangles.size(), 3);
    std::vector<int> corners;
    for (const glm::uvec3& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            corners.push_back(static_cast<int>(t[k]));
    std::vector<int> edges;
    std::vector<float> weights;
    for (const auto& [edge, sharpness] : mesh.sharpness) {
        edges.push_back(static_cast<int>(edge.first));
        edges.push_back(static_cast<int>(edge.second));
        weights.push_back(static_cast<float>(sharpness));
    }
    std::vector<int> fixed;
    for (std::size_t v = 0; v < mesh.fixed.size(); ++v)
        if (mesh.fixed[v]) fixed.push_back(static_cast<int>(v));
    const std::vector<float> fixed_weights(fixed.size(), 10.0f);
    descriptor.numVertices = static_cast<int>(mesh.positions.size());
    descriptor.numFaces = static_cast<int>(counts.size());
    descriptor.numVertsPerFace = counts.data();
    descriptor.vertIndicesPerFace = corners.data();
    descriptor.numCreases = static_cast<int>(weights.size());
    descriptor.creaseVertexIndexPairs = edges.data();
    descriptor.creaseWeights = weights.data();
    descriptor.numCorners = static_cast<int>(fixed.size());
    descriptor.cornerVertexIndices = fixed.data();
    descriptor.cornerWeights = fixed_weights.data();
    OpenSubdiv::Sdc::Options options;
    options.SetVtxBoundaryInterpolation(OpenSubdiv::Sdc::Options::VTX_BOUNDARY_EDGE_ONLY);
    using Factory = far::TopologyRefinerFactory<far::TopologyDescriptor>;
    const std::shared_ptr<far::TopologyRefiner> refiner(
        Factory::Create(descriptor, Factory::Options(OpenSubdiv::Sdc::SCHEME_LOOP, options)));
    far::TopologyRefiner::UniformOptions uniform(levels);
    uniform.fullTopologyInLastLevel = true;
    refiner->RefineUniform(uniform);
    const far::PrimvarRefiner primvars(*refiner);
    OsdLevels result;
    result.refiner = refiner;
    for (const glm::dvec3& at : mesh.positions)
        result.refined.push_back({at});
    for (int level = 1; level <= levels; ++level) {
        std::vector<OsdPoint> next(
            static_cast<std::size_t>(refiner->GetLevel(level).GetNumVertices()));
        primvars.Interpolate(level, result.refined, next);
        result.refined = std::move(next);
    }
    result.limit.resize(result.refined.size());
    result.along.resize(result.refined.size());
    result.across.resize(result.refined.size());
    primvars.Limit(result.refined, result.limit, result.along, result.across);
    return result;
}

std::size_t nearest(const std::vector<OsdPoint>& points, glm::dvec3 at) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
        if (glm::distance(points[i].at, at) < glm::distance(points[best].at, at)) best = i;
    return best;
}

std::map<std::uint32_t, int> sharp_edges_of(const LoopMesh& mesh) {
    std::map<std::uint32_t, int> sharp;
    for (const auto& [edge, sharpness] : mesh.sharpness) {
        ++sharp[edge.first];
        ++sharp[edge.second];
    }
    for (const testing_gpu::LoopEdge& edge : testing_gpu::boundary_of(mesh.triangles)) {
        ++sharp[edge.first];
        ++sharp[edge.second];
    }
    return sharp;
}

/// Positions of refined vertices, their limits and normals.
void compare(const LoopMesh& cage, int levels, const std::string& label) {
    SCOPED_TRACE(label);
    const OsdLevels theirs = by_opensubdiv(cage, levels);
    LoopMesh mesh = cage;
    for (int level = 0; level < levels; ++level)
        mesh = refined(mesh);
    ASSERT_EQ(mesh.positions.size(), theirs.refined.size());
    const testing_gpu::LoopLimit limit = testing_gpu::limit_of(mesh);
    std::map<std::uint32_t, int> sharp = sharp_edges_of(mesh);
    const auto is_fixed = [&](std::uint32_t v) { return v < mesh.fixed.size() && mesh.fixed[v]; };
    // What is left of the sharpness there the limit does not know.
    const bool fading = std::ranges::any_of(
        mesh.sharpness, [](const auto& edge) { return edge.second < testing_gpu::kLoopEndless; });
    // Where a crease ends they use the masks of smooth vertices, which are not exact there.
    const auto is_end = [&](std::uint32_t v) { return sharp[v] == 1 && !is_fixed(v); };
    // Their weights are floats.
    constexpr double kNear = 2e-6;
    std::vector<std::size_t> their_number;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        their_number.push_back(nearest(theirs.refined, mesh.positions[v]));
        const std::size_t i = their_number.back();
        ASSERT_LT(glm::distance(theirs.refined[i].at, mesh.positions[v]), kNear) << "vertex " << v;
        if (is_end(v) || fading) continue;
        ASSERT_LT(glm::distance(theirs.limit[i].at, limit.positions[v]), kNear) << "limit " << v;
    }
    if (fading) return;
    std::map<std::uint32_t, double> nearest_normal; // of vertices inside creases
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t v = mesh.triangles[t][k];
            if (is_fixed(v) || sharp[v] > 2 || is_end(v)) continue;
            const double off = glm::distance(theirs.normal(their_number[v]),
                                             limit.normals[t][static_cast<std::size_t>(k)]);
            if (sharp[v] == 0 || limit.boundary[v])
                ASSERT_LT(off, 2e-5) << "normal of vertex " << v;
            else // they give one of two sides
                nearest_normal[v] =
                    nearest_normal.contains(v) ? std::min(nearest_normal[v], off) : off;
        }
    for (const auto& [v, off] : nearest_normal)
        ASSERT_LT(off, 2e-5) << "normal of vertex " << v << " of a crease";
}

/// Vertices where one crease ends or more than two meet: OpenSubdiv has no exact masks for their
/// normals, and its levels come near them. Of creases that stay.
void compare_ends(const LoopMesh& cage, const std::string& label) {
    SCOPED_TRACE(label);
    const testing_gpu::LoopLimit limit = testing_gpu::limit_of(cage);
    LoopMesh lasting = cage;
    std::erase_if(lasting.sharpness,
                  [](const auto& edge) { return edge.second < testing_gpu::kLoopEndless; });
    std::map<std::uint32_t, int> sharp = sharp_edges_of(lasting);
    std::map<testing_gpu::LoopEdge, std::uint32_t> after; // counter-clockwise about the first
    std::map<testing_gpu::LoopEdge, std::uint32_t> before;
    for (const glm::uvec3& t : cage.triangles)
        for (int k = 0; k < 3; ++k) {
            after[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
            before[{t[k], t[(k + 2) % 3]}] = t[(k + 1) % 3];
        }
    const auto ends_sector = [&](std::uint32_t v, std::uint32_t other) {
        return lasting.sharpness.contains(LoopMesh::edge(v, other)) ||
               !after.contains({v, other}) || !before.contains({v, other});
    };
    const OsdLevels coarse = by_opensubdiv(cage, 4);
    const OsdLevels fine = by_opensubdiv(cage, 6);
    std::size_t compared = 0;
    for (std::size_t t = 0; t < cage.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t v = cage.triangles[t][k];
            if (sharp[v] != 1 && sharp[v] < 3) continue;
            SCOPED_TRACE(fmt::format("vertex {}", v));
            ++compared;
            const glm::dvec3 normal = limit.normals[t][static_cast<std::size_t>(k)];
            std::array<double, 2> off{};
            std::array<double, 2> place_off{};
            for (const OsdLevels* theirs : {&coarse, &fine}) {
                glm::dvec3 near = theirs->normal(theirs->last_number(v));
                if (sharp[v] > 2) {
                    std::uint32_t first = cage.triangles[t][(k + 1) % 3];
                    std::uint32_t last = cage.triangles[t][(k + 2) % 3];
                    while (!ends_sector(v, first))
                        first = before.at({v, first});
                    while (!ends_sector(v, last))
                        last = after.at({v, last});
                    near = glm::normalize(
                        glm::cross(theirs->along_edge(v, first), theirs->along_edge(v, last)));
                }
                place_off[theirs == &fine] =
                    glm::distance(theirs->limit[theirs->last_number(v)].at, limit.positions[v]);
                off[theirs == &fine] = glm::distance(near, normal);
            }
            // Slow where there are many neighbours.
            EXPECT_LT(off[1], 0.065);
            EXPECT_LT(off[1], 0.75 * off[0] + 1e-6);
            EXPECT_LT(place_off[1], 1e-3);
            EXPECT_LT(place_off[1], 0.45 * place_off[0] + 1e-6);
        }
    EXPECT_GT(compared, 0u);
}

TEST(LoopReference, HasThePositionsLimitsAndNormalsOfOpenSubdiv) {
    compare(testing_gpu::tetrahedron(), 2, "tetrahedron");
    for (const std::uint32_t sides : {3u, 4u, 5u, 6u, 7u, 9u, 12u})
        compare(testing_gpu::bipyramid(sides), 2, fmt::format("{} sides", sides));
    compare(testing_gpu::sheet(4, 3, 0.2, 1), 2, "a sheet with boundaries");
    compare(testing_gpu::sheet(1, 1, 0.2, 2), 1, "two triangles");
    compare(testing_gpu::cube(10.0), 2, "a cube of sharp edges");
    // As many levels as the sharpness takes.
    for (const double sharpness : {0.5, 1.0, 1.75, 2.25})
        compare(testing_gpu::cube(sharpness), 3, fmt::format("a cube of sharpness {}", sharpness));
    compare(testing_gpu::random_blob(5), 2, "a blob");
    LoopMesh pinned = testing_gpu::sheet(3, 3, 0.2, 3);
    pinned.fixed.assign(pinned.positions.size(), false);
    pinned.fixed[0] = pinned.fixed[15] = true;
    compare(pinned, 2, "a sheet with corners");
}

/// Cages of `CreasesStaySharpForAsManyLevelsAsTheySay`.
TEST(LoopReference, HasTheCreasesOfOpenSubdivThatEndMeetAndRunIntoBoundaries) {
    LoopMesh closed = testing_gpu::torus(6, 6, 0.2, 4);
    closed.sharpness = testing_gpu::creases_that_end_and_meet();
    LoopMesh meeting = closed;
    meeting.sharpness = testing_gpu::three_creases_that_meet();
    LoopMesh open = testing_gpu::sheet(4, 4, 0.2, 5);
    open.sharpness = testing_gpu::creases_into_boundaries();
    for (const auto& [label, cage] :
         {std::pair{"creases", closed}, {"three creases", meeting}, {"boundaries", open}}) {
        for (const int levels : {1, 2, 3})
            compare(cage, levels, fmt::format("{}, {} levels", label, levels));
        compare_ends(cage, label);
    }
    // Ends with few and many neighbours, beside the apex and at it.
    for (const std::uint32_t sides : {3u, 4u, 5u, 7u, 9u, 12u}) {
        LoopMesh cage = testing_gpu::bipyramid(sides);
        cage.sharpness = {{{0, 2}, 10.0}};
        compare_ends(cage, fmt::format("{} sides", sides));
    }
}
#else
TEST(LoopReference, HasThePositionsLimitsAndNormalsOfOpenSubdiv) {
    GTEST_SKIP() << "OpenSubdiv is not installed";
}
#endif

} // namespace
} // namespace tuff
