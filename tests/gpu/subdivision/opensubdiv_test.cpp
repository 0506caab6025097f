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
    const std::unique_ptr<far::TopologyRefiner> refiner(
        Factory::Create(descriptor, Factory::Options(OpenSubdiv::Sdc::SCHEME_LOOP, options)));
    far::TopologyRefiner::UniformOptions uniform(levels);
    uniform.fullTopologyInLastLevel = true;
    refiner->RefineUniform(uniform);
    const far::PrimvarRefiner primvars(*refiner);
    OsdLevels result;
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

/// Positions of refined vertices, their limits and normals.
void compare(const LoopMesh& cage, int levels, const std::string& label) {
    SCOPED_TRACE(label);
    const OsdLevels theirs = by_opensubdiv(cage, levels);
    LoopMesh mesh = cage;
    for (int level = 0; level < levels; ++level)
        mesh = refined(mesh);
    ASSERT_EQ(mesh.positions.size(), theirs.refined.size());
    const testing_gpu::LoopLimit limit = testing_gpu::limit_of(mesh);
    // Their weights are floats.
    constexpr double kNear = 2e-6;
    std::vector<std::size_t> their_number;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        their_number.push_back(nearest(theirs.refined, mesh.positions[v]));
        const std::size_t i = their_number.back();
        ASSERT_LT(glm::distance(theirs.refined[i].at, mesh.positions[v]), kNear) << "vertex " << v;
        ASSERT_LT(glm::distance(theirs.limit[i].at, limit.positions[v]), kNear) << "limit " << v;
    }
    std::map<std::uint32_t, int> sharp;
    for (const auto& [edge, sharpness] : mesh.sharpness) {
        ++sharp[edge.first];
        ++sharp[edge.second];
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t v = mesh.triangles[t][k];
            // Inside creases and at corners they give one of several sides.
            if (sharp[v] > 1 || (v < mesh.fixed.size() && mesh.fixed[v])) continue;
            const std::size_t i = their_number[v];
            const glm::dvec3 normal =
                glm::normalize(glm::cross(theirs.along[i].at, theirs.across[i].at));
            ASSERT_LT(glm::distance(normal, limit.normals[t][static_cast<std::size_t>(k)]), 2e-5)
                << "normal of vertex " << v;
        }
}

TEST(LoopReference, HasThePositionsLimitsAndNormalsOfOpenSubdiv) {
    compare(testing_gpu::tetrahedron(), 2, "tetrahedron");
    for (const std::uint32_t sides : {3u, 4u, 5u, 6u, 7u, 9u, 12u})
        compare(testing_gpu::bipyramid(sides), 2, fmt::format("{} sides", sides));
    compare(testing_gpu::sheet(4, 3, 0.2, 1), 2, "a sheet with boundaries");
    compare(testing_gpu::sheet(1, 1, 0.2, 2), 1, "two triangles");
    compare(testing_gpu::cube(10.0), 2, "a cube of sharp edges");
    // What is left of the sharpness there the limit does not know: as many levels as it takes.
    for (const double sharpness : {0.5, 1.0, 1.75, 2.25})
        compare(testing_gpu::cube(sharpness), 3, fmt::format("a cube of sharpness {}", sharpness));
    compare(testing_gpu::random_blob(5), 2, "a blob");
    LoopMesh pinned = testing_gpu::sheet(3, 3, 0.2, 3);
    pinned.fixed.assign(pinned.positions.size(), false);
    pinned.fixed[0] = pinned.fixed[15] = true;
    compare(pinned, 2, "a sheet with corners");
}
#else
TEST(LoopReference, HasThePositionsLimitsAndNormalsOfOpenSubdiv) {
    GTEST_SKIP() << "OpenSubdiv is not installed";
}
#endif

} // namespace
} // namespace tuff
