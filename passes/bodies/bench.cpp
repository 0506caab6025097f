#include "apps/bench/checks.hpp"
#include "passes/bodies/body_list.hpp"
#include "passes/bodies/scene.hpp"
#include "passes/bodies/simulate.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace tuff::bench {
namespace {

using passes::BatchConstraints;
using passes::BatchMethod;
using passes::BodiesStatus;
using passes::BodyForces;
using passes::BodyList;
using passes::FindContacts;
using passes::FindPairs;
using passes::PairMethod;
using passes::SimulateBodies;
using passes::SolveConstraints;
using passes::SolverMethod;

constexpr float kStep = 1.0f / 60.0f;
constexpr float kDepth = 0.001f; // metres

enum class Filling : std::uint8_t {
    sheet,    ///< spheres in a hexagonal sheet: three contacts each
    boxes,    ///< towers of four boxes on a floor: a contact each
    walls,    ///< scenes 1, 3 and 4 of the chapter: walls of bricks
    terraces, ///< its second: steps of boxes, each on four
    rings,    ///< its fifth and sixth: round towers of bricks
};

/// Shapes whose contacts different kernels find.
enum class Touching : std::uint8_t {
    rods_on_boxes, ///< spheres and lying capsules, each on a box
    boxes_on_boxes,
};

struct Crowd {
    BodyList list;
    std::uint32_t pairs = 0; ///< that touch
};

/// Spheres whose boxes touch where they do themselves.
Crowd sheet(std::uint64_t pairs) {
    Crowd crowd;
    const auto side =
        static_cast<std::uint32_t>(std::max(2.0, std::sqrt(static_cast<double>(pairs) / 3.0)));
    for (std::uint32_t i = 0; i < side * side; ++i) {
        const std::uint32_t row = i / side;
        const float x = static_cast<float>(i % side) + (row % 2 != 0 ? 0.5f : 0.0f);
        crowd.list.sphere(0.5f, {.place = {0.99f * x, 0.0f, 0.8574f * static_cast<float>(row)},
                                 .velocity = {hash_unit(3 * i) - 0.5f, hash_unit(3 * i + 1) - 0.5f,
                                              hash_unit(3 * i + 2) - 0.5f}});
    }
    crowd.pairs = side * (side - 1) + (side - 1) * (2 * side - 1);
    return crowd;
}

Crowd towers(std::uint64_t bodies) {
    constexpr std::uint32_t kStoreys = 4;
    Crowd crowd;
    crowd.list.plane({});
    const auto side = static_cast<std::uint32_t>(
        std::sqrt(std::max(1.0, static_cast<double>(bodies) / kStoreys)));
    for (std::uint32_t i = 0; i < side * side; ++i)
        for (std::uint32_t k = 0; k < kStoreys; ++k)
            crowd.list.box(glm::vec3(0.5f), {.place = {1.5f * static_cast<float>(i % side),
                                                       0.499f + 0.998f * static_cast<float>(k),
                                                       1.5f * static_cast<float>(i / side)}});
    crowd.pairs = side * side * kStoreys;
    return crowd;
}

/// Boxes far from each other that do not move, with something on each that reaches 1 mm into it.
Crowd laid_on_boxes(Touching touching, std::uint64_t pairs) {
    Crowd crowd;
    const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(pairs)));
    const glm::quat lying = glm::angleAxis(1.57079633f, glm::vec3(0.0f, 0.0f, 1.0f));
    for (std::uint32_t i = 0; i < side * side; ++i) {
        const glm::vec3 place(1.5f * static_cast<float>(i % side), 0.0f,
                              1.5f * static_cast<float>(i / side));
        const auto above = [&](float height) {
            return place + glm::vec3(0.0f, 0.5f + height - kDepth, 0.0f);
        };
        crowd.list.box(glm::vec3(0.5f), {.place = place, .mass = 0.0f});
        if (touching == Touching::boxes_on_boxes)
            crowd.list.box(glm::vec3(0.25f), {.place = above(0.25f)});
        else if (i % 2 == 0)
            crowd.list.sphere(0.25f, {.place = above(0.25f)});
        else
            crowd.list.capsule(0.2f, 0.25f, {.place = above(0.2f), .turn = lying});
    }
    crowd.pairs = side * side;
    return crowd;
}

