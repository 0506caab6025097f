#include "tests/gpu/subdivision/loop_reference.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace tuff::testing_gpu {
namespace {

constexpr double kPi = std::numbers::pi;

/// What lies across from an edge, on one or two sides.
std::map<LoopEdge, std::vector<std::uint32_t>> edges_of(const std::vector<glm::uvec3>& triangles) {
    std::map<LoopEdge, std::vector<std::uint32_t>> edges;
    for (const glm::uvec3& t : triangles) {
        edges[LoopMesh::edge(t.x, t.y)].push_back(t.z);
        edges[LoopMesh::edge(t.y, t.z)].push_back(t.x);
        edges[LoopMesh::edge(t.z, t.x)].push_back(t.y);
    }
    return edges;
}

double left_after(double sharpness) {
    return sharpness >= kLoopEndless ? sharpness : std::max(sharpness - 1.0, 0.0);
}

double beta(std::size_t n) {
    const double c = 3.0 / 8.0 + 0.25 * std::cos(2.0 * kPi / static_cast<double>(n));
    return (5.0 / 8.0 - c * c) / static_cast<double>(n);
}

struct Neighbour {
    std::uint32_t vertex;
    double sharpness;
};

std::vector<std::vector<Neighbour>> neighbours_of(const LoopMesh& mesh) {
    std::vector<std::vector<Neighbour>> all(mesh.positions.size());
    for (const auto& [edge, across] : edges_of(mesh.triangles)) {
        double sharpness = 0.0;
        if (const auto at = mesh.sharpness.find(edge); at != mesh.sharpness.end())
            sharpness = at->second;
        if (across.size() == 1) sharpness = kLoopEndless;
        all[edge.first].push_back({edge.second, sharpness});
        all[edge.second].push_back({edge.first, sharpness});
    }
    return all;
}

glm::dvec3 by_rule(const LoopMesh& mesh, std::uint32_t v, const std::vector<Neighbour>& around,
                   const std::vector<std::uint32_t>& sharp) {
    const glm::dvec3 at = mesh.positions[v];
    if (sharp.size() > 2) return at;
    if (sharp.size() == 2)
        return 0.75 * at + 0.125 * (mesh.positions[sharp[0]] + mesh.positions[sharp[1]]);
    glm::dvec3 sum(0.0);
    for (const Neighbour& n : around)
        sum += mesh.positions[n.vertex];
    const double b = beta(around.size());
    return (1.0 - b * static_cast<double>(around.size())) * at + b * sum;
}

bool is_fixed_vertex(const LoopMesh& mesh, std::size_t v) {
    return v < mesh.fixed.size() && mesh.fixed[v];
}

/// Neighbours in order, counter-clockwise, from `first` on; of boundaries to where they end.
std::vector<std::uint32_t> fan_from(const std::map<LoopEdge, std::uint32_t>& after, std::uint32_t v,
                                    std::uint32_t first, const std::set<std::uint32_t>& stops) {
    std::vector<std::uint32_t> fan{first};
    for (std::uint32_t at = first;;) {
        const auto next = after.find({v, at}); // the triangle v, at, next
        if (next == after.end()) return fan;
        at = next->second;
        if (at == first) return fan;
        fan.push_back(at);
        if (stops.contains(at)) return fan;
    }
}

/// Where a crease ends its vertex has no mask: its neighbours are refined until all are in one
/// place. The first of them is the crease's.
glm::dvec3 end_of_crease(const LoopMesh& mesh, std::uint32_t v,
                         const std::vector<std::uint32_t>& fan) {
    glm::dvec3 at = mesh.positions[v];
    std::vector<glm::dvec3> ring;
    for (const std::uint32_t other : fan)
        ring.push_back(mesh.positions[other]);
    const std::size_t n = ring.size();
    for (int level = 0; level < 60; ++level) {
        std::vector<glm::dvec3> next(n);
        glm::dvec3 sum(0.0);
        for (std::size_t i = 0; i < n; ++i) {
            sum += ring[i];
            next[i] = i == 0 ? 0.5 * (at + ring[0])
                             : 0.375 * (at + ring[i]) + 0.125 * (ring[i - 1] + ring[(i + 1) % n]);
        }
        const double b = beta(n);
        at = (1.0 - b * static_cast<double>(n)) * at + b * sum;
        ring = next;
    }
    return at;
}

/// Its normal there. What is symmetric about the crease and what changes sign across it shrink at
/// different rates, so each is refined apart and made as large as it was.
glm::dvec3 normal_at_end(const LoopMesh& mesh, std::uint32_t v,
                         const std::vector<std::uint32_t>& fan) {
    const std::size_t n = fan.size();
    std::array<std::vector<glm::dvec3>, 2> parts;
    for (std::size_t i = 0; i < n; ++i) {
        const glm::dvec3 here = mesh.positions[fan[i]] - mesh.positions[v];
        const glm::dvec3 mirrored = mesh.positions[fan[(n - i) % n]] - mesh.positions[v];
        parts[0].push_back(0.5 * (here + mirrored));
        parts[1].push_back(0.5 * (here - mirrored));
    }
    for (std::vector<glm::dvec3>& ring : parts)
        for (int level = 0; level < 2000; ++level) {
            glm::dvec3 moved(0.0);
            for (const glm::dvec3& spoke : ring)
                moved += beta(n) * spoke;
            std::vector<glm::dvec3> next(n);
            double size = 0.0;
            for (std::size_t i = 0; i < n; ++i) {
                next[i] = i == 0 ? 0.5 * ring[0]
                                 : 0.375 * ring[i] + 0.125 * (ring[i - 1] + ring[(i + 1) % n]);
                next[i] -= moved;
                size = std::max(size, glm::length(next[i]));
            }
            for (std::size_t i = 0; i < n; ++i)
                ring[i] = next[i] / size;
            // Rounding must not bring the other part back.
            const double sign = &ring == parts.data() ? 1.0 : -1.0;
            for (std::size_t i = 0; 2 * i <= n; ++i) {
                const std::size_t other = (n - i) % n;
                const glm::dvec3 mean = 0.5 * (ring[i] + sign * ring[other]);
                ring[i] = mean;
                ring[other] = sign * mean;
            }
        }
    glm::dvec3 along(0.0);
    glm::dvec3 across(0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const double angle = 2.0 * kPi * static_cast<double>(i) / static_cast<double>(n);
        along += std::cos(angle) * parts[0][i];
        across += std::sin(angle) * parts[1][i];
    }
    return glm::normalize(glm::cross(along, across));
}

} // namespace

