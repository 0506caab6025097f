#pragma once

#include "passes/subdivision/adaptive.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/subdivision/loop_reference.hpp"

#include <map>
#include <string>
#include <vector>

/// What tests of the module share: cages on the device, and meshes as they come back.
namespace tuff::testing_gpu {

struct SubdividedMesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec4> normals;
    std::vector<glm::uvec3> triangles;
    std::vector<std::array<glm::vec3, 3>> corner_normals;
    std::vector<glm::uvec2> tags;
    std::vector<std::uint32_t> draw;
    passes::SubdivisionStatus status;
};

class SubdivisionTest : public GpuTest {
  protected:
    passes::MakeCage cage_of(Graph& g, const LoopMesh& mesh);
    passes::Cage cage(Graph& g, const LoopMesh& mesh) { return g.add(cage_of(g, mesh)).cage; }
    void output(Graph& g, const std::string& name, const passes::Subdivide& pass);
    SubdividedMesh read(Running& running, const std::string& name);
    SubdividedMesh subdivided(const LoopMesh& mesh, passes::Subdivide pass);
};

/// As many levels as that, with limits.
struct LoopLevels {
    LoopMesh mesh;
    LoopLimit limit;
};
LoopLevels reference_levels(const LoopMesh& cage, std::uint32_t levels);

/// For each vertex that triangles use, which of the reference's lies at its place; fails where none
/// does, or two come to the same.
std::map<std::uint32_t, std::uint32_t> matched(const SubdividedMesh& mesh, const LoopLevels& levels,
                                               double near);

/// Edges are met twice, from both sides, or lie on the cage's boundary; no two vertices are at one
/// place, and the surface has as many holes and handles as the cage.
void expect_no_cracks(const SubdividedMesh& mesh, const LoopMesh& cage, const LoopLevels& levels,
                      const std::map<std::uint32_t, std::uint32_t>& numbers);

} // namespace tuff::testing_gpu