/// As many copies of a pile as have about so many pairs that touch.
Crowd piles(passes::MakeBodies scene, std::uint64_t pairs, std::uint32_t each) {
    scene.copies = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(pairs / each, 1, 1 << 16));
    Graph graph;
    Crowd crowd;
    if (auto list = passes::make_bodies(graph, scene)) crowd.list = std::move(*list);
    crowd.pairs = scene.copies * each;
    return crowd;
}

Crowd crowd_of(Filling filling, std::uint64_t size) {
    using passes::ScenePreset;
    switch (filling) {
    case Filling::sheet: return sheet(size);
    case Filling::boxes: return towers(size);
    case Filling::walls: // rows of 40 and 39
        return piles({.preset = ScenePreset::wall, .count = 40, .rows = 4, .gap = 0.006f}, size,
                     40 + 3 * 78);
    case Filling::terraces: {
        // Every sixteenth has a storey more.
        Crowd crowd = piles({.preset = ScenePreset::terrace, .count = 3}, size, 9 + 16 + 4);
        crowd.pairs += static_cast<std::uint32_t>(std::max<std::uint64_t>(size / 29, 1)) / 16 * 43;
        return crowd;
    }
    case Filling::rings: break;
    }
    return piles({.preset = ScenePreset::ring, .count = 24, .rows = 4}, size, 24 + 3 * 48);
}

/// About 16 constraints a cell whatever the size.
glm::uvec3 split_for(std::uint64_t pairs) {
    const double side = std::sqrt(static_cast<double>(pairs) / 16.0);
    const auto cells = static_cast<std::uint32_t>(std::clamp(side, 2.0, 256.0)) / 2 * 2;
    return {cells, 1, cells};
}

std::uint32_t room_for(const Crowd& crowd) {
    return crowd.pairs + crowd.pairs / 8 + 64;
}

/// A step up to its batches.
struct Prepared {
    Crowd crowd;
    BodyForces forces;
    FindPairs pairs;
    FindContacts contacts;
    BatchConstraints batches;
};

Prepared prepared(CaseBuilder& c, std::uint64_t pairs, glm::uvec3 split, BatchMethod method) {
    Prepared p{.crowd = sheet(pairs)};
    Graph& graph = c.graph();
    p.forces = graph.add(BodyForces{
        .source = p.crowd.list.upload(graph), .gravity = glm::vec3(0.0f), .margin = 0.002f});
    p.pairs = graph.add(FindPairs{
        .bodies = p.forces.bodies, .outlines = p.forces.outlines, .room = room_for(p.crowd)});
    p.contacts = graph.add(FindContacts{
        .bodies = p.forces.bodies, .outlines = p.forces.outlines, .pairs = p.pairs.pairs});
    p.batches = c.add(BatchConstraints{.bodies = p.forces.bodies,
                                       .outlines = p.forces.outlines,
                                       .contacts = p.contacts.contacts,
                                       .split = split,
                                       .method = method},
                      "batches");
    return p;
}

/// No two constraints of a batch share a body, and there are as many as there are pairs.
Verdict are_batches(CaseResults& results, const Crowd& crowd, std::uint32_t cells) {
    const auto ends = results.read<glm::uvec2>("ends");
    const auto ordered = results.read<std::uint32_t>("ordered");
    const auto batches = results.read<std::uint32_t>("ordered_batches");
    const auto ranges = results.read<glm::uvec2>("ranges");
    if (ranges.size() < cells) return std::unexpected("there are too few cells");
    std::vector<std::uint64_t> last(crowd.list.size(), ~0ull);
    std::uint64_t count = 0;
    for (std::uint32_t cell = 0; cell < cells; ++cell)
        for (std::uint32_t s = ranges[cell].x; s < ranges[cell].y; ++s, ++count) {
            const std::uint64_t mark = (std::uint64_t{cell} << 32u) | batches[s];
            for (const std::uint32_t body : {ends[ordered[s]].x, ends[ordered[s]].y}) {
                if (body >= last.size()) continue; // does not move
                if (last[body] == mark)
                    return std::unexpected(fmt::format("body {} is twice in a batch", body));
                last[body] = mark;
            }
        }
    if (count != crowd.pairs)
        return std::unexpected(fmt::format("{} constraints instead of {}", count, crowd.pairs));
    return {};
}

