#include "passes/bodies/batch_sizes.hpp"
#include "passes/bodies/scene.hpp"
#include "tests/gpu/bodies/bodies_test.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

/// Sets, cells and batches (checks 4 of the chapter's: validity, equality, counts, parity,
/// hazards).
namespace tuff {
namespace {

using passes::BatchConstraints;
using passes::BatchMethod;
using passes::BodyBatches;
using passes::BodyContacts;
using passes::BodyForces;
using passes::BodyList;
using passes::BodyOutlines;
using testing_gpu::Numbers;
using testing_gpu::Running;

constexpr std::uint32_t kFixed = 0x80000000u;
using Pairs = std::vector<glm::uvec2>;

/// Batches on the host.
struct Batched {
    std::vector<glm::uvec2> ends; ///< by constraint
    std::vector<std::uint32_t> order, ordered, ordered_batches, cell_batches, keys;
    std::vector<glm::uvec2> ranges;
    std::vector<std::vector<float>> sizes;           ///< by set and batch
    std::map<std::uint32_t, std::uint32_t> batch_of; ///< by constraint
    glm::uvec3 cells{1};
    std::uint32_t tail = 0;
};

class BodiesBatches : public testing_gpu::BodiesTest {
  protected:
    /// Batches of pairs of given bodies, each with a point of contact at a given place.
    Batched batched(const BodyList& list, const Pairs& pairs, const std::vector<glm::vec3>& points,
                    BatchMethod method, glm::uvec3 split, std::uint32_t group = 64,
                    std::uint32_t sized = 0) {
        Graph g = graph();
        const BodyForces forces =
            g.add(BodyForces{.source = list.upload(g), .gravity = glm::vec3(0.0f), .margin = 0.0f});
        std::vector<glm::vec4> manifolds(6 * std::max<std::size_t>(pairs.size(), 1),
                                         glm::vec4(0.0f));
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            manifolds[6 * p] = glm::vec4(0.0f, 1.0f, 0.0f, std::bit_cast<float>(1u));
            manifolds[6 * p + 1] = glm::vec4(points[p], 0.0f);
        }
        const auto constant = [&]<typename T>(std::string_view name, std::vector<T> values) {
            if (values.empty()) values.push_back(T{});
            const auto bytes = testing_gpu::bytes_of(values);
            return g.constant_buffer(name, {.size = bytes->size(), .stride = 4}, bytes);
        };
        const auto n = static_cast<std::uint32_t>(pairs.size());
        const std::uint32_t groups = std::max((n + 63) / 64, 1u);
        BodyContacts contacts{.manifolds = constant("manifolds", manifolds)};
        contacts.pairs = {.pairs = constant("pairs", pairs),
                          .offsets = constant("offsets", std::vector<std::uint32_t>(list.size())),
                          .tally = constant("tally", std::vector<std::uint32_t>{n, n, groups, 1, 1,
                                                                                groups, 1, 1}),
                          .constraints = constant("constraints", std::vector<std::uint32_t>{n}),
                          .status = forces.outlines.status,
                          .room = n};
        const BodyBatches batches = g.add(BatchConstraints{.bodies = forces.bodies,
                                                           .outlines = forces.outlines,
                                                           .contacts = contacts,
                                                           .split = split,
                                                           .method = method,
                                                           .group = group})
                                        .batches;
        return read(std::move(g), batches, n, sized);
    }
    Batched read(Graph g, const BodyBatches& batches, std::uint32_t n, std::uint32_t sized = 0) {
        g.output("ends", batches.ends);
        g.output("order", batches.order);
        g.output("keys", batches.keys);
        g.output("ordered", batches.ordered);
        g.output("ordered_batches", batches.ordered_batches);
        g.output("ranges", batches.ranges);
        g.output("cell_batches", batches.cell_batches);
        g.output("status", batches.status);
        const std::uint32_t sets = sized > 0 ? 8 : 0; // some are not there
        for (std::uint32_t set = 0; set < sets; ++set)
            g.output(fmt::format("sizes{}", set),
                     g.add(passes::BatchSizes{.batches = batches, .set = set, .most = sized},
                           fmt::format("sizes_of_{}", set))
                         .sizes);
        Running running = run(std::move(g));
        Batched b;
        if (!running) return b;
        for (std::uint32_t set = 0; set < sets; ++set)
            b.sizes.push_back(running.buffer<float>(fmt::format("sizes{}", set)));
        b.ends = running.buffer<glm::uvec2>("ends");
        b.order = running.buffer<std::uint32_t>("order");
        b.keys = running.buffer<std::uint32_t>("keys");
        b.ordered = running.buffer<std::uint32_t>("ordered");
        b.ordered_batches = running.buffer<std::uint32_t>("ordered_batches");
        b.ranges = running.buffer<glm::uvec2>("ranges");
        b.cell_batches = running.buffer<std::uint32_t>("cell_batches");
        b.tail = passes::BodiesStatus::read(running.buffer<std::uint32_t>("status")).tail;
        b.cells = batches.cells;
        b.ends.resize(n);
        for (std::uint32_t c = 0; c < batches.cell_count(); ++c)
            for (std::uint32_t s = b.ranges[c].x; s < b.ranges[c].y; ++s)
                b.batch_of[b.ordered[s]] = b.ordered_batches[s];
        return b;
    }
    /// First fit in the order of each cell.
    static std::map<std::uint32_t, std::uint32_t> first_fit(const Batched& b) {
        std::map<std::uint32_t, std::uint32_t> batch;
        for (std::uint32_t cell = 0; cell + 1 < b.ranges.size(); ++cell) {
            std::map<std::uint32_t, std::set<std::uint32_t>> used;
            for (std::uint32_t s = b.ranges[cell].x; s < b.ranges[cell].y; ++s) {
                const glm::uvec2 both = b.ends[b.order[s]];
                std::uint32_t at = 0;
                const auto has = [&](std::uint32_t body) {
                    return (body & kFixed) == 0 && used[body].contains(at);
                };
                while (has(both.x) || has(both.y))
                    ++at;
                batch[b.order[s]] = at;
                used[both.x].insert(at);
                used[both.y].insert(at);
            }
        }
        return batch;
    }
    /// What makes solving them at the same time wrong.
    static void expect_valid(const Batched& b, const std::string& what) {
        std::size_t live = 0;
        for (const glm::uvec2& both : b.ends)
            live += (both.x & both.y & kFixed) == 0 ? 1u : 0u;
        EXPECT_EQ(b.batch_of.size(), live) << what;
        std::vector<std::map<std::uint32_t, std::uint32_t>> cell_of(8); // by set and body
        for (std::uint32_t cell = 0; cell + 1 < b.ranges.size(); ++cell) {
            const std::uint32_t x = cell % b.cells.x;
            const std::uint32_t z = cell / b.cells.x % b.cells.z;
            const std::uint32_t y = cell / (b.cells.x * b.cells.z);
            const std::uint32_t set = (x & 1u) + 2 * (z & 1u) + 4 * (y & 1u);
            std::map<std::uint32_t, std::set<std::uint32_t>> used; // by batch
            std::uint32_t before = 0;
            for (std::uint32_t s = b.ranges[cell].x; s < b.ranges[cell].y; ++s) {
                const std::uint32_t batch = b.ordered_batches[s];
                ASSERT_GE(batch, before) << what;
                ASSERT_LT(batch, b.cell_batches[cell]) << what;
                before = batch;
                const glm::uvec2 both = b.ends[b.ordered[s]];
                for (const std::uint32_t body : {both.x, both.y}) {
                    if ((body & kFixed) != 0) continue;
                    ASSERT_TRUE(used[batch].insert(body).second) << what << ": batch " << batch;
                    const auto [at, is_new] = cell_of[set].emplace(body, cell);
                    ASSERT_TRUE(is_new || at->second == cell) << what << ": set " << set;
                }
            }
        }
    }
    /// Bodies that two cells of one set have.
    static std::size_t shared_within_sets(const Batched& b) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> cells;
        for (std::uint32_t cell = 0; cell + 1 < b.ranges.size(); ++cell) {
            const std::uint32_t x = cell % b.cells.x;
            const std::uint32_t z = cell / b.cells.x % b.cells.z;
            const std::uint32_t y = cell / (b.cells.x * b.cells.z);
            for (std::uint32_t s = b.ranges[cell].x; s < b.ranges[cell].y; ++s)
                for (const std::uint32_t body : {b.ends[b.ordered[s]].x, b.ends[b.ordered[s]].y})
                    if ((body & kFixed) == 0)
                        cells[{(x & 1u) + 2 * (z & 1u) + 4 * (y & 1u), body}].insert(cell);
        }
        return static_cast<std::size_t>(
            std::ranges::count_if(cells, [](const auto& each) { return each.second.size() > 1; }));
    }
    /// A random graph of bodies.
    static void random_graph(std::uint32_t seed, std::uint32_t bodies, std::uint32_t count,
                             BodyList& list, Pairs& pairs, std::vector<glm::vec3>& points) {
        Numbers numbers(seed);
        for (std::uint32_t i = 0; i < bodies; ++i)
            list.sphere(0.5f,
                        {.place = numbers.vector(-2.0f, 2.0f), .mass = i % 9 == 4 ? 0.0f : 1.0f});
        for (std::uint32_t k = 0; k < count; ++k) {
            const auto a =
                static_cast<std::uint32_t>(numbers.between(0.0f, static_cast<float>(bodies)));
            const auto b =
                static_cast<std::uint32_t>(numbers.between(0.0f, static_cast<float>(bodies)));
            pairs.emplace_back(std::min(a, bodies - 1), std::min(b, bodies - 1));
            if (pairs.back().x == pairs.back().y) pairs.back().y = (pairs.back().x + 1) % bodies;
            points.push_back(glm::vec3(list.places[pairs.back().x]));
        }
    }
};

