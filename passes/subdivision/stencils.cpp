#include "passes/subdivision/stencils.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kOpen = ~0u; ///< no half edge comes the other way

std::uint32_t half_after(std::uint32_t half) {
    return half % 3 == 2 ? half - 2 : half + 1;
}
std::uint32_t half_before(std::uint32_t half) {
    return half % 3 == 0 ? half + 2 : half - 1;
}

/// What a level takes from a sharpness, in units.
std::uint32_t after_level(std::uint32_t sharpness) {
    if (sharpness == kEndlessSharpness) return sharpness;
    return sharpness - std::min(sharpness, kSharpnessUnits);
}

/// Of a smooth vertex's neighbours, by Loop.
double neighbour_share(std::size_t valence) {
    const auto n = static_cast<double>(valence);
    const double across = 3.0 / 8.0 + 0.25 * std::cos(2.0 * std::numbers::pi / n);
    return (5.0 / 8.0 - across * across) / n;
}

/// Triangles of a level. Half edge 3 t + k leads from corner k of triangle t to the next one.
struct LevelMesh {
    std::vector<glm::uvec3> triangles;
    std::vector<std::uint32_t> twins;
    std::vector<std::uint32_t> sharpness; ///< of half edges
    std::vector<bool> fixed;              ///< vertices that stay
    std::uint32_t vertex_count = 0;

    std::uint32_t from(std::uint32_t half) const {
        return triangles[half / 3][static_cast<int>(half % 3)];
    }
    std::uint32_t halves() const { return static_cast<std::uint32_t>(twins.size()); }
    /// Whether it is the first of the two of its edge.
    bool leads(std::uint32_t half) const { return twins[half] == kOpen || half < twins[half]; }
};

LevelMesh level_of(const CageTopology& cage) {
    LevelMesh mesh;
    mesh.vertex_count = cage.vertex_count;
    mesh.fixed.assign(cage.vertex_count, false);
    for (std::uint32_t t = 0; t < cage.triangle_count; ++t) {
        const glm::uvec4 head = cage.heads[t];
        mesh.triangles.emplace_back(head.y, head.z, head.w);
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t link = cage.links[t][static_cast<int>(k)];
            mesh.twins.push_back(link == kLinkBoundary ? kOpen : 3 * (link >> 2) + (link & 3u));
            mesh.sharpness.push_back(cage.sharpness[std::size_t{k} * cage.triangle_count + t]);
            if ((head.x >> (18 + k) & 1u) != 0) mesh.fixed[head[static_cast<int>(k + 1)]] = true;
        }
    }
    return mesh;
}

struct EdgeOfVertex {
    std::uint32_t other = 0;
    std::uint32_t sharpness = 0;
};

/// The neighbours of each vertex, in the order of edges.
class Neighbourhoods {
  public:
    explicit Neighbourhoods(const LevelMesh& mesh) : begins_(mesh.vertex_count + 1, 0) {
        const auto each = [&](auto&& visit) {
            for (std::uint32_t half = 0; half < mesh.halves(); ++half) {
                if (!mesh.leads(half)) continue;
                const std::uint32_t a = mesh.from(half);
                const std::uint32_t b = mesh.from(half_after(half));
                visit(a, EdgeOfVertex{b, mesh.sharpness[half]});
                visit(b, EdgeOfVertex{a, mesh.sharpness[half]});
            }
        };
        each([&](std::uint32_t vertex, const EdgeOfVertex&) { ++begins_[vertex + 1]; });
        for (std::size_t v = 1; v < begins_.size(); ++v)
            begins_[v] += begins_[v - 1];
        edges_.resize(begins_.back());
        std::vector<std::uint32_t> at(begins_.begin(), begins_.end() - 1);
        each([&](std::uint32_t vertex, const EdgeOfVertex& edge) { edges_[at[vertex]++] = edge; });
    }
    std::span<const EdgeOfVertex> of(std::uint32_t vertex) const {
        return std::span(edges_).subspan(begins_[vertex], begins_[vertex + 1] - begins_[vertex]);
    }

  private:
    std::vector<std::uint32_t> begins_;
    std::vector<EdgeOfVertex> edges_;
};

/// A rule for a vertex: shares of itself and of the neighbours that have one.
struct VertexRule {
    double own = 1.0;
    double of_each = 0.0;
    bool only_sharp = false;
};

