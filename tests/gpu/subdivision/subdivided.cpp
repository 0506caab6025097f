#include "tests/gpu/subdivision/subdivided.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace tuff::testing_gpu {

using passes::MakeCage;
using passes::Subdivide;

MakeCage SubdivisionTest::cage_of(Graph& g, const LoopMesh& mesh) {
    std::vector<glm::vec3> positions(mesh.positions.begin(), mesh.positions.end());
    if (positions.empty()) positions.emplace_back(0.0f);
    MakeCage pass;
    pass.positions = g.constant_buffer(
        "cage positions", {.size = 12 * positions.size(), .stride = 4}, bytes_of(positions));
    std::vector<glm::uvec3> triangles = mesh.triangles;
    pass.indices = g.constant_buffer("cage indices", {.size = 12 * triangles.size(), .stride = 4},
                                     bytes_of(triangles));
    for (const auto& [edge, sharpness] : mesh.sharpness) {
        pass.creases.push_back(static_cast<float>(edge.first));
        pass.creases.push_back(static_cast<float>(edge.second));
        pass.creases.push_back(static_cast<float>(sharpness));
    }
    pass.sharp_corners = std::ranges::count(mesh.fixed, true) > 0;
    return pass;
}

void SubdivisionTest::output(Graph& g, const std::string& name, const Subdivide& pass) {
    const Subdivide added = g.add(pass, name);
    if (!added.mesh) return;
    g.output(name + " positions", added.mesh.positions);
    g.output(name + " normals", added.normals);
    g.output(name + " indices", added.mesh.indices);
    g.output(name + " corner normals", added.corner_normals);
    g.output(name + " tags", added.tags);
    g.output(name + " draw", added.draw);
    g.output(name + " status", added.status);
}

SubdividedMesh SubdivisionTest::read(Running& running, const std::string& name) {
    SubdividedMesh mesh{.positions = running.buffer<glm::vec3>(name + " positions"),
                        .normals = running.buffer<glm::vec4>(name + " normals"),
                        .triangles = running.buffer<glm::uvec3>(name + " indices"),
                        .corner_normals =
                            running.buffer<std::array<glm::vec3, 3>>(name + " corner normals"),
                        .tags = running.buffer<glm::uvec2>(name + " tags"),
                        .draw = running.buffer<std::uint32_t>(name + " draw"),
                        .status = {}};
    mesh.status = passes::SubdivisionStatus::read(running.buffer<std::uint32_t>(name + " status"));
    const std::uint32_t triangles = mesh.status.triangles;
    EXPECT_LE(triangles, mesh.triangles.size());
    for (std::size_t t = triangles; t < mesh.triangles.size(); ++t) {
        EXPECT_EQ(mesh.triangles[t], glm::uvec3(0u));
        EXPECT_EQ(mesh.tags[t], glm::uvec2(~0u));
    }
    EXPECT_EQ(mesh.draw, (std::vector<std::uint32_t>{3 * triangles, 1, 0, 0, 0}));
    mesh.triangles.resize(triangles);
    mesh.corner_normals.resize(triangles);
    mesh.tags.resize(triangles);
    return mesh;
}

SubdividedMesh SubdivisionTest::subdivided(const LoopMesh& mesh, Subdivide pass) {
    Graph g = graph();
    pass.cage = cage(g, mesh);
    output(g, "it", pass);
    Running running = run(std::move(g));
    if (!running) return {};
    return read(running, "it");
}

LoopLevels reference_levels(const LoopMesh& cage, std::uint32_t levels) {
    LoopLevels result{.mesh = cage, .limit = {}};
    for (std::uint32_t level = 0; level < levels; ++level)
        result.mesh = refined(result.mesh);
    result.limit = limit_of(result.mesh);
    return result;
}

std::map<std::uint32_t, std::uint32_t> matched(const SubdividedMesh& mesh, const LoopLevels& levels,
                                               double near) {
    // By x, so that few are looked at.
    std::vector<std::pair<double, std::uint32_t>> by_x;
    for (std::uint32_t v = 0; v < levels.limit.positions.size(); ++v)
        by_x.emplace_back(levels.limit.positions[v].x, v);
    std::ranges::sort(by_x);
    std::map<std::uint32_t, std::uint32_t> numbers;
    std::set<std::uint32_t> taken;
    double farthest = 0.0;
    for (const glm::uvec3& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            if (numbers.contains(t[k])) continue;
            if (t[k] >= mesh.positions.size()) {
                ADD_FAILURE() << "vertex " << t[k] << " is none";
                return {};
            }
            const glm::dvec3 at(mesh.positions[t[k]]);
            double best = 1e300;
            std::uint32_t number = 0;
            auto i = std::ranges::lower_bound(by_x, std::pair{at.x - near, 0u});
            for (; i != by_x.end() && i->first <= at.x + near; ++i) {
                const double away = glm::distance(levels.limit.positions[i->second], at);
                if (away < best) {
                    best = away;
                    number = i->second;
                }
            }
            farthest = std::max(farthest, best);
            if (!(best < near)) {
                ADD_FAILURE() << "vertex " << t[k] << " at " << at.x << ", " << at.y << ", " << at.z
                              << " is no vertex of the reference";
                return {};
            }
            if (!taken.insert(number).second) {
                ADD_FAILURE() << "vertex " << t[k] << " is there twice";
                return {};
            }
            numbers[t[k]] = number;
        }
    EXPECT_LT(farthest, near);
    return numbers;
}

void expect_no_cracks(const SubdividedMesh& mesh, const LoopMesh& cage, const LoopLevels& levels,
                      const std::map<std::uint32_t, std::uint32_t>& numbers) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> directed;
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const glm::uvec3& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t a = t[k];
            const std::uint32_t b = t[(k + 1) % 3];
            ASSERT_NE(a, b);
            ASSERT_TRUE(directed.emplace(a, b).second) << "an edge is met twice from one side";
            edges.emplace(LoopMesh::edge(a, b));
        }
    for (const auto& [a, b] : directed) {
        if (directed.contains({b, a})) continue;
        ASSERT_TRUE(levels.limit.boundary[numbers.at(a)] && levels.limit.boundary[numbers.at(b)])
            << "the edge from " << a << " to " << b << " is open, but on no boundary";
    }
    // Euler's number of triangles' vertices, which the cage has as well.
    const auto euler = [](std::size_t vertices, std::size_t edge_count, std::size_t triangles) {
        return static_cast<std::int64_t>(vertices + triangles) -
               static_cast<std::int64_t>(edge_count);
    };
    std::set<std::uint32_t> used;
    std::set<LoopEdge> cage_edges;
    for (const glm::uvec3& t : cage.triangles)
        for (int k = 0; k < 3; ++k) {
            used.insert(t[k]);
            cage_edges.insert(LoopMesh::edge(t[k], t[(k + 1) % 3]));
        }
    EXPECT_EQ(euler(numbers.size(), edges.size(), mesh.triangles.size()),
              euler(used.size(), cage_edges.size(), cage.triangles.size()));
    EXPECT_EQ(mesh.status.vertices - (cage.positions.size() - used.size()), numbers.size());
}

} // namespace tuff::testing_gpu