constexpr std::array kFirstFit{BatchMethod::serial, BatchMethod::pipelined, BatchMethod::masks,
                               BatchMethod::priority, BatchMethod::conflicts};

// Check 4, equality: 16 random graphs of 100 to 520 constraints, to the number.
TEST_F(BodiesBatches, OfAllMethodsAreThoseOfFirstFit) {
    for (std::uint32_t seed = 0; seed < 16; ++seed) {
        BodyList list;
        Pairs pairs;
        std::vector<glm::vec3> points;
        random_graph(seed, 20 + 13 * seed, 100 + 28 * seed, list, pairs, points);
        for (const BatchMethod method : kFirstFit) {
            if (seed > 3 && method == BatchMethod::serial && seed % 4 != 0) continue; // slow
            const Batched b =
                batched(list, pairs, points, method, glm::uvec3(1), seed % 2 ? 32 : 128);
            const std::string what =
                fmt::format("graph {} method {}", seed, static_cast<int>(method));
            expect_valid(b, what);
            EXPECT_EQ(b.batch_of, first_fit(b)) << what;
            EXPECT_EQ(b.tail, 0u) << what;
        }
        const Batched rounds = batched(list, pairs, points, BatchMethod::rounds, glm::uvec3(1));
        expect_valid(rounds, "rounds");
    }
}

