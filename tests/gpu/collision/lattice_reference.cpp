#include "tests/gpu/collision/lattice_reference.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>

namespace tuff::testing_gpu {
namespace {

__extension__ using Int128 = __int128;
using Place = std::array<std::int64_t, 3>;
using LatticeTriangle = std::array<Place, 3>;
using Axis = std::array<Int128, 3>;

struct Lattice {
    glm::vec3 middle;
    float scale;
};

glm::vec3 moved(const Rows& rows, glm::vec3 p) {
    glm::vec3 result;
    for (int i = 0; i < 3; ++i) {
        const glm::vec4 row = rows[static_cast<std::size_t>(i)];
        result[i] = ((row.x * p.x + row.y * p.y) + row.z * p.z) + row.w;
    }
    return result;
}

bool is_sound(const HostMesh& mesh, glm::uvec3 t) {
    std::array<glm::vec3, 3> p;
    for (int i = 0; i < 3; ++i) {
        if (t[i] >= mesh.positions.size()) return false;
        p[static_cast<std::size_t>(i)] = mesh.positions[t[i]];
        const glm::vec3 q = p[static_cast<std::size_t>(i)];
        if (!std::isfinite(q.x) || !std::isfinite(q.y) || !std::isfinite(q.z)) return false;
    }
    return glm::cross(p[1] - p[0], p[2] - p[0]) != glm::vec3(0.0f);
}

struct Bounds {
    glm::vec3 low{std::numeric_limits<float>::max()};
    glm::vec3 high{-std::numeric_limits<float>::max()};

