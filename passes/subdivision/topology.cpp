#include "passes/subdivision/topology.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kNoTwin = ~0u;
constexpr std::uint32_t kNoVertex = ~0u; ///< beyond a boundary

/// A neighbour in a ring, and how sharp the edge to it is.
struct Spoke {
    std::uint32_t vertex = kNoVertex;
    std::uint32_t sharpness = 0;
};

std::uint32_t next_of(std::uint32_t half) {
    return half % 3 == 2 ? half - 2 : half + 1;
}
std::uint32_t previous_of(std::uint32_t half) {
    return half % 3 == 0 ? half + 2 : half - 1;
}

std::uint32_t sharpness_units(float sharpness) {
    if (!(sharpness > 0.0f)) return 0;
    if (sharpness >= kInfinitelySharp) return kEndlessSharpness;
    return static_cast<std::uint32_t>(std::lround(sharpness * float{kSharpnessUnits}));
}

/// Half edge 3 t + k leads from corner k of triangle t to the next one.
class Analysis {
  public:
    Analysis(const CageFaces& cage, const CreaseRules& rules) : cage_(cage), rules_(rules) {
        result_.vertex_count = cage.vertex_count;
    }

    Result<CageTopology> run() {
        keep_triangles();
        if (errors_.empty()) find_twins();
        if (errors_.empty()) find_sharpness();
        if (errors_.empty()) find_rings();
        if (!errors_.empty()) return std::unexpected(std::move(errors_));
        write_records();
        return std::move(result_);
    }

  private:
    std::uint32_t from(std::uint32_t half) const {
        return triangles_[half / 3][static_cast<int>(half % 3)];
    }
    std::uint32_t to(std::uint32_t half) const { return from(next_of(half)); }
    static std::uint64_t key(std::uint32_t a, std::uint32_t b) {
        return std::uint64_t{a} << 32 | b;
    }
    std::string place(std::uint32_t vertex) const {
        if (cage_.positions.empty()) return fmt::format("{}", vertex);
        const glm::vec3 p = cage_.positions[vertex];
        return fmt::format("{} at ({:.4g}, {:.4g}, {:.4g})", vertex, p.x, p.y, p.z);
    }
    void refuse(std::string code, std::string message, std::string hint) {
        errors_.push_back({.code = std::move(code),
                           .severity = Severity::error,
                           .message = std::move(message),
                           .where = {},
                           .hint = std::move(hint)});
    }

