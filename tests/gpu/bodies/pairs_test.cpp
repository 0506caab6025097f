#include "tests/gpu/bodies/bodies_test.hpp"

#include <tuff/graph_runner.hpp>

#include <glm/common.hpp>

#include <algorithm>
#include <set>

/// Which boxes touch.
namespace tuff {
namespace {

using passes::BodyForces;
using passes::BodyList;
using passes::FindPairs;
using passes::PairMethod;
using testing_gpu::Numbers;
using testing_gpu::Running;

using PairList = std::vector<glm::uvec2>;

class BodiesPairs : public testing_gpu::BodiesTest {
  protected:
    PairList found(const BodyList& list, PairMethod method, std::uint32_t room = 0,
                   float margin = 0.05f) {
        Graph g = graph();
        const BodyForces forces = g.add(
            BodyForces{.source = list.upload(g), .gravity = glm::vec3(0.0f), .margin = margin});
        const passes::BodyPairs pairs = g.add(FindPairs{.bodies = forces.bodies,
                                                        .outlines = forces.outlines,
                                                        .method = method,
                                                        .room = room})
                                            .pairs;
        g.output("pairs", pairs.pairs);
        g.output("tally", pairs.tally);
        g.output("status", pairs.status);
        g.output("boxes", forces.outlines.boxes);
        Running running = run(std::move(g));
        if (!running) return {};
        PairList all = running.buffer<glm::uvec2>("pairs");
        all.resize(std::min<std::size_t>(running.buffer<std::uint32_t>("tally")[0], all.size()));
        boxes_ = running.buffer<glm::vec4>("boxes");
        status_ = passes::BodiesStatus::read(running.buffer<std::uint32_t>("status"));
        return all;
    }
    /// All pairs of the boxes that the device has made.
    PairList expected(const BodyList& list) const {
        PairList pairs;
        const auto moves = [&](std::uint32_t i) { return list.places[i].w > 0.0f; };
        for (std::uint32_t i = 0; i < list.size(); ++i)
            for (std::uint32_t j = 0; j < list.size(); ++j) {
                if (i == j || !moves(i) || (moves(j) && j < i)) continue;
                bool touch = true;
                for (int axis = 0; axis < 3; ++axis)
                    touch = touch && boxes_[2 * i][axis] <= boxes_[2 * j + 1][axis] &&
                            boxes_[2 * j][axis] <= boxes_[2 * i + 1][axis];
                if (touch) pairs.emplace_back(i, j);
            }
        return pairs;
    }
    static BodyList crowd(std::uint32_t count, std::uint32_t seed) {
        Numbers numbers(seed);
        BodyList list;
        list.plane({});
        list.box(glm::vec3(6.0f, 0.3f, 6.0f), {.place = {0.0f, 2.0f, 0.0f}, .mass = 0.0f});
        const float side = std::cbrt(static_cast<float>(count)) * 0.7f;
        for (std::uint32_t i = 0; i < count; ++i) {
            passes::BodyStart start{.place = numbers.vector(-side, side), .turn = numbers.turn()};
            start.mass = i % 7 == 3 ? 0.0f : 1.0f;
            if (i % 3 == 0)
                list.sphere(numbers.between(0.2f, 0.5f), start);
            else if (i % 3 == 1)
                list.box(numbers.vector(0.2f, 0.5f), start);
            else
                list.capsule(0.2f, numbers.between(0.1f, 0.6f), start);
        }
        return list;
    }