    void add(glm::vec3 p) {
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
};

Bounds bounds_of(const HostMesh& mesh) {
    Bounds bounds;
    for (const glm::uvec3 t : mesh.triangles)
        if (is_sound(mesh, t))
            for (int i = 0; i < 3; ++i)
                bounds.add(mesh.positions[t[i]]);
    return bounds;
}

/// As shaders/collision/begin.comp makes it.
Lattice lattice_of(const HostMesh& a, const HostMesh& b, const Rows& rows) {
    Bounds all = bounds_of(a);
    const Bounds of_b = bounds_of(b);
    for (unsigned corner = 0; corner < 8; ++corner)
        all.add(moved(rows,
                      {corner & 1 ? of_b.high.x : of_b.low.x, corner & 2 ? of_b.high.y : of_b.low.y,
                       corner & 4 ? of_b.high.z : of_b.low.z}));
    const glm::vec3 middle = 0.5f * all.low + 0.5f * all.high;
    const glm::vec3 size = 0.5f * all.high - 0.5f * all.low;
    const float longest = std::max({size.x, size.y, size.z});
    const float scale = 0.999999f * 4194304.0f / longest;
    return {middle, std::exp2(std::floor(std::log2(scale)))};
}

LatticeTriangle on_lattice(const Lattice& lattice, const std::array<glm::vec3, 3>& corners) {
    LatticeTriangle result;
    for (std::size_t i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const float steps = (corners[i][k] - lattice.middle[k]) * lattice.scale;
            result[i][static_cast<std::size_t>(k)] =
                static_cast<std::int64_t>(std::floor(steps + 0.5f));
        }
    return result;
}

Axis difference(const Place& a, const Place& b) {
    return {Int128{a[0]} - b[0], Int128{a[1]} - b[1], Int128{a[2]} - b[2]};
}
Axis cross(const Axis& a, const Axis& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool is_zero(const Axis& a) {
    return a[0] == 0 && a[1] == 0 && a[2] == 0;
}
Int128 along(const Axis& axis, const Place& p) {
    return axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
}

/// Points and their edges: a triangle, or a segment.
struct Hull {
    std::vector<Place> points;
    std::vector<Axis> edges;
};

Hull hull_of(const LatticeTriangle& t) {
    return {{t[0], t[1], t[2]},
            {difference(t[1], t[0]), difference(t[2], t[1]), difference(t[0], t[2])}};
}

/// Whether the axis parts them; where `touching`, also where they only touch along it.
bool parts(const Axis& axis, const Hull& a, const Hull& b, bool touching) {
    if (is_zero(axis)) return false;
    const auto range = [&](const Hull& hull) {
        std::array<Int128, 2> lh{along(axis, hull.points[0]), along(axis, hull.points[0])};
        for (const Place& p : hull.points) {
            lh[0] = std::min(lh[0], along(axis, p));
            lh[1] = std::max(lh[1], along(axis, p));
        }
        return lh;
    };
    const auto [low_a, high_a] = range(a);
    const auto [low_b, high_b] = range(b);
    return touching ? high_a <= low_b || high_b <= low_a : high_a < low_b || high_b < low_a;
}

/// By all axes that can part two flat things, the first of which is a triangle.
bool hulls_meet(const Hull& a, const Hull& b, bool insides = false) {
    const Axis normal = cross(a.edges[0], a.edges[1]);
    std::vector<Axis> axes;
    if (!insides) axes.push_back(normal);
    for (const Axis& edge : a.edges)
        axes.push_back(cross(normal, edge));
    for (const Axis& edge : b.edges)
        axes.push_back(cross(normal, edge));
    if (!insides) {
        for (const Axis& e : a.edges)
            for (const Axis& f : b.edges)
                axes.push_back(cross(e, f));
        if (b.edges.size() > 1) axes.push_back(cross(b.edges[0], b.edges[1]));
    }
    return std::ranges::none_of(axes, [&](const Axis& x) { return parts(x, a, b, insides); });
}

bool has_area(const LatticeTriangle& t) {
    return !is_zero(cross(difference(t[1], t[0]), difference(t[2], t[0])));
}

bool in_one_plane(const LatticeTriangle& a, const LatticeTriangle& b) {
    const Axis normal = cross(difference(a[1], a[0]), difference(a[2], a[0]));
    return std::ranges::all_of(
        b, [&](const Place& p) { return along(normal, p) == along(normal, a[0]); });
}

Hull edge_beyond(const LatticeTriangle& t, std::size_t corner) {
    const Place& p = t[(corner + 1) % 3];
    const Place& q = t[(corner + 2) % 3];
    return {{p, q}, {difference(q, p)}};
}

bool neighbours_meet(const LatticeTriangle& a, const LatticeTriangle& b) {
    int shared = 0;
    std::size_t at_a = 0;
    std::size_t at_b = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            if (a[i] == b[j]) {
                ++shared;
                at_a = i;
                at_b = j;
            }
    if (shared == 0) return hulls_meet(hull_of(a), hull_of(b));
    if (in_one_plane(a, b)) return hulls_meet(hull_of(a), hull_of(b), true);
    if (shared > 1) return false;
    return hulls_meet(hull_of(b), edge_beyond(a, at_a)) ||
           hulls_meet(hull_of(a), edge_beyond(b, at_b));
}

struct Numbered {
    LatticeTriangle corners;
    std::uint32_t number;
    Place low;
    Place high;
};

std::vector<Numbered> lattice_triangles(const HostMesh& mesh, const Lattice& lattice,
                                        const Rows* rows) {
    std::vector<Numbered> result;
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        if (!is_sound(mesh, mesh.triangles[i])) continue;
        std::array<glm::vec3, 3> p;
        for (int k = 0; k < 3; ++k) {
            const glm::vec3 place = mesh.positions[mesh.triangles[i][k]];
            p[static_cast<std::size_t>(k)] = rows ? moved(*rows, place) : place;
        }
        Numbered t{on_lattice(lattice, p), i, {}, {}};
        if (!has_area(t.corners)) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            t.low[k] = std::min({t.corners[0][k], t.corners[1][k], t.corners[2][k]});
            t.high[k] = std::max({t.corners[0][k], t.corners[1][k], t.corners[2][k]});
        }
        result.push_back(t);
    }
    return result;
}

bool boxes_meet(const Numbered& a, const Numbered& b) {
    for (std::size_t k = 0; k < 3; ++k)
        if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
    return true;
}

constexpr Rows kNotMoved{glm::vec4(1, 0, 0, 0), glm::vec4(0, 1, 0, 0), glm::vec4(0, 0, 1, 0)};

} // namespace

void HostMesh::add(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const auto first = static_cast<std::uint32_t>(positions.size());
    positions.insert(positions.end(), {a, b, c});
    triangles.emplace_back(first, first + 1, first + 2);
}

HostMesh icosphere(std::uint32_t levels, float radius) {
    const float t = std::numbers::phi_v<float>;
    HostMesh mesh{{{-1, t, 0},
                   {1, t, 0},
                   {-1, -t, 0},
                   {1, -t, 0},
                   {0, -1, t},
                   {0, 1, t},
                   {0, -1, -t},
                   {0, 1, -t},
                   {t, 0, -1},
                   {t, 0, 1},
                   {-t, 0, -1},
                   {-t, 0, 1}},
                  {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                   {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                   {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                   {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}}};
    for (std::uint32_t level = 0; level < levels; ++level) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, added] = middles.try_emplace(
                std::minmax(a, b), static_cast<std::uint32_t>(mesh.positions.size()));
            if (added) mesh.positions.push_back(0.5f * (mesh.positions[a] + mesh.positions[b]));
            return at->second;
        };
        std::vector<glm::uvec3> cut;
        for (const glm::uvec3 f : mesh.triangles) {
            const std::uint32_t ab = middle(f.x, f.y);
            const std::uint32_t bc = middle(f.y, f.z);
            const std::uint32_t ca = middle(f.z, f.x);
            cut.insert(cut.end(), {{f.x, ab, ca}, {ab, f.y, bc}, {ca, bc, f.z}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(cut);
    }
    for (glm::vec3& p : mesh.positions)
        p = radius * glm::normalize(p);
    return mesh;
}

HostMesh torus(std::uint32_t rings, std::uint32_t sides, float radius, float thickness) {
    HostMesh mesh;
    for (std::uint32_t i = 0; i < rings; ++i)
        for (std::uint32_t j = 0; j < sides; ++j) {
            const float u = 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) /
                            static_cast<float>(rings);
            const float v = 2.0f * std::numbers::pi_v<float> * static_cast<float>(j) /
                            static_cast<float>(sides);
            const float r = radius + thickness * std::cos(v);
            mesh.positions.emplace_back(r * std::cos(u), thickness * std::sin(v), r * std::sin(u));
        }
    const auto at = [&](std::uint32_t i, std::uint32_t j) { return i % rings * sides + j % sides; };
    for (std::uint32_t i = 0; i < rings; ++i)
        for (std::uint32_t j = 0; j < sides; ++j) {
            mesh.triangles.emplace_back(at(i, j), at(i, j + 1), at(i + 1, j));
            mesh.triangles.emplace_back(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
        }
    return mesh;
}

HostMesh random_triangles(std::size_t count, std::uint32_t seed, float size) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    const auto point = [&] { return glm::vec3(unit(random), unit(random), unit(random)); };
    HostMesh mesh;
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3 middle = point();
        mesh.add(middle + size * point(), middle + size * point(), middle + size * point());
    }
    return mesh;
}

HostMesh flat_grid(std::uint32_t side, float height) {
    HostMesh mesh;
    for (std::uint32_t y = 0; y <= side; ++y)
        for (std::uint32_t x = 0; x <= side; ++x)
            mesh.positions.emplace_back(
                2.0f * static_cast<float>(x) / static_cast<float>(side) - 1.0f,
                2.0f * static_cast<float>(y) / static_cast<float>(side) - 1.0f, height);
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t corner = y * (side + 1) + x;
            mesh.triangles.emplace_back(corner, corner + 1, corner + side + 1);
            mesh.triangles.emplace_back(corner + 1, corner + side + 2, corner + side + 1);
        }
    return mesh;
}

