#include "apps/bench/checks.hpp"
#include "passes/subdivision/adaptive.hpp"
#include "passes/subdivision/uniform.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

/// Closed, wavy rings that come to about as many triangles as the case has elements.
namespace tuff::bench {
namespace {

using passes::SplitCriterion;
using passes::Subdivide;

constexpr std::uint32_t kCageLevels = 3;

/// A ring of side x side vertices, each with six neighbours.
class RingCage {
  public:
    explicit RingCage(std::uint64_t triangles) {
        const std::uint64_t of_cage = triangles >> (2 * kCageLevels);
        while (2 * side_ * side_ < of_cage)
            ++side_;
    }
    std::uint64_t side() const { return side_; }
    std::uint64_t triangles() const { return 2 * side_ * side_; }

    glm::vec3 position(std::uint64_t vertex) const {
        const auto turn = static_cast<float>(2.0 * std::numbers::pi / static_cast<double>(side_));
        const float u = static_cast<float>(vertex % side_) * turn;
        const float v = static_cast<float>(vertex / side_) * turn;
        const float tube = 0.4f + 0.1f * std::sin(3.0f * u) * std::cos(2.0f * v);
        const float around = 1.0f + tube * std::cos(u);
        return {around * std::cos(v), tube * std::sin(u), around * std::sin(v)};
    }
    glm::uvec3 triangle(std::uint64_t i) const {
        const std::uint64_t x = i / 2 % side_;
        const std::uint64_t y = i / 2 / side_;
        return i % 2 == 0 ? glm::uvec3(at(x, y), at(x + 1, y), at(x, y + 1))
                          : glm::uvec3(at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
    }
    /// Where a vertex of the cage lies on the limit surface: half of itself, a twelfth of each
    /// neighbour.
    glm::dvec3 limit(std::uint64_t vertex) const {
        const std::uint64_t x = vertex % side_ + side_;
        const std::uint64_t y = vertex / side_ + side_;
        glm::dvec3 sum(0.0);
        for (const std::uint32_t neighbour : {at(x + 1, y), at(x - 1, y), at(x, y + 1),
                                              at(x, y - 1), at(x + 1, y - 1), at(x - 1, y + 1)})
            sum += glm::dvec3(position(neighbour));
        return 0.5 * glm::dvec3(position(vertex)) + sum / 12.0;
    }
    passes::Cage cage(CaseBuilder& c) const {
        passes::MakeCage pass;
        pass.positions = c.input<glm::vec3>("positions", side_ * side_, [&](std::uint64_t i) {
                              return position(i);
                          }).buffer;
        pass.indices = c.input<glm::uvec3>("indices", triangles(), [&](std::uint64_t i) {
                            return triangle(i);
                        }).buffer;
        return c.add(pass).cage;
    }

  private:
    std::uint32_t at(std::uint64_t x, std::uint64_t y) const {
        return static_cast<std::uint32_t>(x % side_ + y % side_ * side_);
    }
    std::uint64_t side_ = 4;
};

/// The surface is closed, has one handle, and has the cage's vertices where they go to.
Verdict is_ring(const RingCage& cage, std::span<const glm::uvec3> triangles,
                std::span<const glm::vec3> positions, std::uint64_t vertices) {
    // A handle: as many triangles as two a vertex.
    if (triangles.size() != 2 * vertices)
        return std::unexpected(
            fmt::format("{} triangles with {} vertices", triangles.size(), vertices));
    std::vector<std::uint64_t> edges;
    for (const glm::uvec3& t : triangles)
        for (int k = 0; k < 3; ++k)
            edges.push_back(std::uint64_t{t[k]} << 32 | t[(k + 1) % 3]);
    std::ranges::sort(edges);
    if (std::ranges::adjacent_find(edges) != edges.end())
        return std::unexpected("an edge is met twice from one side");
    for (const std::uint64_t edge : edges)
        if (!std::ranges::binary_search(edges, edge << 32 | edge >> 32))
            return std::unexpected("an edge is open");
    for (std::uint64_t v = 0; v < cage.side() * cage.side(); ++v)
        if (!(glm::distance(glm::dvec3(positions[v]), cage.limit(v)) < 2e-6))
            return std::unexpected(fmt::format("vertex {} is not at its limit", v));
    return {};
}

/// All triangles are split, or only some.
Verdict is_adaptive_ring(const RingCage& cage, CaseResults& results, bool all_split) {
    const auto status = passes::SubdivisionStatus::read(results.read<std::uint32_t>("status"));
    const std::vector<glm::uvec3> triangles = results.read<glm::uvec3>("indices");
    if (status.triangles > triangles.size()) return std::unexpected("more triangles than room");
    results.set_remark(fmt::format("{} triangles", status.triangles));
    if (status.stopped > 0) return std::unexpected("a level found no room");
    if (all_split && status.triangles != cage.triangles() << (2 * kCageLevels))
        return std::unexpected(fmt::format("{} triangles", status.triangles));
    return is_ring(cage, std::span(triangles).first(status.triangles),
                   results.read<glm::vec3>("positions"), status.vertices);
}

void uniform_ring(CaseBuilder& c) {
    const RingCage cage(c.size());
    const passes::SubdivideUniformly added =
        c.add(passes::SubdivideUniformly{.cage = cage.cage(c), .levels = kCageLevels}, "split");
    c.time_only("split/");
    Graph& graph = c.graph();
    c.output("indices", graph.copy(added.mesh.indices,
                                   graph.buffer("copy", graph.desc(added.mesh.indices)), "copy"));
    c.output("positions", added.mesh.positions);
    c.check([cage](CaseResults& results) {
        const std::vector<glm::vec3> positions = results.read<glm::vec3>("positions");
        return is_ring(cage, results.read<glm::uvec3>("indices"), positions, positions.size());
    });
}

void adaptive_ring(CaseBuilder& c, Subdivide pass) {
    const RingCage cage(c.size());
    pass.cage = cage.cage(c);
    const bool all_split = pass.criterion == SplitCriterion::depth;
    pass.most_triangles = static_cast<std::uint32_t>(cage.triangles() << (2 * kCageLevels));
    const Subdivide added = c.add(pass, "split");
    c.time_only("split/");
    c.output("status", added.status);
    c.output("indices", added.mesh.indices);
    c.output("positions", added.mesh.positions);
    c.check([cage, all_split](CaseResults& results) {
        return is_adaptive_ring(cage, results, all_split);
    });
}

} // namespace

void add_subdivision_cases(CaseList& cases) {
    const auto add = [&](std::string name, Subdivide pass) {
        cases.add({.pass = std::string(Subdivide::kName),
                   .name = std::move(name),
                   .build = [pass](CaseBuilder& c) { adaptive_ring(c, pass); },
                   .least = 1u << 11,
                   .most = 1u << 24});
    };
    add("ring: all", {.criterion = SplitCriterion::depth, .levels = kCageLevels});
    add("ring: by angles", {.criterion = SplitCriterion::angle,
                            .levels = kCageLevels,
                            .least_level = 0,
                            .angle = 4.0f});
    cases.add({.pass = std::string(passes::SubdivideUniformly::kName),
               .name = "ring",
               .build = uniform_ring,
               .least = 1u << 11,
               .most = 1u << 22});
    Subdivide seen{.criterion = SplitCriterion::edges, .levels = kCageLevels, .least_level = 0};
    seen.camera.mode = passes::CameraMode::free;
    seen.camera.position = {0.0f, 1.5f, 2.0f};
    seen.camera.near_plane = 0.1f;
    seen.camera.far_plane = 10.0f;
    seen.pixels = 4.0f;
    add("ring: by edges on the screen", seen);
    seen.join = passes::LevelJoin::balanced;
    add("ring: by edges on the screen and balanced", seen);
}

} // namespace tuff::bench