    void keep_triangles() {
        for (std::size_t i = 0; i < cage_.triangles.size(); ++i) {
            const glm::uvec3 t = cage_.triangles[i];
            for (int k = 0; k < 3; ++k)
                if (t[k] >= cage_.vertex_count) {
                    refuse("subdivision/bad-index",
                           fmt::format("triangle {} has a corner at vertex {}, but there are {}", i,
                                       t[k], cage_.vertex_count),
                           "fix the cage's indices");
                    return;
                }
            if (t.x == t.y || t.y == t.z || t.z == t.x)
                ++result_.dropped;
            else {
                triangles_.push_back(t);
                numbers_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        result_.triangle_count = static_cast<std::uint32_t>(triangles_.size());
    }

    std::optional<std::uint32_t> half_of(std::uint32_t a, std::uint32_t b) const {
        const auto at = std::ranges::lower_bound(sorted_, key(a, b), {}, &Keyed::first);
        if (at == sorted_.end() || at->first != key(a, b)) return {};
        return at->second;
    }

    void find_twins() {
        const std::uint32_t halves = 3 * result_.triangle_count;
        for (std::uint32_t half = 0; half < halves; ++half)
            sorted_.emplace_back(key(from(half), to(half)), half);
        std::ranges::sort(sorted_);
        for (std::size_t i = 1; i < sorted_.size(); ++i)
            if (sorted_[i].first == sorted_[i - 1].first) {
                const std::uint32_t half = sorted_[i].second;
                refuse("subdivision/non-manifold",
                       fmt::format("triangles {} and {} both have an edge from vertex {} to "
                                   "{}: either more than two triangles share it, or one has "
                                   "the opposite orientation",
                                   numbers_[sorted_[i - 1].second / 3], numbers_[half / 3],
                                   place(from(half)), place(to(half))),
                       "split the surface at the edge, or reverse one of the triangles");
                return;
            }
        twins_.resize(halves, kNoTwin);
        for (std::uint32_t half = 0; half < halves; ++half) {
            twins_[half] = half_of(to(half), from(half)).value_or(kNoTwin);
            if (twins_[half] == kNoTwin) ++result_.boundary_edges;
        }
    }

    void set_sharpness(std::uint32_t half, std::uint32_t units) {
        const std::uint32_t twin = twins_[half];
        if (twin == kNoTwin) return; // boundaries are
        if (sharpness_[half] == 0 && units > 0) ++result_.crease_edges;
        if (sharpness_[half] > 0 && units == 0) --result_.crease_edges;
        sharpness_[half] = units;
        sharpness_[twin] = units;
    }

    glm::dvec3 normal(std::uint32_t triangle) const {
        const glm::uvec3 t = triangles_[triangle];
        const glm::dvec3 a(cage_.positions[t.x]);
        const glm::dvec3 n =
            glm::cross(glm::dvec3(cage_.positions[t.y]) - a, glm::dvec3(cage_.positions[t.z]) - a);
        const double size = glm::length(n);
        return size > 0.0 ? n / size : glm::dvec3(0.0);
    }

    void find_sharpness() {
        sharpness_.assign(twins_.size(), 0);
        for (std::uint32_t half = 0; half < twins_.size(); ++half)
            if (twins_[half] == kNoTwin) sharpness_[half] = kEndlessSharpness;
        if (rules_.angle > 0.0f && !cage_.positions.empty()) {
            const double least = std::cos(glm::radians(static_cast<double>(rules_.angle)));
            for (std::uint32_t half = 0; half < twins_.size(); ++half) {
                if (twins_[half] == kNoTwin || twins_[half] < half) continue;
                const glm::dvec3 a = normal(half / 3);
                const glm::dvec3 b = normal(twins_[half] / 3);
                if (a == glm::dvec3(0.0) || b == glm::dvec3(0.0)) continue; // they have none
                if (glm::dot(a, b) < least)
                    set_sharpness(half, sharpness_units(rules_.angle_sharpness));
            }
        }
        for (const CageCrease& crease : rules_.creases) {
            std::optional<std::uint32_t> half = half_of(crease.from, crease.to);
            if (!half) half = half_of(crease.to, crease.from);
            if (!half) {
                refuse("subdivision/no-edge",
                       fmt::format("\"creases\" lists an edge from vertex {} to {}, which the "
                                   "cage does not have",
                                   crease.from, crease.to),
                       "give the two vertices of an edge");
                return;
            }
            set_sharpness(*half, sharpness_units(crease.sharpness));
        }
    }

    /// The half edge from the same vertex that follows counter-clockwise.
    std::uint32_t turned(std::uint32_t half) const { return twins_[previous_of(half)]; }

    void find_rings() {
        std::vector<std::uint32_t> first(result_.vertex_count, kNoTwin);
        std::vector<std::uint32_t> triangles(result_.vertex_count, 0);
        for (std::uint32_t half = 0; half < twins_.size(); ++half) {
            const std::uint32_t vertex = from(half);
            ++triangles[vertex];
            if (first[vertex] == kNoTwin || twins_[half] == kNoTwin) first[vertex] = half;
        }
        ring_of_.assign(result_.vertex_count + 1, 0);
        place_in_ring_.assign(twins_.size(), 0);
        boundary_.assign(result_.vertex_count, false);
        single_.assign(result_.vertex_count, false);
        for (std::uint32_t vertex = 0; vertex < result_.vertex_count; ++vertex) {
            if (first[vertex] != kNoTwin) add_ring(vertex, first[vertex], triangles[vertex]);
            if (!errors_.empty()) return;
            ring_of_[vertex + 1] = static_cast<std::uint32_t>(spokes_.size());
        }
    }

    void add_ring(std::uint32_t vertex, std::uint32_t first, std::uint32_t triangles) {
        const auto begin = static_cast<std::uint32_t>(spokes_.size());
        std::uint32_t half = first;
        std::uint32_t met = 0;
        do {
            place_in_ring_[half] = static_cast<std::uint32_t>(spokes_.size()) - begin;
            spokes_.push_back({to(half), sharpness_[half]});
            ++met;
            const std::uint32_t last = previous_of(half);
            half = turned(half);
            if (half == kNoTwin) {
                spokes_.push_back({from(last), kEndlessSharpness});
                spokes_.insert(spokes_.end(), 2, Spoke{});
                boundary_[vertex] = true;
            }
        } while (half != kNoTwin && half != first && met <= triangles);
        single_[vertex] = boundary_[vertex] && triangles == 1;
        const auto valence = static_cast<std::uint32_t>(spokes_.size()) - begin;
        if (met != triangles)
            refuse("subdivision/non-manifold",
                   fmt::format("two sheets of the cage meet only at vertex {}", place(vertex)),
                   "duplicate the vertex, so that each sheet has its own");
        else if (valence < 3 || valence > kMaxCageValence)
            refuse("subdivision/valence",
                   fmt::format("vertex {} has {} neighbours", place(vertex),
                               valence - (boundary_[vertex] ? 2 : 0)),
                   fmt::format("change the cage: a vertex may have 3 to {} neighbours, at a "
                               "boundary at most {}",
                               kMaxCageValence, kMaxCageValence - 2));
        result_.max_valence = std::max(result_.max_valence, valence);
    }

    std::uint32_t valence(std::uint32_t vertex) const {
        return ring_of_[vertex + 1] - ring_of_[vertex];
    }
    /// Neighbour `k` of the vertex that `half` leaves, counter-clockwise from where it leads.
    Spoke spoke(std::uint32_t half, std::uint32_t k) const {
        const std::uint32_t vertex = from(half);
        return spokes_[ring_of_[vertex] + (place_in_ring_[half] + k) % valence(vertex)];
    }

    static std::uint32_t ring_length(glm::uvec3 valences) {
        return std::max(valences.x + valences.y + valences.z, 10u) - 9u;
    }

    void write_records() {
        const std::uint32_t count = result_.triangle_count;
        const auto valences = [&](std::uint32_t t) {
            const glm::uvec3 corners = triangles_[t];
            return glm::uvec3(valence(corners.x), valence(corners.y), valence(corners.z));
        };
        for (std::uint32_t t = 0; t < count; ++t)
            result_.ring_slots = std::max(result_.ring_slots, ring_length(valences(t)));
        result_.rings.assign(std::size_t{result_.ring_slots} * count, 0);
        result_.sharpness.assign(std::size_t{result_.ring_slots + 3} * count, 0);
        result_.sources.assign(result_.vertex_count, ~0u);
        for (std::uint32_t t = 0; t < count; ++t) {
            const glm::uvec3 corners = triangles_[t];
            const glm::uvec3 n = valences(t);
            std::uint32_t head = n.x | n.y << 6 | n.z << 12;
            glm::uvec4 link(0, 0, 0, numbers_[t]);
            for (std::uint32_t k = 0; k < 3; ++k) {
                const std::uint32_t half = 3 * t + k;
                const std::uint32_t vertex = from(half);
                const std::uint32_t twin = twins_[half];
                if (rules_.sharp_corners && single_[vertex]) head |= 1u << (18 + k);
                if (boundary_[vertex]) head |= 1u << (21 + k);
                link[static_cast<int>(k)] =
                    twin == kNoTwin ? kLinkBoundary : 4 * (twin / 3) + twin % 3;
                result_.sharpness[std::size_t{k} * count + t] = sharpness_[half];
                if (result_.sources[vertex] == ~0u) result_.sources[vertex] = 4 * t + k;
                write_fan(t, k, n);
            }
            result_.heads.emplace_back(head, corners.x, corners.y, corners.z);
            result_.links.push_back(link);
        }
    }

    /// Neighbours of corner k of triangle t that are no corners.
    void write_fan(std::uint32_t t, std::uint32_t k, glm::uvec3 n) {
        const std::array<std::uint32_t, 3> first{0, n.x - 3, n.x + n.y - 6};
        const std::uint32_t length = ring_length(n);
        const std::size_t count = result_.triangle_count;
        for (std::uint32_t i = 2; i < n[static_cast<int>(k)]; ++i) {
            const Spoke at = spoke(3 * t + k, i);
            const std::uint32_t slot = (first[k] + i - 2) % length;
            // What lies beyond a boundary weighs nothing.
            result_.rings[slot * count + t] = at.vertex == kNoVertex ? triangles_[t].x : at.vertex;
            result_.sharpness[(slot + 3) * count + t] |= at.sharpness << (10 * k);
        }
    }

    using Keyed = std::pair<std::uint64_t, std::uint32_t>;

    const CageFaces& cage_;
    const CreaseRules& rules_;
    CageTopology result_;
    Diagnostics errors_;
    std::vector<glm::uvec3> triangles_;  ///< that are kept
    std::vector<std::uint32_t> numbers_; ///< which of the cage's they are
    std::vector<Keyed> sorted_;
    std::vector<std::uint32_t> twins_;
    std::vector<std::uint32_t> sharpness_; ///< of half edges
    std::vector<Spoke> spokes_;            ///< of all vertices, counter-clockwise
    std::vector<std::uint32_t> ring_of_;   ///< where a vertex's spokes begin
    std::vector<std::uint32_t> place_in_ring_;
    std::vector<bool> boundary_;
    std::vector<bool> single_;
};

} // namespace

Result<CageTopology> analyse_cage(const CageFaces& cage, const CreaseRules& rules) {
    return Analysis(cage, rules).run();
}

} // namespace tuff::passes
