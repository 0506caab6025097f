#include "passes/bodies/islands.hpp"
#include "tests/gpu/bodies/bodies_test.hpp"

#include <algorithm>
#include <numeric>
#include <set>

/// Islands against union-find on the host.
namespace tuff {
namespace {

using passes::Bodies;
using passes::BodyContacts;
using passes::BodyList;
using passes::SleepIslands;
using testing_gpu::bytes_of;
using testing_gpu::Numbers;
using testing_gpu::Running;

using Pairs = std::vector<glm::uvec2>;

/// The lowest body of each body's island.
class UnionFind {
  public:
    explicit UnionFind(std::size_t count) : roots_(count) {
        std::iota(roots_.begin(), roots_.end(), 0u);
    }
    std::uint32_t root(std::uint32_t body) {
        while (roots_[body] != body) {
            roots_[body] = roots_[roots_[body]];
            body = roots_[body];
        }
        return body;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        roots_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::uint32_t> roots_;
};

class BodiesIslands : public testing_gpu::BodiesTest {
  protected:
    /// `list` with contacts between `pairs`; bodies that move keep their island awake. Every
    /// `apart`-th pair does not touch.
    void expect_islands(const BodyList& list, const Pairs& pairs, std::size_t apart) {
        Graph g = graph();
        const auto constant = [&]<typename T>(std::string_view name, const std::vector<T>& values,
                                              std::uint32_t stride) {
            const auto bytes = bytes_of(values);
            return g.constant_buffer(name, {.size = bytes->size(), .stride = stride}, bytes);
        };
        constexpr std::size_t kQuads = 6; // of a manifold; the first has the count of points
        const auto touch = [&](std::size_t pair) { return apart == 0 || pair % apart != 0; };
        std::vector<glm::vec4> manifolds(kQuads * pairs.size(), glm::vec4(0.0f));
        for (std::size_t p = 0; p < pairs.size(); ++p)
            if (touch(p)) manifolds[kQuads * p].w = std::bit_cast<float>(1u);
        const auto n = static_cast<std::uint32_t>(pairs.size());
        const std::uint32_t groups = (n + 63) / 64;
        BodyContacts contacts{.manifolds = constant("manifolds", manifolds, 16)};
        contacts.pairs.pairs = constant("pairs", pairs, 8);
        contacts.pairs.tally =
            constant("tally", std::vector<std::uint32_t>{n, n, groups, 1, 1, groups, 1, 1}, 4);
        contacts.pairs.offsets = constant("offsets", std::vector<std::uint32_t>(list.size()), 4);
        contacts.pairs.constraints = constant("constraints", std::vector<std::uint32_t>{n}, 4);
        contacts.pairs.status = constant("no_status", std::vector(1, passes::BodiesStatus{}), 4);
        contacts.pairs.room = n;
        const SleepIslands pass = g.add(SleepIslands{.source = list.upload(g),
                                                     .contacts = contacts,
                                                     .sleep = {.speed = 0.05f, .after = 0.01f}});
        g.output("roots", pass.roots);
        g.output("rest", pass.bodies.rest);
        g.output("status", pass.status);
        Running running = run(std::move(g));
        if (!running) return;

        UnionFind sets(list.size());
        const auto moves = [&](std::uint32_t body) { return list.places[body].w > 0.0f; };
        for (std::size_t p = 0; p < pairs.size(); ++p)
            if (touch(p) && moves(pairs[p].x) && moves(pairs[p].y))
                sets.join(pairs[p].x, pairs[p].y);
        std::set<std::uint32_t> awake;
        for (std::uint32_t i = 0; i < list.size(); ++i)
            if (moves(i) && glm::length(list.motions[i].velocity) > 0.05f)
                awake.insert(sets.root(i));
        const auto roots = running.buffer<std::uint32_t>("roots");
        const auto rest = running.buffer<glm::vec2>("rest");
        std::uint32_t asleep = 0;
        std::set<std::uint32_t> islands;
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            std::uint32_t root = i;
            while (roots[root] != root) {
                ASSERT_LT(roots[root], root) << i;
                root = roots[root];
            }
            ASSERT_EQ(root, sets.root(i)) << i;
            const bool sleeps = moves(i) && !awake.contains(root);
            ASSERT_EQ(rest[i].y, sleeps ? 1.0f : 0.0f) << i;
            asleep += sleeps;
            islands.insert(root);
        }
        EXPECT_EQ(passes::BodiesStatus::read(running.buffer<std::uint32_t>("status")).asleep,
                  asleep);
        EXPECT_GT(asleep, 0u);
        EXPECT_GT(islands.size(), 1u);
    }

    /// Spheres, some of which never move, and some of which are fast.
    static BodyList spheres(std::uint32_t count, std::uint32_t fixed, std::uint32_t fast) {
        BodyList list;
        for (std::uint32_t i = 0; i < count; ++i)
            list.sphere(0.5f, {.place = {static_cast<float>(i), 0.0f, 0.0f},
                               .mass = i % fixed == 0 ? 0.0f : 1.0f,
                               .velocity = {i % fast == fast - 1 ? 1.0f : 0.0f, 0.0f, 0.0f}});
        return list;
    }
};

TEST_F(BodiesIslands, OfRandomPairsAreThoseOfUnionFind) {
    Numbers numbers(3);
    for (const std::uint32_t count : {2u, 65u, 5000u}) {
        const BodyList list = spheres(count, 11, 97);
        Pairs pairs;
        for (std::uint32_t i = 0; i < count * 5 / 8 + 1; ++i) {
            const auto one = [&] {
                return static_cast<std::uint32_t>(numbers.between(0.0f, 1.0f) *
                                                  static_cast<float>(count - 1));
            };
            pairs.emplace_back(one(), one());
        }
        expect_islands(list, pairs, 13);
    }
}

// One behind the other, so that each leads to the one before it: longer than loops may be.
TEST_F(BodiesIslands, OfLongRowsAreWhole) {
    constexpr std::uint32_t kCount = 150'000;
    const BodyList list = spheres(kCount, 140'000, 100'000);
    Pairs pairs;
    for (std::uint32_t i = 1; i + 1 < kCount; ++i)
        pairs.emplace_back(i, i + 1);
    for (const bool from_behind : {false, true}) {
        if (from_behind) std::ranges::reverse(pairs);
        expect_islands(list, pairs, 0);
    }
}

} // namespace
} // namespace tuff