VertexRule rule_for(std::size_t sharp, std::size_t valence, double crease_share,
                    double smooth_share) {
    if (sharp > 2 || valence == 0) return {};
    if (sharp == 2) return {1.0 - 2.0 * crease_share, crease_share, true};
    return {1.0 - static_cast<double>(valence) * smooth_share, smooth_share, false};
}

void add_vertex(Stencils& stencils, std::uint32_t vertex, bool fixed,
                std::span<const EdgeOfVertex> edges) {
    std::size_t now = 0;
    std::size_t next = 0;
    double fading = 0.0;
    for (const EdgeOfVertex& edge : edges) {
        if (edge.sharpness == 0) continue;
        ++now;
        if (after_level(edge.sharpness) > 0)
            ++next;
        else
            fading += static_cast<double>(edge.sharpness) / kSharpnessUnits;
    }
    const double share =
        now == next ? 1.0 : std::min(fading / static_cast<double>(now - next), 1.0);
    const double smooth = edges.empty() ? 0.0 : neighbour_share(edges.size());
    VertexRule rules[2] = {rule_for(now, edges.size(), 0.125, smooth),
                           rule_for(next, edges.size(), 0.125, smooth)};
    if (fixed) rules[0] = rules[1] = {};
    stencils.add(vertex, share * rules[0].own + (1.0 - share) * rules[1].own);
    for (const EdgeOfVertex& edge : edges) {
        const bool sharp = edge.sharpness > 0;
        const bool stays = after_level(edge.sharpness) > 0;
        const double weight =
            share * (rules[0].only_sharp && !sharp ? 0.0 : rules[0].of_each) +
            (1.0 - share) * (rules[1].only_sharp && !stays ? 0.0 : rules[1].of_each);
        stencils.add(edge.other, weight);
    }
    stencils.end();
}

void add_edge(Stencils& stencils, const LevelMesh& mesh, std::uint32_t half) {
    const double sharp = std::min(static_cast<double>(mesh.sharpness[half]) / kSharpnessUnits, 1.0);
    const double end = 0.5 * sharp + 0.375 * (1.0 - sharp);
    stencils.add(mesh.from(half), end);
    stencils.add(mesh.from(half_after(half)), end);
    if (mesh.twins[half] != kOpen) {
        stencils.add(mesh.from(half_before(half)), 0.125 * (1.0 - sharp));
        stencils.add(mesh.from(half_before(mesh.twins[half])), 0.125 * (1.0 - sharp));
    }
    stencils.end();
}

LevelMesh next_level(const LevelMesh& mesh, Stencils& stencils) {
    const Neighbourhoods around(mesh);
    for (std::uint32_t v = 0; v < mesh.vertex_count; ++v)
        add_vertex(stencils, v, mesh.fixed[v], around.of(v));
    LevelMesh next;
    next.vertex_count = mesh.vertex_count;
    std::vector<std::uint32_t> middles(mesh.halves());
    for (std::uint32_t half = 0; half < mesh.halves(); ++half) {
        if (!mesh.leads(half)) continue;
        add_edge(stencils, mesh, half);
        middles[half] = next.vertex_count++;
        if (mesh.twins[half] != kOpen) middles[mesh.twins[half]] = middles[half];
    }
    next.fixed = mesh.fixed;
    next.fixed.resize(next.vertex_count, false);
    next.triangles.resize(4 * mesh.triangles.size());
    next.twins.resize(4 * mesh.twins.size());
    next.sharpness.assign(next.twins.size(), 0);
    // Child k of a triangle: corner k, the middle of its edge, the middle of the edge before; child
    // 3: the middles. Half edge 0 of child k is the first half of edge k, half edge 2 the second
    // half of the edge before.
    for (std::uint32_t half = 0; half < mesh.halves(); ++half) {
        const std::uint32_t t = half / 3;
        const std::uint32_t k = half % 3;
        const std::uint32_t before = half_before(half);
        const std::uint32_t child = 4 * t + k;
        next.triangles[child] = {mesh.from(half), middles[half], middles[before]};
        next.triangles[4 * t + 3][static_cast<int>(k)] = middles[half];
        const std::uint32_t twin = mesh.twins[half];
        const std::uint32_t twin_before = mesh.twins[before];
        const std::uint32_t end = twin == kOpen ? kOpen : half_after(twin);
        next.twins[3 * child] = end == kOpen ? kOpen : 3 * (4 * (end / 3) + end % 3) + 2;
        next.twins[3 * child + 2] =
            twin_before == kOpen ? kOpen : 3 * (4 * (twin_before / 3) + twin_before % 3);
        // Across from corner k lies the middle triangle's edge from middle k - 1 to middle k.
        const std::uint32_t inner = 3 * (4 * t + 3) + before % 3;
        next.twins[3 * child + 1] = inner;
        next.twins[inner] = 3 * child + 1;
        next.sharpness[3 * child] = after_level(mesh.sharpness[half]);
        next.sharpness[3 * child + 2] = after_level(mesh.sharpness[before]);
    }
    return next;
}

