#include "passes/subdivision/uniform.hpp"
#include "tests/gpu/subdivision/subdivided.hpp"

#include <glm/geometric.hpp>

/// subdivision/uniform against Loop subdivision of whole meshes on the host.
namespace tuff {
namespace {

using passes::SubdivideUniformly;
using testing_gpu::LoopMesh;
using testing_gpu::Running;

using UniformSubdivision = testing_gpu::SubdivisionTest;

/// Constants are no outputs.
Buffer copied(Graph& g, Buffer buffer) {
    return g.copy(buffer, g.buffer("copy", g.desc(buffer)), "copy");
}

/// By place: the device numbers edges in another order.
void expect_same_places(const std::vector<glm::vec3>& got,
                        const std::vector<glm::dvec3>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    std::vector<bool> taken(expected.size(), false);
    for (const glm::vec3& at : got) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < expected.size(); ++i)
            if (glm::distance(expected[i], glm::dvec3(at)) <
                glm::distance(expected[best], glm::dvec3(at)))
                best = i;
        ASSERT_LT(glm::distance(expected[best], glm::dvec3(at)), 2e-6);
        ASSERT_FALSE(taken[best]);
        taken[best] = true;
    }
}

TEST_F(UniformSubdivision, RefinedAndLimitPositionsAndNormalsAreThoseOfTheReference) {
    LoopMesh creased = testing_gpu::torus(5, 6, 0.2, 4);
    creased.sharpness = {{{0, 1}, 1.75},  {{1, 2}, 1.5},   {{6, 11}, 1.0},
                         {{11, 16}, 0.5}, {{10, 11}, 1.5}, {{21, 22}, 0.75}};
    LoopMesh ends = creased;
    ends.sharpness = {{{0, 1}, 10.0}, {{1, 2}, 10.0}, {{11, 16}, 10.0}, {{22, 23}, 4.0}};
    LoopMesh apex = testing_gpu::bipyramid(9);
    apex.sharpness = {{{0, 4}, 10.0}};
    LoopMesh pinned = testing_gpu::sheet(3, 4, 0.2, 5);
    pinned.fixed.assign(pinned.positions.size(), false);
    pinned.fixed[0] = pinned.fixed[19] = true;
    const std::vector<LoopMesh> cages{testing_gpu::tetrahedron(),
                                      testing_gpu::bipyramid(9),
                                      testing_gpu::sheet(3, 2, 0.3, 1),
                                      testing_gpu::cube(10.0),
                                      testing_gpu::cube(1.25),
                                      creased,
                                      ends,
                                      apex,
                                      pinned,
                                      testing_gpu::random_blob(7)};
    Graph g = graph();
    for (std::size_t i = 0; i < cages.size(); ++i)
        for (const bool limit : {false, true}) {
            const std::string name = std::to_string(i) + (limit ? " limit" : " refined");
            const SubdivideUniformly made = g.add(
                SubdivideUniformly{.cage = this->cage(g, cages[i]), .levels = 2, .limit = limit});
            g.output(name, made.mesh.positions);
            g.output(name + " normals", made.normals);
            g.output(name + " indices", copied(g, made.mesh.indices));
        }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (std::size_t i = 0; i < cages.size(); ++i) {
        SCOPED_TRACE(i);
        const std::string name = std::to_string(i);
        const testing_gpu::LoopLevels expected = testing_gpu::reference_levels(cages[i], 2);
        const auto refined = running.buffer<glm::vec3>(name + " refined");
        expect_same_places(refined, expected.mesh.positions);
        // Limits know nothing of a sharpness that the last level has left.
        LoopMesh fading = expected.mesh;
        for (auto& [edge, sharpness] : fading.sharpness)
            sharpness = testing_gpu::kLoopEndless;
        const testing_gpu::LoopLimit limit = testing_gpu::limit_of(fading);
        testing_gpu::SubdividedMesh got;
        got.positions = running.buffer<glm::vec3>(name + " limit");
        got.triangles = running.buffer<glm::uvec3>(name + " limit indices");
        expect_same_places(got.positions, limit.positions);
        const auto numbers = testing_gpu::matched(got, {fading, limit}, 2e-6);
        std::map<std::uint32_t, std::vector<glm::dvec3>> normals;
        for (std::size_t t = 0; t < fading.triangles.size(); ++t)
            for (int k = 0; k < 3; ++k)
                normals[fading.triangles[t][k]].push_back(
                    limit.normals[t][static_cast<std::size_t>(k)]);
        const auto got_normals = running.buffer<glm::vec4>(name + " limit normals");
        for (const auto& [vertex, number] : numbers)
            ASSERT_TRUE(std::ranges::any_of(
                normals.at(number),
                [&](const glm::dvec3& normal) {
                    return glm::distance(normal, glm::dvec3(glm::vec3(got_normals[vertex]))) < 2e-4;
                }))
                << "vertex " << vertex;
    }
}

TEST_F(UniformSubdivision, HasTheTrianglesAndPlacesOfTheAdaptiveSubdivisionToADepth) {
    const LoopMesh cage = testing_gpu::random_blob(8);
    Graph g = graph();
    const passes::Cage made = this->cage(g, cage);
    output(g, "adaptive", {.cage = made, .criterion = passes::SplitCriterion::depth, .levels = 2});
    const SubdivideUniformly uniform = g.add(SubdivideUniformly{.cage = made, .levels = 2});
    g.output("positions", uniform.mesh.positions);
    g.output("indices", copied(g, uniform.mesh.indices));
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const testing_gpu::SubdividedMesh adaptive = read(running, "adaptive");
    const auto positions = running.buffer<glm::vec3>("positions");
    const auto triangles = running.buffer<glm::uvec3>("indices");
    ASSERT_EQ(triangles.size(), adaptive.triangles.size());
    ASSERT_EQ(positions.size(), adaptive.status.vertices);
    // Both put the children of a triangle in the same order, and their corners.
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k)
            ASSERT_LT(glm::distance(positions[triangles[t][k]],
                                    adaptive.positions[adaptive.triangles[t][k]]),
                      2e-6f);
}

} // namespace
} // namespace tuff