void batch(CaseBuilder& c, BatchMethod method) {
    const Prepared p = prepared(c, c.size(), split_for(c.size()), method);
    c.time_only("batches/");
    c.output("ends", p.batches.batches.ends);
    c.output("ordered", p.batches.batches.ordered);
    c.output("ordered_batches", p.batches.batches.ordered_batches);
    c.output("ranges", p.batches.batches.ranges);
    c.check([crowd = p.crowd, cells = p.batches.batches.cell_count()](CaseResults& results) {
        return are_batches(results, crowd, cells);
    });
}

/// Each pair has its points: one of a sphere, two of a lying capsule, the corners of a face of a
/// box; all 1 mm deep, with a normal downwards, as what does not move is the second of a pair.
Verdict are_contacts(std::span<const glm::vec4> manifolds, Touching touching, std::uint32_t pairs) {
    constexpr std::uint32_t kQuads = 6;
    if (manifolds.size() < std::size_t{kQuads} * pairs)
        return std::unexpected("there are too few contacts");
    for (std::uint32_t p = 0; p < pairs; ++p) {
        const auto manifold = manifolds.subspan(std::size_t{kQuads} * p, kQuads);
        const auto points = std::bit_cast<std::uint32_t>(manifold[0].w);
        const std::uint32_t expected = touching == Touching::boxes_on_boxes ? 4 : 1 + p % 2;
        if (points != expected)
            return std::unexpected(
                fmt::format("pair {} has {} points instead of {}", p, points, expected));
        if (std::abs(manifold[0].y + 1.0f) > 1e-4f)
            return std::unexpected(fmt::format("the normal of pair {} does not point down", p));
        for (std::uint32_t k = 1; k <= points; ++k)
            if (std::abs(manifold[k].w + kDepth) > 0.2f * kDepth)
                return std::unexpected(fmt::format("pair {} is {} m deep", p, -manifold[k].w));
    }
    return {};
}

void contacts(CaseBuilder& c, Touching touching) {
    const Crowd crowd = laid_on_boxes(touching, c.size());
    Graph& graph = c.graph();
    const BodyForces forces = graph.add(BodyForces{
        .source = crowd.list.upload(graph), .gravity = glm::vec3(0.0f), .margin = 0.002f});
    const FindPairs found = graph.add(
        FindPairs{.bodies = forces.bodies, .outlines = forces.outlines, .room = room_for(crowd)});
    const FindContacts pass = c.add(
        FindContacts{.bodies = forces.bodies, .outlines = forces.outlines, .pairs = found.pairs},
        "contacts");
    c.time_only("contacts/");
    c.check<glm::vec4>("manifolds", pass.contacts.manifolds,
                       [touching, pairs = crowd.pairs](std::span<const glm::vec4> got) {
                           return are_contacts(got, touching, pairs);
                       });
}

/// The sum of all velocities is that of before, to `most` a body, and something has been solved.
Verdict keeps_momentum(std::span<const passes::MotionRecord> got, const BodyList& list,
                       double most) {
    glm::dvec3 sum(0.0);
    double changed = 0.0;
    for (std::size_t i = 0; i < list.motions.size(); ++i) {
        sum += glm::dvec3(got[i].velocity) - glm::dvec3(list.motions[i].velocity);
        changed += static_cast<double>(glm::length(got[i].velocity - list.motions[i].velocity));
    }
    if (!(glm::length(sum) <= most * static_cast<double>(list.motions.size())))
        return std::unexpected(fmt::format("momentum has changed by {}", glm::length(sum)));
    if (list.motions.size() > 8 && changed < 1e-3 * static_cast<double>(list.motions.size()))
        return std::unexpected("nothing has been solved");
    return {};
}

