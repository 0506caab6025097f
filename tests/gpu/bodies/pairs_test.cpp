#include "tests/gpu/bodies/bodies_test.hpp"

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
    PairList found(const BodyList& list, PairMethod method, std::uint32_t room = 0) {
        Graph g = graph();
        const BodyForces forces = g.add(
            BodyForces{.source = list.upload(g), .gravity = glm::vec3(0.0f), .margin = 0.05f});
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