/// A vertex with its neighbours in order.
struct OrderedRing {
    std::vector<EdgeOfVertex> edges;
    bool closed = true;
};

OrderedRing ring_from(const LevelMesh& mesh, std::uint32_t first) {
    OrderedRing ring;
    // Back to a boundary, if there is one.
    std::uint32_t begin = first;
    while (mesh.twins[begin] != kOpen) {
        begin = half_after(mesh.twins[begin]);
        if (begin == first) break;
    }
    std::uint32_t half = begin;
    do {
        ring.edges.push_back({mesh.from(half_after(half)), mesh.sharpness[half]});
        const std::uint32_t last = half_before(half);
        half = mesh.twins[last];
        if (half == kOpen) {
            ring.edges.push_back({mesh.from(last), kEndlessSharpness});
            ring.closed = false;
        }
    } while (half != kOpen && half != begin);
    return ring;
}

/// Tangents across a crease, for the neighbours of one side.
std::vector<double> across_crease(std::size_t triangles) {
    std::vector<double> weights(triangles + 1, 0.0);
    if (triangles == 1) return {1.0, 1.0};
    if (triangles == 2) return {0.0, 1.0, 0.0};
    if (triangles == 3) return {-1.0, 2.0, 2.0, -1.0};
    const double angle = std::numbers::pi / static_cast<double>(triangles);
    for (std::size_t i = 1; i < triangles; ++i)
        weights[i] = (2.0 - 2.0 * std::cos(angle)) * std::sin(angle * static_cast<double>(i));
    weights.front() = weights.back() = -std::sin(angle);
    return weights;
}

struct EndOfCrease {
    double own = 0.0;
    std::vector<double> place; ///< weights of neighbours, the crease's first
    std::vector<double> along;
};

/// Where a crease ends no masks are known in closed form: a level's rules are applied to those of
/// smooth vertices until they stay what they are. Tangents across the crease are those of smooth
/// vertices.
EndOfCrease end_of_crease(std::size_t valence) {
    const double share = neighbour_share(valence);
    // What weights of the vertex and its neighbours at a level are at the level before.
    const auto before = [&](double& own, std::vector<double>& ring) {
        std::vector<double> next(valence, share * own);
        own *= 1.0 - static_cast<double>(valence) * share;
        own += 0.5 * ring[0];
        next[0] += 0.5 * ring[0];
        for (std::size_t i = 1; i < valence; ++i) {
            own += 0.375 * ring[i];
            next[i] += 0.375 * ring[i];
            next[i - 1] += 0.125 * ring[i];
            next[(i + 1) % valence] += 0.125 * ring[i];
        }
        ring = std::move(next);
    };
    EndOfCrease end;
    const double at_limit = 1.0 / (static_cast<double>(valence) + 3.0 / (8.0 * share));
    end.own = 1.0 - static_cast<double>(valence) * at_limit;
    end.place.assign(valence, at_limit);
    for (std::size_t i = 0; i < valence; ++i)
        end.along.push_back(std::cos(2.0 * std::numbers::pi * static_cast<double>(i) /
                                     static_cast<double>(valence)));
    constexpr int kLevelsOfPlace = 100;
    for (int level = 0; level < kLevelsOfPlace; ++level)
        before(end.own, end.place);
    // Symmetric all the time; the next eigenvalue is 3 % smaller for 32 neighbours.
    constexpr int kLevelsOfTangent = 1000;
    for (int level = 0; level < kLevelsOfTangent; ++level) {
        double own = -std::accumulate(end.along.begin(), end.along.end(), 0.0);
        before(own, end.along);
        for (std::size_t i = 1; 2 * i < valence; ++i)
            end.along[i] = end.along[valence - i] = 0.5 * (end.along[i] + end.along[valence - i]);
        double size = 0.0;
        for (const double weight : end.along)
            size = std::max(size, std::abs(weight));
        for (double& weight : end.along)
            weight /= size;
    }
    return end;
}