LoopMesh refined(const LoopMesh& mesh) {
    LoopMesh next;
    next.fixed = mesh.fixed;
    const auto around = neighbours_of(mesh);
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        std::vector<std::uint32_t> sharp;
        std::vector<std::uint32_t> still;
        std::vector<double> fading;
        for (const Neighbour& n : around[v]) {
            if (n.sharpness <= 0.0) continue;
            sharp.push_back(n.vertex);
            if (left_after(n.sharpness) > 0.0)
                still.push_back(n.vertex);
            else
                fading.push_back(n.sharpness);
        }
        if (around[v].empty() || is_fixed_vertex(mesh, v)) {
            next.positions.push_back(mesh.positions[v]);
            continue;
        }
        glm::dvec3 at = by_rule(mesh, v, around[v], sharp);
        if (!fading.empty()) {
            double share = 0.0;
            for (const double s : fading)
                share += s / static_cast<double>(fading.size());
            share = std::min(share, 1.0);
            at = share * at + (1.0 - share) * by_rule(mesh, v, around[v], still);
        }
        next.positions.push_back(at);
    }
    std::map<LoopEdge, std::uint32_t> middle;
    for (const auto& [edge, across] : edges_of(mesh.triangles)) {
        const glm::dvec3 half = 0.5 * (mesh.positions[edge.first] + mesh.positions[edge.second]);
        double sharpness = 0.0;
        if (const auto at = mesh.sharpness.find(edge); at != mesh.sharpness.end())
            sharpness = at->second;
        glm::dvec3 point = half;
        if (across.size() == 2) {
            const glm::dvec3 soft =
                0.75 * half + 0.125 * (mesh.positions[across[0]] + mesh.positions[across[1]]);
            const double share = std::min(sharpness, 1.0);
            point = share * half + (1.0 - share) * soft;
        }
        const auto number = static_cast<std::uint32_t>(next.positions.size());
        middle[edge] = number;
        next.positions.push_back(point);
        if (const double left = left_after(sharpness); left > 0.0) {
            next.sharpness[LoopMesh::edge(edge.first, number)] = left;
            next.sharpness[LoopMesh::edge(edge.second, number)] = left;
        }
    }
    for (const glm::uvec3& t : mesh.triangles) {
        const std::uint32_t xy = middle[LoopMesh::edge(t.x, t.y)];
        const std::uint32_t yz = middle[LoopMesh::edge(t.y, t.z)];
        const std::uint32_t zx = middle[LoopMesh::edge(t.z, t.x)];
        next.triangles.insert(next.triangles.end(),
                              {{t.x, xy, zx}, {xy, t.y, yz}, {zx, yz, t.z}, {xy, yz, zx}});
    }
    return next;
}