void solve(CaseBuilder& c, SolverMethod method, std::uint32_t iterations,
           std::uint32_t group = 64) {
    const bool global = method == SolverMethod::global;
    const Prepared p =
        prepared(c, c.size(), global ? glm::uvec3(1) : split_for(c.size()), BatchMethod::automatic);
    c.set_cost({});
    // "avbd" keeps momentum as far as it has converged.
    const double most = method == SolverMethod::avbd ? 3e-3 : 1e-5;
    const SolveConstraints pass = c.add(
        SolveConstraints{.source = p.forces.bodies,
                         .outlines = p.forces.outlines,
                         .contacts = p.contacts.contacts,
                         .batches = p.batches.batches,
                         .solver = {.method = method, .iterations = iterations, .group = group}},
        "solve");
    c.time_only("solve/");
    c.check<passes::MotionRecord>(
        "motions", pass.bodies.motions,
        [list = p.crowd.list, most](std::span<const passes::MotionRecord> got) {
            return keeps_momentum(got, list, most);
        });
}

void pairs(CaseBuilder& c, PairMethod method) {
    const Crowd crowd = sheet(c.size());
    Graph& graph = c.graph();
    const BodyForces forces = graph.add(BodyForces{
        .source = crowd.list.upload(graph), .gravity = glm::vec3(0.0f), .margin = 0.002f});
    const FindPairs found = c.add(FindPairs{.bodies = forces.bodies,
                                            .outlines = forces.outlines,
                                            .method = method,
                                            .room = room_for(crowd)},
                                  "pairs");
    c.time_only("pairs/");
    c.check<std::uint32_t>("status", found.pairs.status,
                           [crowd](std::span<const std::uint32_t> words) -> Verdict {
                               const BodiesStatus status = BodiesStatus::read(words);
                               // Boxes of spheres in a lattice touch where the spheres do, or at
                               // edges: six neighbours.
                               if (status.pairs != crowd.pairs)
                                   return std::unexpected(fmt::format("{} pairs instead of {}",
                                                                      status.pairs, crowd.pairs));
                               return {};
                           });
}

/// By the tree of a step before, in which nobody has moved.
void pairs_again(CaseBuilder& c) {
    const Crowd crowd = sheet(c.size());
    Graph& graph = c.graph();
    const BodyForces forces = graph.add(BodyForces{
        .source = crowd.list.upload(graph), .gravity = glm::vec3(0.0f), .margin = 0.002f});
    FindPairs search{.bodies = forces.bodies,
                     .outlines = forces.outlines,
                     .method = PairMethod::tree,
                     .room = room_for(crowd)};
    const FindPairs first = graph.add(search);
    search.before = first.tree;
    search.outlines.status = first.pairs.status;
    const FindPairs found = c.add(search, "again");
    c.time_only("again/");
    c.check<std::uint32_t>(
        "status", found.pairs.status, [crowd](std::span<const std::uint32_t> words) -> Verdict {
            const BodiesStatus status = BodiesStatus::read(words);
            if (status.pairs != crowd.pairs || status.rebuilt != 0)
                return std::unexpected(fmt::format("{} pairs instead of {}, {} trees built",
                                                   status.pairs, crowd.pairs, status.rebuilt));
            return {};
        });
}