HostMesh joined(const HostMesh& a, const HostMesh& b) {
    HostMesh mesh = a;
    const auto before = static_cast<std::uint32_t>(a.positions.size());
    mesh.positions.insert(mesh.positions.end(), b.positions.begin(), b.positions.end());
    for (const glm::uvec3 t : b.triangles)
        mesh.triangles.push_back(t + before);
    return mesh;
}

Rows relative_rows(const Placement& a, const Placement& b, bool mirror_b) {
    // Where a quaternion takes a point: p + 2 w (v x p) + 2 v x (v x p).
    const auto rotated = [](const glm::vec4& quaternion, const glm::dvec3& p) {
        const glm::dvec4 q(quaternion);
        const double size = glm::dot(q, q);
        const glm::dvec3 v(q);
        const glm::dvec3 once = glm::cross(v, p);
        return p + 2.0 / size * (q.w * once + glm::cross(v, once));
    };
    const auto back = [&](const glm::dvec3& p) {
        return rotated({-a.rotation.x, -a.rotation.y, -a.rotation.z, a.rotation.w}, p);
    };
    const glm::dvec3 apart = back(glm::dvec3(b.position) - glm::dvec3(a.position));
    std::array<glm::dvec3, 3> columns;
    for (int i = 0; i < 3; ++i) {
        glm::dvec3 axis(0.0);
        axis[i] = mirror_b && i == 0 ? -1.0 : 1.0;
        columns[static_cast<std::size_t>(i)] = back(rotated(b.rotation, axis));
    }
    Rows rows;
    for (int i = 0; i < 3; ++i)
        rows[static_cast<std::size_t>(i)] =
            glm::vec4(glm::dvec4(columns[0][i], columns[1][i], columns[2][i], apart[i]));
    return rows;
}