LoopLimit limit_of(const LoopMesh& mesh) {
    // Triangle 4^k t of the mesh that is refined k times has corner x of triangle t, and so on.
    LoopMesh fine = mesh;
    std::size_t children = 1;
    const auto fades = [](const LoopMesh& m) {
        return std::ranges::any_of(m.sharpness,
                                   [](const auto& one) { return one.second < kLoopEndless; });
    };
    while (fades(fine)) {
        fine = refined(fine);
        children *= 4;
    }
    LoopLimit limit;
    const auto around = neighbours_of(fine);
    std::map<LoopEdge, std::uint32_t> after;
    for (const glm::uvec3& t : fine.triangles)
        for (int k = 0; k < 3; ++k)
            after[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
    limit.boundary.assign(mesh.positions.size(), false);
    for (const LoopEdge& edge : boundary_of(mesh.triangles))
        limit.boundary[edge.first] = limit.boundary[edge.second] = true;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const glm::dvec3 at = fine.positions[v];
        std::vector<std::uint32_t> sharp;
        glm::dvec3 sum(0.0);
        for (const Neighbour& n : around[v]) {
            sum += fine.positions[n.vertex];
            if (n.sharpness > 0.0) sharp.push_back(n.vertex);
        }
        if (around[v].empty() || is_fixed_vertex(mesh, v) || sharp.size() > 2) {
            limit.positions.push_back(at);
        } else if (sharp.size() == 2) {
            limit.positions.push_back(
                (4.0 * at + fine.positions[sharp[0]] + fine.positions[sharp[1]]) / 6.0);
        } else if (sharp.size() == 1) {
            limit.positions.push_back(end_of_crease(fine, v, fan_from(after, v, sharp[0], {})));
        } else {
            const auto n = static_cast<double>(around[v].size());
            const double share = 1.0 / (3.0 / (8.0 * beta(around[v].size())) + n);
            limit.positions.push_back((1.0 - n * share) * at + share * sum);
        }
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        std::array<glm::dvec3, 3> normals;
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t v = mesh.triangles[t][k];
            // The fine triangle at this corner, within the coarse one.
            std::size_t first = t * children;
            std::uint32_t toward = 0;
            for (std::size_t i = first; i < first + children; ++i)
                for (int j = 0; j < 3; ++j)
                    if (fine.triangles[i][j] == v) toward = fine.triangles[i][(j + 1) % 3];
            const glm::dvec3 at = fine.positions[v];
            std::set<std::uint32_t> sharp;
            for (const Neighbour& n : around[v])
                if (n.sharpness > 0.0) sharp.insert(n.vertex);
            glm::dvec3 u(0.0);
            glm::dvec3 w(0.0);
            if (!is_fixed_vertex(mesh, v) && sharp.size() == 1) {
                normals[static_cast<std::size_t>(k)] =
                    normal_at_end(fine, v, fan_from(after, v, *sharp.begin(), {}));
                continue;
            }
            if (!is_fixed_vertex(mesh, v) && sharp.size() < 2) {
                const auto fan = fan_from(after, v, toward, {});
                for (std::size_t i = 0; i < fan.size(); ++i) {
                    const double angle =
                        2.0 * kPi * static_cast<double>(i) / static_cast<double>(fan.size());
                    u += std::cos(angle) * fine.positions[fan[i]];
                    w += std::sin(angle) * fine.positions[fan[i]];
                }
            } else {
                // Back to the sharp edge before.
                std::map<std::uint32_t, std::uint32_t> before;
                for (const auto& [edge, next] : after)
                    if (edge.first == v) before[next] = edge.second;
                while (!sharp.contains(toward))
                    toward = before.at(toward);
                const auto fan = fan_from(after, v, toward, sharp);
                const std::size_t m = fan.size() - 1;
                const auto p = [&](std::size_t i) { return fine.positions[fan[i]]; };
                if (is_fixed_vertex(mesh, v) || sharp.size() > 2) {
                    u = p(0) - at;
                    w = p(m) - at;
                } else {
                    u = p(0) - p(m);
                    if (m == 1) w = p(0) + p(1) - 2.0 * at;
                    if (m == 2) w = p(1) - at;
                    if (m == 3) w = 2.0 * (p(1) + p(2)) - p(0) - p(3) - 2.0 * at;
                    if (m > 3) {
                        const double angle = kPi / static_cast<double>(m);
                        w = -std::sin(angle) * (p(0) + p(m));
                        for (std::size_t i = 1; i < m; ++i)
                            w += (2.0 - 2.0 * std::cos(angle)) *
                                 std::sin(angle * static_cast<double>(i)) * p(i);
                    }
                }
            }
            normals[static_cast<std::size_t>(k)] = glm::normalize(glm::cross(u, w));
        }
        limit.normals.push_back(normals);
    }
    return limit;
}

