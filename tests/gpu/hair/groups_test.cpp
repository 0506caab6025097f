#include "passes/hair/groom.hpp"
#include "passes/hair/skin.hpp"
#include "tests/gpu/hair/hair_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>

/// Groups of strands, which have numbers of their own.
namespace tuff {
namespace {

using passes::HairGroom;
using reference::Vec;
using testing_gpu::HostHair;
using testing_gpu::Running;

class HairGroupsTest : public testing_gpu::HairTest {};

TEST_F(HairGroupsTest, FollowersOfAGroupHaveItsRadiusSpreadAndLength) {
    const HostHair hair = testing_gpu::random_hair(24, 9, 3);
    Graph g = graph();
    const passes::HairGroom half = groom_of(g, hair);
    passes::StepHair step{.groom = g.add(passes::MergeHair{.grooms = {half, half, half}}).groom};
    step.motion.mode = passes::HairMode::rigid;
    const passes::HairShape guides = g.add(step).shape;
    const auto followed = [&](std::string_view name, std::vector<float> radii,
                              std::vector<float> spreads, std::vector<float> lengths,
                              float length_spread) {
        const passes::HairShape all = g.add(passes::FollowHair{.guides = guides,
                                                               .each = 4,
                                                               .radius = 0.01f,
                                                               .spread = 2.0f,
                                                               .radii = std::move(radii),
                                                               .spreads = std::move(spreads),
                                                               .lengths = std::move(lengths),
                                                               .length_spread = length_spread})
                                          .shape;
        g.output(name, all.positions);
        g.output(std::string(name) + "_tangents", all.tangents);
    };
    followed("plain", {1}, {1}, {1}, 0);
    followed("groups", {1, 3, 0.5f}, {1, -0.25f, 0}, {1, 1, 1}, 0);
    followed("short", {1}, {1}, {1, 0.5f, 0}, 0);
    followed("ragged", {1}, {1}, {1}, 0.5f);
    g.output("guides", guides.positions);
    Running running = run(std::move(g));
    const auto plain = running.buffer<glm::vec4>("plain");
    const auto wider = running.buffer<glm::vec4>("groups");
    const auto shorter = running.buffer<glm::vec4>("short");
    const auto ragged = running.buffer<glm::vec4>("ragged");
    const auto guide = running.buffer<glm::vec4>("guides");
    const auto tangents = running.buffer<glm::vec4>("ragged_tangents");
    const std::array<double, 3> radii{1.0, 3.0, 0.5};
    const std::array<double, 3> spreads{2.0, -0.5, 0.0};
    const std::array<double, 3> lengths{1.0, 0.5, 0.0};
    double least = 1.0;
    double most = 0.0;
    for (std::size_t s = 0; s < 3 * 24 * 4; ++s) {
        const std::size_t group = s / (24 * 4);
        const std::size_t from = s / 4 * 9;
        const auto root = glm::distance(Vec(plain[s * 9]), Vec(guide[from]));
        const bool is_guide = s % 4 == 0;
        for (std::size_t v = 0; v < 9; ++v) {
            const std::size_t i = s * 9 + v;
            const double way = static_cast<double>(v) / 9.0;
            EXPECT_NEAR(glm::distance(Vec(wider[i]), Vec(guide[from + v])),
                        root * radii[group] * (1.0 + spreads[group] * way), 1e-6);
            // A short follower is the first part of the whole one.
            const double place =
                is_guide ? static_cast<double>(v) : static_cast<double>(v) * lengths[group];
            const auto low = std::min<std::size_t>(static_cast<std::size_t>(place), 7);
            const Vec wanted = glm::mix(Vec(plain[s * 9 + low]), Vec(plain[s * 9 + low + 1]),
                                        place - static_cast<double>(low));
            EXPECT_LT(glm::distance(Vec(shorter[i]), wanted), 1e-6) << s << ", " << v;
            EXPECT_NEAR(glm::length(glm::vec3(tangents[i])), 1.0f, 1e-5f);
        }
        if (is_guide) {
            EXPECT_EQ(plain[s * 9 + 8], ragged[s * 9 + 8]);
            continue;
        }
        // Where on the whole follower its tip is.
        const Vec tip(ragged[s * 9 + 8]);
        double nearest = 1.0;
        double share = 0.0;
        for (std::size_t v = 0; v < 8; ++v) {
            const Vec begin(plain[s * 9 + v]);
            const Vec edge = Vec(plain[s * 9 + v + 1]) - begin;
            const double part =
                std::clamp(glm::dot(tip - begin, edge) / glm::dot(edge, edge), 0.0, 1.0);
            const double away = glm::distance(tip, begin + part * edge);
            if (away < nearest) share = (static_cast<double>(v) + part) / 8.0;
            nearest = std::min(nearest, away);
        }
        EXPECT_LT(nearest, 1e-6) << s;
        EXPECT_GT(share, 0.5 - 1e-4);
        least = std::min(least, share);
        most = std::max(most, share);
    }
    EXPECT_LT(least, 0.53);
    EXPECT_GT(most, 0.95);
}

TEST_F(HairGroupsTest, GroupsOfOneGroomMoveAsGroomsOfTheirOwn) {
    // All numbers that a group has, and the mixture of both in one workgroup.
    const HostHair a = testing_gpu::random_hair(21, 16, 4);
    const HostHair b = testing_gpu::random_hair(30, 16, 5);
    passes::StepHair moved;
    moved.dt = 1.0f / 60.0f;
    moved.head.position = {0.05f, 0.0f, 0.02f};
    moved.head.turn = {0.0f, 20.0f, 0.0f};
    const std::array<std::vector<float>, 4> numbers{
        {{0.5f, 0.01f}, {0.1f, 0.9f}, {0.7f, 0.05f}, {1.0f, 0.2f}}};
    for (const passes::HairPipeline pipeline :
         {passes::HairPipeline::fused, passes::HairPipeline::split}) {
        Graph g = graph();
        const auto after = [&](std::string_view name, const HairGroom& groom, std::size_t only) {
            passes::StepHair pass = moved;
            pass.groom = groom;
            pass.motion.pipeline = pipeline;
            const auto chosen = [&](const std::vector<float>& all) {
                return only < all.size() ? std::vector<float>{all[only]} : all;
            };
            pass.motion.damping = chosen(numbers[0]);
            pass.motion.local_stiffness = chosen(numbers[1]);
            pass.motion.global_stiffness = chosen(numbers[2]);
            pass.motion.global_range = chosen(numbers[3]);
            passes::HairState state = g.add(pass).after;
            pass.state = state; // a second step, for damping needs a velocity
            pass.head_before = pass.head;
            g.output(name, g.add(pass).after.positions);
        };
        const HairGroom first = groom_of(g, a);
        const HairGroom second = groom_of(g, b);
        after("both", g.add(passes::MergeHair{.grooms = {first, second}}).groom, 2);
        after("first", first, 0);
        after("second", second, 1);
        after("second_as_first", second, 0);
        Running running = run(std::move(g));
        const auto both = running.buffer<glm::vec4>("both");
        auto apart = running.buffer<glm::vec4>("first");
        const auto tail = running.buffer<glm::vec4>("second");
        apart.insert(apart.end(), tail.begin(), tail.end());
        const auto other = running.buffer<glm::vec4>("second_as_first");
        double differs = 0.0;
        for (std::size_t i = 0; i < both.size(); ++i)
            ASSERT_LT(glm::distance(Vec(both[i]), Vec(apart[i])), 1e-6) << i;
        for (std::size_t i = 0; i < tail.size(); ++i)
            differs = std::max(differs, glm::distance(Vec(tail[i]), Vec(other[i])));
        EXPECT_GT(differs, 1e-3);
    }
}

TEST_F(HairGroupsTest, EmptyListsAndLongOnesAreOneDiagnostic) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{9}}) {
        Graph g = graph();
        const HairGroom groom = groom_of(g, testing_gpu::random_hair(3, 8, 1));
        const passes::HairShape guides = g.add(passes::StepHair{.groom = groom}).shape;
        (void)g.add(
            passes::FollowHair{.guides = guides, .lengths = std::vector<float>(count, 0.5f)});
        const GraphDesc built = std::move(g).finish();
        ASSERT_EQ(built.diagnostics.size(), 1u);
        EXPECT_EQ(built.diagnostics.front().code, "hair/few-numbers");
    }
}

} // namespace
} // namespace tuff