// More cells of a set than lanes, cells without constraints, and more batches than are counted.
TEST_F(BodiesBatches, SizesAreThoseOfAllCellsOfASet) {
    BodyList list;
    Pairs pairs;
    std::vector<glm::vec3> points;
    random_graph(5, 300, 900, list, pairs, points);
    for (const glm::uvec3 split : {glm::uvec3(24, 1, 24), glm::uvec3(4, 2, 2), glm::uvec3(1)}) {
        constexpr std::uint32_t kCounted = 5;
        const Batched b = batched(list, pairs, points, BatchMethod::priority, split, 64, kCounted);
        std::vector<std::vector<float>> expected(b.sizes.size(), std::vector<float>(kCounted));
        bool more = false;
        for (std::uint32_t cell = 0; cell + 1 < b.ranges.size(); ++cell) {
            const std::uint32_t x = cell % b.cells.x;
            const std::uint32_t z = cell / b.cells.x % b.cells.z;
            const std::uint32_t y = cell / (b.cells.x * b.cells.z);
            const std::uint32_t set = b.cells.x == 1 ? 0 : (x & 1u) + 2 * (z & 1u) + 4 * (y & 1u);
            for (std::uint32_t s = b.ranges[cell].x; s < b.ranges[cell].y; ++s)
                if (b.ordered_batches[s] < kCounted)
                    ++expected.at(set)[b.ordered_batches[s]];
                else
                    more = true;
        }
        EXPECT_EQ(b.sizes, expected);
        EXPECT_TRUE(more);
        const auto there = (split.x > 1 ? 2 : 1) * (split.y > 1 ? 2 : 1) * (split.z > 1 ? 2 : 1);
        EXPECT_EQ(std::ranges::count_if(b.sizes, [](const auto& set) { return set[1] > 0.0f; }),
                  there);
    }
}