    std::vector<glm::vec4> boxes_;
    passes::BodiesStatus status_;
};

TEST_F(BodiesPairs, AreThoseOfAllBoxesWhateverTheMethod) {
    for (const std::uint32_t count : {0u, 1u, 2u, 60u, 700u}) {
        const BodyList list = crowd(count, count + 1);
        const PairList all = found(list, PairMethod::all);
        EXPECT_EQ(all, expected(list)) << count;
        EXPECT_EQ(found(list, PairMethod::grid), all) << count;
        EXPECT_EQ(found(list, PairMethod::tree), all) << count;
        EXPECT_TRUE(count < 60 || all.size() > 20) << count;
    }
}

TEST_F(BodiesPairs, AreFoundFarOutsideTheBox) {
    BodyList list = crowd(50, 3);
    list.places[10] = glm::vec4(1000.0f, 50.0f, -700.0f, 1.0f);
    list.places[11] = glm::vec4(1000.2f, 50.0f, -700.1f, 1.0f);
    const PairList all = found(list, PairMethod::all);
    EXPECT_EQ(found(list, PairMethod::grid), all);
    EXPECT_EQ(found(list, PairMethod::tree), all);
    EXPECT_NE(std::ranges::find(all, glm::uvec2(10, 11)), all.end());
}

TEST_F(BodiesPairs, ThatHaveNoRoomAreCountedAndTheOthersAreThere) {
    const BodyList list = crowd(200, 5);
    const PairList all = found(list, PairMethod::grid);
    ASSERT_GT(all.size(), 40u);
    const PairList few = found(list, PairMethod::grid, 40);
    ASSERT_EQ(few.size(), 40u);
    EXPECT_TRUE(std::equal(few.begin(), few.begin() + 30, all.begin()));
    EXPECT_EQ(status_.pairs, all.size());
    EXPECT_EQ(status_.lost_pairs, all.size() - 40);
    ASSERT_EQ(status_.warnings().size(), 1u);
    EXPECT_EQ(status_.warnings()[0].code, "bodies/lost-pairs");
    ASSERT_EQ(status_.pool_needs().size(), 1u);
    EXPECT_EQ(status_.pool_needs()[0].elements, all.size());
}

// Bad input: 40 balls in one place have more pairs than there is room for at first. Programs that
// run frames build the graph with more room, and nothing is lost any more.
TEST_F(BodiesPairs, GetMoreRoomWhereTheyHadTooLittle) {
    BodyList list;
    for (int i = 0; i < 40; ++i)
        list.sphere(0.5f, {.place = {0.01f * static_cast<float>(i), 0.0f, 0.0f}});
    GraphRunner runner(device());
    std::vector<Diagnostics> told;
    std::vector<std::uint32_t> lost;
    for (int frame = 0; frame < 3; ++frame) {
        const auto grown = runner.grow_pools();
        ASSERT_TRUE(grown);
        told.push_back(*grown);
        if (frame == 0 || !grown->empty()) {
            Graph g = graph();
            g.set_pools(runner.pools());
            Simulate pass = few();
            pass.initial = list.upload(g);
            g.output("status", g.add(pass, "fall").status);
            const auto taken = runner.take(std::move(g).finish(), shaders());
            ASSERT_TRUE(taken) << to_string(taken.error());
        }
        ASSERT_TRUE(runner.executor()->execute());
        const auto warnings = runner.executor()->warnings();
        ASSERT_TRUE(warnings);
        const auto words = runner.executor()->read_buffer("status");
        ASSERT_TRUE(words);
        const auto* first = reinterpret_cast<const std::uint32_t*>(words->data());
        lost.push_back(
            passes::BodiesStatus::read(std::span(first, sizeof(passes::BodiesStatus) / 4))
                .lost_pairs);
        EXPECT_EQ(std::ranges::count(*warnings, "bodies/lost-pairs", &Diagnostic::code),
                  frame == 0 ? 1 : 0);
    }
    EXPECT_EQ(lost, (std::vector<std::uint32_t>{780 - 320, 0, 0}));
    ASSERT_EQ(told[1].size(), 1u);
    EXPECT_EQ(told[1][0].code, "graph/pool-grown");
    EXPECT_TRUE(told[2].empty());
}

// The tree of the step before gets new boxes while bodies move little, and another one is built
// where they move much: the states are those of all pairs, to the bit.
TEST_F(BodiesPairs, OfATreeThatIsBroughtUpToDateAreTheSame) {
    for (const float speed : {0.5f, 30.0f}) {
        BodyList list;
        Numbers numbers(31);
        list.plane({});
        for (int i = 0; i < 125; ++i)
            list.sphere(0.3f, {.place = glm::vec3(0.0f, 1.0f, 0.0f) +
                                        0.615f * glm::vec3(i % 5, i / 25, i / 5 % 5),
                               .velocity = numbers.vector(-speed, speed)});
        Simulate pass = few(8);
        pass.gravity = glm::vec3(0.0f);
        const testing_gpu::BodyState all = simulated(list, pass, 3);
        pass.pairs = PairMethod::tree;
        const testing_gpu::BodyState by_tree = simulated(list, pass, 3);
        ASSERT_EQ(by_tree.places.size(), list.size());
        EXPECT_GT(by_tree.status.contacts, speed < 1.0f ? 20u : 0u);
        EXPECT_EQ(by_tree.places, all.places) << speed;
        EXPECT_EQ(by_tree.turns, all.turns) << speed;
        // Counts are those of the last execution: eight steps.
        EXPECT_EQ(by_tree.status.rebuilt == 0, speed < 1.0f) << by_tree.status.rebuilt;
        EXPECT_LT(by_tree.status.rebuilt, 8u);
    }
}

// Bad input: boxes without height, lines and points, which have no triangle with an area or just
// one way to have it.
TEST_F(BodiesPairs, OfBoxesWithoutAnExtentAreTheSame) {
    const glm::vec3 sizes[] = {{0.5f, 0.0f, 0.4f}, {0.0f, 0.4f, 0.5f}, {0.4f, 0.5f, 0.0f},
                               {0.8f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.8f}, {0.0f, 0.0f, 0.0f}};
    Numbers numbers(8);
    BodyList list;
    for (std::uint32_t i = 0; i < 150; ++i) {
        // On a lattice, where what has no extent meets.
        const glm::vec3 place = glm::floor(numbers.vector(-2.0f, 3.0f));
        list.box(sizes[i % 6], {.place = place});
    }
    const PairList all = found(list, PairMethod::all, 0, 0.0f);
    EXPECT_EQ(all, expected(list));
    for (std::uint32_t kind = 0; kind < 6; ++kind)
        EXPECT_GT(std::ranges::count_if(all, [&](glm::uvec2 p) { return p.x % 6 == kind; }), 2)
            << kind;
    EXPECT_EQ(found(list, PairMethod::grid, 0, 0.0f), all);
    EXPECT_EQ(found(list, PairMethod::tree, 0, 0.0f), all);
}

TEST_F(BodiesPairs, LeaveOutBodiesThatAreNowhere) {
    BodyList list = crowd(40, 9);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    list.places[5].y = nan;
    list.motions[6].velocity.x = nan;
    for (const PairMethod method : {PairMethod::all, PairMethod::grid, PairMethod::tree})
        for (const glm::uvec2& pair : found(list, method))
            EXPECT_TRUE(pair.x != 5 && pair.y != 5);
    EXPECT_EQ(status_.reset, 2u);
}

} // namespace
} // namespace tuff