std::vector<LoopEdge> boundary_of(const std::vector<glm::uvec3>& triangles) {
    std::vector<LoopEdge> boundary;
    for (const auto& [edge, across] : edges_of(triangles))
        if (across.size() == 1) boundary.push_back(edge);
    return boundary;
}

LoopMesh tetrahedron() {
    return {.positions = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1.3}},
            .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

LoopMesh octahedron() {
    return bipyramid(4);
}

LoopMesh bipyramid(std::uint32_t sides) {
    LoopMesh mesh;
    mesh.positions = {{0.1, 1.2, 0.0}, {0.0, -0.9, 0.2}};
    for (std::uint32_t i = 0; i < sides; ++i) {
        const double angle = 2.0 * kPi * i / sides;
        mesh.positions.emplace_back(std::cos(angle) * (1.0 + 0.1 * (i % 3)), 0.1 * (i % 2),
                                    -std::sin(angle));
    }
    for (std::uint32_t i = 0; i < sides; ++i) {
        const std::uint32_t a = 2 + i;
        const std::uint32_t b = 2 + (i + 1) % sides;
        mesh.triangles.emplace_back(0, a, b);
        mesh.triangles.emplace_back(1, b, a);
    }
    return mesh;
}

LoopMesh sheet(std::uint32_t x, std::uint32_t y, double rough, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> bump(-rough, rough);
    LoopMesh mesh;
    for (std::uint32_t j = 0; j <= y; ++j)
        for (std::uint32_t i = 0; i <= x; ++i)
            mesh.positions.emplace_back(i + 0.5 * j + bump(random), bump(random), -0.8 * j);
    for (std::uint32_t j = 0; j < y; ++j)
        for (std::uint32_t i = 0; i < x; ++i) {
            const std::uint32_t a = j * (x + 1) + i;
            const std::uint32_t b = a + x + 1;
            mesh.triangles.emplace_back(a, a + 1, b);
            mesh.triangles.emplace_back(a + 1, b + 1, b);
        }
    return mesh;
}