// Check 4, counts: between the greatest degree and twice it less one.
TEST_F(BodiesBatches, AreNoMoreThanTwiceTheGreatestDegree) {
    BodyList list;
    Pairs pairs;
    std::vector<glm::vec3> points;
    random_graph(99, 120, 400, list, pairs, points);
    const Batched b = batched(list, pairs, points, BatchMethod::priority, glm::uvec3(1));
    std::map<std::uint32_t, std::uint32_t> degree;
    for (const auto& [c, batch] : b.batch_of)
        for (const std::uint32_t body : {b.ends[c].x, b.ends[c].y})
            if ((body & kFixed) == 0) ++degree[body];
    std::uint32_t most = 0;
    for (const auto& [body, d] : degree)
        most = std::max(most, d);
    EXPECT_GE(b.cell_batches[0], most);
    EXPECT_LE(b.cell_batches[0], 2 * most - 1);
}

// Pitfall: a body with more constraints than there are lanes, and than there are batches.
TEST_F(BodiesBatches, GoOnBeyondTheirNumberOneByOne) {
    BodyList list;
    Pairs pairs;
    std::vector<glm::vec3> points;
    list.sphere(0.5f, {});
    for (std::uint32_t i = 1; i <= 150; ++i) {
        list.sphere(0.5f, {});
        pairs.emplace_back(0, i);
        points.emplace_back(0.0f);
    }
    for (const BatchMethod method :
         {BatchMethod::serial, BatchMethod::pipelined, BatchMethod::masks, BatchMethod::priority,
          BatchMethod::rounds}) {
        const Batched b = batched(list, pairs, points, method, glm::uvec3(1));
        expect_valid(b, "star");
        ASSERT_EQ(b.cell_batches[0], 150u) << static_cast<int>(method);
        for (std::uint32_t c = 0; c < 150; ++c)
            EXPECT_EQ(b.batch_of.at(c), c);
        EXPECT_EQ(b.tail, 22u);
    }
}

// More constraints in a cell than shared memory has room for.
TEST_F(BodiesBatches, OfFullCellsAreTheSame) {
    BodyList list;
    Pairs pairs;
    std::vector<glm::vec3> points;
    random_graph(5, 600, 1500, list, pairs, points);
    const Batched reference = batched(list, pairs, points, BatchMethod::masks, glm::uvec3(1));
    expect_valid(reference, "masks");
    EXPECT_EQ(reference.batch_of, first_fit(reference));
    for (const BatchMethod method : {BatchMethod::pipelined, BatchMethod::priority})
        EXPECT_EQ(batched(list, pairs, points, method, glm::uvec3(1)).batch_of, reference.batch_of);
    expect_valid(batched(list, pairs, points, BatchMethod::rounds, glm::uvec3(1)), "rounds");
}

// Whether a cell has a constraint for each invocation, or bits for each constraint, or neither.
TEST_F(BodiesBatches, OfCellsOfEverySizeAreThoseOfFirstFit) {
    for (const std::uint32_t count : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 127u, 128u, 129u, 150u})
        for (const std::uint32_t group : {32u, 64u, 256u}) {
            BodyList list;
            Pairs pairs;
            std::vector<glm::vec3> points;
            random_graph(count, 4 + count / 2, count, list, pairs, points);
            std::ranges::fill(points, glm::vec3(-4.0f, 0.0f, 0.0f));
            // Another cell, that begins where the first one ends.
            const auto first = static_cast<std::uint32_t>(list.size());
            for (std::uint32_t i = 0; i < 6; ++i) {
                list.sphere(0.5f, {.place = {4.0f, 0.0f, 0.0f}});
                if (i == 0) continue;
                pairs.emplace_back(first + i / 2, first + i);
                points.emplace_back(4.0f, 0.0f, 0.0f);
            }
            list.low = glm::vec3(-8.0f);
            list.high = glm::vec3(8.0f);
            const Batched b =
                batched(list, pairs, points, BatchMethod::conflicts, {2, 1, 1}, group);
            const std::string what = fmt::format("{} constraints, groups of {}", count, group);
            ASSERT_EQ(b.cells, glm::uvec3(2, 1, 1));
            EXPECT_EQ(b.ranges[1].y - b.ranges[1].x, 5u) << what;
            EXPECT_EQ(b.ranges[0].y, b.ranges[1].x) << what;
            expect_valid(b, what);
            EXPECT_EQ(b.batch_of, first_fit(b)) << what;
            EXPECT_TRUE(std::is_sorted(b.order.begin(), b.order.begin() + b.ranges[0].y)) << what;
        }
}