/// A whole step, over and over; bodies rest on each other or drift.
void step(CaseBuilder& c, Filling filling) {
    const Crowd crowd = crowd_of(filling, c.size());
    SimulateBodies pass{.initial = crowd.list.upload(c.graph()),
                        .gravity = filling == Filling::sheet ? glm::vec3(0.0f)
                                                             : glm::vec3(0.0f, -9.81f, 0.0f),
                        .margin = 0.002f,
                        .room = filling == Filling::rings ? 0 : room_for(crowd), // boxes about
                        // turned bricks touch more often than they do
                        .split = split_for(c.size())};
    pass.reset = true; // the same step each time
    const SimulateBodies done = c.add(pass);
    c.output("motions", done.bodies.motions);
    c.check<std::uint32_t>(
        "status", done.status, [crowd](std::span<const std::uint32_t> words) -> Verdict {
            const BodiesStatus status = BodiesStatus::read(words);
            if (status.contacts != crowd.pairs)
                return std::unexpected(
                    fmt::format("{} contacts instead of {}", status.contacts, crowd.pairs));
            if (status.lost_pairs != 0 || status.reset != 0)
                return std::unexpected("pairs were lost, or bodies are not finite");
            return {};
        });
}

} // namespace

void add_bodies_cases(CaseList& cases) {
    constexpr std::uint64_t kMaxPairs = 1 << 22;
    constexpr std::uint64_t kMaxOnSoftware = 1 << 12;
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 8,
                   .most = kMaxPairs,
                   .most_on_software = kMaxOnSoftware});
    };
    add(FindPairs::kName, "grid", [](CaseBuilder& c) { pairs(c, PairMethod::grid); });
    add(FindPairs::kName, "tree", [](CaseBuilder& c) { pairs(c, PairMethod::tree); });
    add(FindPairs::kName, "tree that is brought up to date", pairs_again);
    add(BatchConstraints::kName, "conflicts",
        [](CaseBuilder& c) { batch(c, BatchMethod::conflicts); });
    add(BatchConstraints::kName, "priority",
        [](CaseBuilder& c) { batch(c, BatchMethod::priority); });
    add(BatchConstraints::kName, "pipelined",
        [](CaseBuilder& c) { batch(c, BatchMethod::pipelined); });
    add(BatchConstraints::kName, "masks", [](CaseBuilder& c) { batch(c, BatchMethod::masks); });
    add(BatchConstraints::kName, "rounds", [](CaseBuilder& c) { batch(c, BatchMethod::rounds); });
    add(SolveConstraints::kName, "two-level 1 iteration",
        [](CaseBuilder& c) { solve(c, SolverMethod::two_level, 1); });
    add(SolveConstraints::kName, "two-level 10 iterations",
        [](CaseBuilder& c) { solve(c, SolverMethod::two_level, 10); });
    add(SolveConstraints::kName, "two-level 10 iterations by groups of 32",
        [](CaseBuilder& c) { solve(c, SolverMethod::two_level, 10, 32); });
    add(SolveConstraints::kName, "global 10 iterations",
        [](CaseBuilder& c) { solve(c, SolverMethod::global, 10); });
    add(SolveConstraints::kName, "jacobi 10 iterations",
        [](CaseBuilder& c) { solve(c, SolverMethod::jacobi, 10); });
    add(SolveConstraints::kName, "soft 4 short steps",
        [](CaseBuilder& c) { solve(c, SolverMethod::soft, 1); });
    add(SolveConstraints::kName, "avbd 10 iterations",
        [](CaseBuilder& c) { solve(c, SolverMethod::avbd, 10); });
    add(FindContacts::kName, "spheres and capsules on boxes",
        [](CaseBuilder& c) { contacts(c, Touching::rods_on_boxes); });
    add(FindContacts::kName, "boxes on boxes",
        [](CaseBuilder& c) { contacts(c, Touching::boxes_on_boxes); });
    add(SimulateBodies::kName, "step of a sheet by pairs",
        [](CaseBuilder& c) { step(c, Filling::sheet); });
    add(SimulateBodies::kName, "step of towers of boxes",
        [](CaseBuilder& c) { step(c, Filling::boxes); });
    add(SimulateBodies::kName, "step of walls by pairs",
        [](CaseBuilder& c) { step(c, Filling::walls); });
    add(SimulateBodies::kName, "step of terraces by pairs",
        [](CaseBuilder& c) { step(c, Filling::terraces); });
    add(SimulateBodies::kName, "step of round towers by pairs",
        [](CaseBuilder& c) { step(c, Filling::rings); });
}

} // namespace tuff::bench