LoopMesh torus(std::uint32_t around, std::uint32_t along, double rough, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> bump(1.0 - rough, 1.0 + rough);
    LoopMesh mesh;
    for (std::uint32_t j = 0; j < along; ++j)
        for (std::uint32_t i = 0; i < around; ++i) {
            const double u = 2.0 * kPi * i / around;
            const double v = 2.0 * kPi * j / along;
            const double tube = 0.4 * bump(random);
            const double out = 1.0 + tube * std::cos(u);
            mesh.positions.emplace_back(out * std::cos(v), tube * std::sin(u), out * std::sin(v));
        }
    const auto at = [&](std::uint32_t i, std::uint32_t j) {
        return i % around + j % along * around;
    };
    for (std::uint32_t j = 0; j < along; ++j)
        for (std::uint32_t i = 0; i < around; ++i) {
            mesh.triangles.emplace_back(at(i, j), at(i + 1, j), at(i, j + 1));
            mesh.triangles.emplace_back(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        }
    return mesh;
}

LoopMesh cube(double sharpness) {
    LoopMesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.positions.emplace_back(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.1 : -1.0);
    const std::array<std::array<std::uint32_t, 4>, 6> sides{
        {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
    for (const auto& s : sides) {
        mesh.triangles.emplace_back(s[0], s[1], s[2]);
        mesh.triangles.emplace_back(s[0], s[2], s[3]);
        for (std::size_t k = 0; k < 4; ++k)
            mesh.sharpness[LoopMesh::edge(s[k], s[(k + 1) % 4])] = sharpness;
    }
    return mesh;
}

std::map<LoopEdge, double> creases_that_end_and_meet() {
    return {{{0, 1}, 10.0},  {{1, 2}, 2.5},    {{7, 13}, 10.0}, {{13, 19}, 10.0},
            {{12, 13}, 1.5}, {{26, 27}, 0.75}, {{26, 32}, 3.0}};
}

std::map<LoopEdge, double> three_creases_that_meet() {
    return {{{7, 13}, 10.0}, {{13, 14}, 10.0}, {{13, 18}, 10.0}, {{13, 19}, 1.25}};
}

std::map<LoopEdge, double> creases_into_boundaries() {
    return {{{2, 7}, 10.0}, {{7, 12}, 10.0}, {{10, 11}, 1.25}};
}

LoopMesh random_blob(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> bump(0.8, 1.25);
    LoopMesh mesh = refined(refined(octahedron()));
    for (glm::dvec3& at : mesh.positions)
        at = glm::normalize(at) * bump(random);
    mesh.sharpness.clear();
    for (int tries = 0; tries < 60; ++tries) {
        // The edge that two triangles share is turned, where that makes no edge that is there.
        const auto edges = edges_of(mesh.triangles);
        const auto t = random() % mesh.triangles.size();
        const glm::uvec3 abc = mesh.triangles[t];
        for (std::size_t other = 0; other < mesh.triangles.size(); ++other)
            for (int k = 0; k < 3; ++k) {
                const glm::uvec3 bad = mesh.triangles[other];
                const std::uint32_t d = bad[(k + 2) % 3];
                if (bad[k] != abc.y || bad[(k + 1) % 3] != abc.x) continue;
                const auto valence = [&](std::uint32_t v) {
                    return std::ranges::count_if(edges, [&](const auto& one) {
                        return one.first.first == v || one.first.second == v;
                    });
                };
                if (edges.contains(LoopMesh::edge(abc.z, d)) || valence(abc.x) <= 3 ||
                    valence(abc.y) <= 3 || valence(abc.z) >= 12 || valence(d) >= 12)
                    continue;
                mesh.triangles[t] = {abc.z, abc.x, d};
                mesh.triangles[other] = {d, abc.y, abc.z};
                other = mesh.triangles.size() - 1;
                break;
            }
    }
    return mesh;
}

} // namespace tuff::testing_gpu