// Few cells are scanned by one group, and more than 16,384 by many.
TEST_F(BodiesBatches, OfManyCellsAreThoseOfFirstFit) {
    for (const std::uint32_t split : {6u, 64u, 126u, 128u, 130u, 256u}) {
        BodyList list;
        Pairs pairs;
        std::vector<glm::vec3> points;
        Numbers numbers(split);
        for (std::uint32_t k = 0; k < 300; ++k) {
            const float x = numbers.between(-140.0f, 140.0f);
            const float z = numbers.between(-140.0f, 140.0f);
            const auto first = static_cast<std::uint32_t>(list.size());
            for (std::uint32_t i = 0; i <= k % 4; ++i) {
                list.sphere(0.5f, {.place = {x, 0.0f, z}});
                if (i == 0) continue;
                pairs.emplace_back(first, first + i);
                points.emplace_back(x, 0.0f, z);
            }
        }
        list.low = glm::vec3(-140.0f);
        list.high = glm::vec3(140.0f);
        const Batched b =
            batched(list, pairs, points, BatchMethod::conflicts, {split, 1, split}, 64);
        const std::string what = fmt::format("{} cells", b.cells.x * b.cells.z);
        ASSERT_EQ(b.cells, glm::uvec3(split, 1, split));
        expect_valid(b, what);
        EXPECT_EQ(b.batch_of, first_fit(b)) << what;
    }
}

// The kernel that puts them in their places has 65,536 invocations at most.
TEST_F(BodiesBatches, OfMoreConstraintsThanInvocationsAreThoseOfFirstFit) {
    BodyList list;
    Pairs pairs;
    std::vector<glm::vec3> points;
    Numbers numbers(77);
    constexpr std::uint32_t kRows = 22'001; // of four bodies
    for (std::uint32_t k = 0; k < kRows; ++k) {
        const glm::vec3 place(numbers.between(-140.0f, 140.0f), 0.0f,
                              numbers.between(-140.0f, 140.0f));
        const auto first = static_cast<std::uint32_t>(list.size());
        for (std::uint32_t i = 0; i < 4; ++i) {
            list.sphere(0.5f, {.place = place, .mass = k % 7 == 3 && i < 2 ? 0.0f : 1.0f});
            if (i == 0) continue;
            pairs.emplace_back(first + i - 1, first + i);
            points.push_back(place);
        }
    }
    list.low = glm::vec3(-140.0f);
    list.high = glm::vec3(140.0f);
    const Batched b = batched(list, pairs, points, BatchMethod::conflicts, {64, 1, 64}, 32);
    ASSERT_EQ(b.cells, glm::uvec3(64, 1, 64));
    expect_valid(b, "rows");
    EXPECT_EQ(b.batch_of, first_fit(b));
    for (std::uint32_t cell = 0; cell < 64 * 64; ++cell)
        for (std::uint32_t s = b.ranges[cell].x; s < b.ranges[cell].y; ++s)
            ASSERT_EQ(b.keys[s], cell);
}

// Check 4, validity and parity, of a scene that falls, in two and in three dimensions.
TEST_F(BodiesBatches, OfASceneShareNoBodyWithinASet) {
    for (const glm::uvec3 split :
         {glm::uvec3(8, 1, 8), glm::uvec3(64, 64, 64), glm::uvec3(7, 1, 1)})
        for (const BatchMethod method : kFirstFit) {
            if (method == BatchMethod::serial && split.y != 1) continue; // slow
            Graph g = graph();
            const auto list = passes::make_bodies(
                g, {.preset = passes::ScenePreset::grid, .count = 165, .gap = -0.6f, .seed = 3});
            ASSERT_TRUE(list);
            const passes::SimulateBodies pass = g.add(passes::SimulateBodies{
                .initial = list->upload(g), .steps = 2, .split = split, .batching = method});
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_TRUE(pass.batches.cells[axis] == 1 || pass.batches.cells[axis] % 2 == 0);
            g.output("tally", pass.contacts.pairs.tally);
            BodyBatches last = pass.batches;
            last.status = pass.status; // of the end
            const Batched b = read(std::move(g), last, pass.contacts.pairs.room);
            ASSERT_FALSE(b.ends.empty());
            EXPECT_GT(b.batch_of.size(), 100u);
            Batched live = b;
            // Beyond the tally nothing is said.
            live.ends.assign(b.ends.size(), glm::uvec2(kFixed));
            for (const auto& [c, batch] : b.batch_of)
                live.ends[c] = b.ends[c];
            expect_valid(live,
                         fmt::format("split {} method {}", split.x, static_cast<int>(method)));
            EXPECT_EQ(live.batch_of, first_fit(live));
        }
}