Pairs lattice_pairs(const HostMesh& a, const HostMesh& b, const Rows& rows) {
    const Lattice lattice = lattice_of(a, b, rows);
    const std::vector<Numbered> of_a = lattice_triangles(a, lattice, nullptr);
    const std::vector<Numbered> of_b = lattice_triangles(b, lattice, &rows);
    Pairs pairs;
    for (const Numbered& s : of_a)
        for (const Numbered& t : of_b)
            if (boxes_meet(s, t) && hulls_meet(hull_of(s.corners), hull_of(t.corners)))
                pairs.emplace_back(s.number, t.number);
    return pairs;
}

Pairs lattice_self_pairs(const HostMesh& mesh) {
    const std::vector<Numbered> all =
        lattice_triangles(mesh, lattice_of(mesh, mesh, kNotMoved), nullptr);
    Pairs pairs;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j)
            if (boxes_meet(all[i], all[j]) && neighbours_meet(all[i].corners, all[j].corners))
                pairs.emplace_back(all[i].number, all[j].number);
    return pairs;
}

double gap_of(const HostMesh& a, std::uint32_t triangle_a, const HostMesh& b,
              std::uint32_t triangle_b, const Rows& rows) {
    std::array<glm::dvec3, 3> p;
    std::array<glm::dvec3, 3> q;
    for (int i = 0; i < 3; ++i) {
        const auto at = static_cast<std::size_t>(i);
        p[at] = glm::dvec3(a.positions[a.triangles[triangle_a][i]]);
        const glm::dvec4 place(b.positions[b.triangles[triangle_b][i]], 1.0);
        q[at] = {glm::dot(glm::dvec4(rows[0]), place), glm::dot(glm::dvec4(rows[1]), place),
                 glm::dot(glm::dvec4(rows[2]), place)};
    }
    std::vector<glm::dvec3> axes{glm::cross(p[1] - p[0], p[2] - p[0]),
                                 glm::cross(q[1] - q[0], q[2] - q[0])};
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::dvec3 e = p[(i + 1) % 3] - p[i];
        const glm::dvec3 f = q[(i + 1) % 3] - q[i];
        axes.push_back(glm::cross(axes[0], e));
        axes.push_back(glm::cross(axes[1], f));
        for (std::size_t j = 0; j < 3; ++j)
            axes.push_back(glm::cross(e, q[(j + 1) % 3] - q[j]));
    }
    double gap = -std::numeric_limits<double>::max();
    for (const glm::dvec3& axis : axes) {
        const double size = glm::length(axis);
        if (!(size > 1e-12)) continue;
        std::array<double, 4> ends{1e300, -1e300, 1e300, -1e300};
        for (std::size_t i = 0; i < 3; ++i) {
            const double at_p = glm::dot(axis, p[i]) / size;
            const double at_q = glm::dot(axis, q[i]) / size;
            ends = {std::min(ends[0], at_p), std::max(ends[1], at_p), std::min(ends[2], at_q),
                    std::max(ends[3], at_q)};
        }
        gap = std::max(gap, std::max(ends[2] - ends[1], ends[0] - ends[3]));
    }
    return gap;
}

} // namespace tuff::testing_gpu