/// Three stencils: the place, and two tangents whose cross product is the normal.
void add_limit(Stencils& stencils, std::uint32_t vertex, bool fixed, const OrderedRing& ring) {
    const auto valence = ring.edges.size();
    std::vector<std::size_t> sharp;
    for (std::size_t i = 0; i < valence; ++i)
        if (ring.edges[i].sharpness > 0) sharp.push_back(i);
    const double smooth =
        valence == 0
            ? 0.0
            : 1.0 / (static_cast<double>(valence) + 3.0 / (8.0 * neighbour_share(valence)));
    const VertexRule rule =
        fixed ? VertexRule{} : rule_for(sharp.size(), valence, 1.0 / 6.0, smooth);
    const bool is_end = !fixed && sharp.size() == 1;
    const EndOfCrease last = is_end ? end_of_crease(valence) : EndOfCrease{};
    const auto from_crease = [&](std::size_t i) { return (i + valence - sharp[0]) % valence; };
    stencils.add(vertex, is_end ? last.own : rule.own);
    for (std::size_t i = 0; i < valence; ++i) {
        const EdgeOfVertex& edge = ring.edges[i];
        const double weight = rule.only_sharp && edge.sharpness == 0 ? 0.0 : rule.of_each;
        stencils.add(edge.other, is_end ? last.place[from_crease(i)] : weight);
    }
    stencils.end();

    std::vector<double> along(valence, 0.0);
    std::vector<double> across(valence, 0.0);
    if (!fixed && sharp.size() < 2) {
        for (std::size_t i = 0; i < valence; ++i) {
            const double angle = 2.0 * std::numbers::pi *
                                 static_cast<double>(is_end ? from_crease(i) : i) /
                                 static_cast<double>(valence);
            along[i] = is_end ? last.along[from_crease(i)] : std::cos(angle);
            across[i] = std::sin(angle);
        }
    } else if (valence > 1) {
        // The side that begins at the first sharp edge; of fixed vertices without one, all.
        const std::size_t begin = sharp.empty() ? 0 : sharp[0];
        const std::size_t end = sharp.size() > 1 ? sharp[1] : begin + valence - 1;
        if (!fixed && sharp.size() == 2) {
            const std::vector<double> weights = across_crease(end - begin);
            along[begin] = 1.0;
            along[end] = -1.0;
            for (std::size_t i = begin; i <= end; ++i)
                across[i] = weights[i - begin];
        } else {
            along[begin] = 1.0;
            across[end % valence] = 1.0;
        }
    }
    for (const std::vector<double>& weights : {along, across}) {
        double sum = 0.0;
        for (std::size_t i = 0; i < valence; ++i) {
            stencils.add(ring.edges[i].other, weights[i]);
            sum += weights[i];
        }
        stencils.add(vertex, -sum);
        stencils.end();
    }
}

} // namespace

void Stencils::add(std::uint32_t vertex, double weight) {
    if (weight == 0.0) return;
    vertices.push_back(vertex);
    weights.push_back(static_cast<float>(weight));
}

UniformLevels subdivide_all(const CageTopology& cage, std::uint32_t levels) {
    UniformLevels result;
    LevelMesh mesh = level_of(cage);
    result.vertex_counts.push_back(mesh.vertex_count);
    for (std::uint32_t level = 0; level < levels; ++level) {
        mesh = next_level(mesh, result.levels.emplace_back());
        result.vertex_counts.push_back(mesh.vertex_count);
    }
    std::vector<std::uint32_t> first(mesh.vertex_count, kOpen);
    for (std::uint32_t half = 0; half < mesh.halves(); ++half)
        if (first[mesh.from(half)] == kOpen) first[mesh.from(half)] = half;
    for (std::uint32_t v = 0; v < mesh.vertex_count; ++v)
        add_limit(result.limit, v, mesh.fixed[v],
                  first[v] == kOpen ? OrderedRing{} : ring_from(mesh, first[v]));
    result.triangles = std::move(mesh.triangles);
    return result;
}

} // namespace tuff::passes