// The hazard of section 6: three spheres of diameter 1 at 1.0, 1.9 and 2.8. By the first body's
// place and cells of 1.01 both contacts, which share the middle one, are in cells of one set.
TEST_F(BodiesBatches, OfThreeSpheresInARowAreNotInTwoCellsOfASet) {
    BodyList list;
    list.sphere(0.5f, {.place = {1.0f, 0.0f, 0.5f}});
    list.sphere(0.5f, {.place = {2.8f, 0.0f, 0.5f}});
    list.sphere(0.5f, {.place = {1.9f, 0.0f, 0.5f}});
    // The box of bodies has a diameter about them: it begins at 0, and is eight cells of 1.01.
    list.low = glm::vec3(1.0f);
    list.high = glm::vec3(8.08f - 1.0f);
    const Pairs pairs{{0, 2}, {1, 2}};
    const std::vector<glm::vec3> by_body{{1.0f, 0.0f, 0.5f}, {2.8f, 0.0f, 0.5f}};
    const std::vector<glm::vec3> by_contact{{1.45f, 0.0f, 0.5f}, {2.35f, 0.0f, 0.5f}};
    const Batched wrong = batched(list, pairs, by_body, BatchMethod::priority, {8, 1, 8});
    ASSERT_EQ(wrong.cells.x, 8u);
    EXPECT_EQ(shared_within_sets(wrong), 1u); // so it can be told
    for (const std::uint32_t split : {2u, 4u, 6u, 8u, 64u}) {
        const Batched b =
            batched(list, pairs, by_contact, BatchMethod::priority, {split, 1, split});
        expect_valid(b, fmt::format("split {}", split));
        EXPECT_EQ(shared_within_sets(b), 0u) << split;
        EXPECT_LE(b.cells.x, 8u); // a cell holds the largest body
    }
}

TEST_F(BodiesBatches, LeaveOutWhatMovesNothing) {
    BodyList list;
    for (int i = 0; i < 4; ++i)
        list.sphere(0.5f, {.mass = i < 2 ? 0.0f : 1.0f});
    for (const BatchMethod method :
         {BatchMethod::serial, BatchMethod::pipelined, BatchMethod::masks, BatchMethod::priority,
          BatchMethod::rounds}) {
        const Batched b = batched(list, {{0, 1}, {2, 0}, {2, 3}}, std::vector<glm::vec3>(3), method,
                                  glm::uvec3(1));
        EXPECT_EQ(b.batch_of, (std::map<std::uint32_t, std::uint32_t>{{1, 0}, {2, 1}}));
    }
}

// Few constraints a cell take another kernel, whose cells may be fuller than it has room for.
TEST_F(BodiesBatches, OfSmallCellsAreTheSame) {
    for (const std::uint32_t count : {1u, 2u, 33u, 64u, 65u, 90u, 127u, 128u, 129u, 400u}) {
        BodyList list;
        Pairs pairs;
        std::vector<glm::vec3> points;
        random_graph(count, 30, count, list, pairs, points);
        // Far apart, so that there are many cells, of which one has all.
        list.box(glm::vec3(0.1f), {.place = glm::vec3(30.0f), .mass = 0.0f});
        list.box(glm::vec3(0.1f), {.place = glm::vec3(-30.0f), .mass = 0.0f});
        for (glm::vec3& point : points)
            point = glm::vec3(3.0f);
        for (const BatchMethod method : kFirstFit) {
            if (count > 90 && method == BatchMethod::serial) continue; // slow
            for (const std::uint32_t group : {32u, 64u, 256u}) {
                if (group != 64 && method != BatchMethod::conflicts) continue;
                const Batched b = batched(list, pairs, points, method, {8, 1, 8}, group);
                expect_valid(b, fmt::format("{} constraints", count));
                EXPECT_EQ(b.batch_of, first_fit(b))
                    << count << " " << static_cast<int>(method) << " " << group;
                // A cell's constraints are in the order of their indices.
                for (std::uint32_t cell = 0; cell + 1 < b.ranges.size(); ++cell)
                    EXPECT_TRUE(std::is_sorted(b.order.begin() + b.ranges[cell].x,
                                               b.order.begin() + b.ranges[cell].y))
                        << count << " " << static_cast<int>(method) << " " << group;
            }
        }
    }
}

} // namespace
} // namespace tuff
