// Sweeps in one dispatch, in which a cell waits for those beside it, against a dispatch for each
// set.
#include "tests/gpu/bodies/bodies_test.hpp"

namespace tuff {
namespace {

using passes::BodyList;
using passes::SolverMethod;
using passes::SweepMethod;
using testing_gpu::BodyState;
using testing_gpu::Numbers;

class BodiesFlow : public testing_gpu::BodiesTest {
  protected:
    /// Contacts of one point and of four, joints, and bodies that do not move, in layers of which
    /// some cells are empty.
    static BodyList heap(int count) {
        BodyList list;
        Numbers numbers(31);
        list.plane({});
        for (int i = 0; i < count; ++i) {
            const glm::vec3 place = {static_cast<float>(i % 9) * 0.98f,
                                     0.49f + static_cast<float>(i / 45) * 0.97f,
                                     static_cast<float>(i / 9 % 5) * 0.98f};
            const passes::BodyStart body{.place = place,
                                         .velocity = numbers.vector(-1.0f, 1.0f),
                                         .restitution = i % 4 == 0 ? 0.4f : 0.0f};
            if (i % 3 == 0)
                list.sphere(0.5f, body);
            else
                list.box(glm::vec3(0.49f), body);
        }
        list.box(glm::vec3(0.4f), {.place = {17.0f, 0.4f, 11.0f}}); // alone
        list.joint(passes::JointKind::ball, 1, 2, {0.5f, 0.5f, 0.0f});
        list.joint(passes::JointKind::hinge, 12, 13, {2.5f, 0.5f, 0.5f});
        return list;
    }
    static std::vector<std::uint32_t> bits(const BodyState& state) {
        std::vector<std::uint32_t> all;
        const auto add = [&](const auto& values) {
            const auto* words = reinterpret_cast<const std::uint32_t*>(values.data());
            all.insert(all.end(), words, words + values.size() * sizeof(values[0]) / 4);
        };
        add(state.places);
        add(state.turns);
        add(state.motions);
        return all;
    }
    /// The second execution starts with the impulses of the first.
    std::vector<std::uint32_t> after_two(const BodyList& list, Simulate pass, SweepMethod sweep) {
        pass.solver.sweep = sweep;
        return bits(simulated(list, pass, 2));
    }
};

TEST_F(BodiesFlow, GivesTheBitsOfADispatchForEachSet) {
    for (const glm::uvec3 split : {glm::uvec3(8, 1, 1), glm::uvec3(1, 2, 1), glm::uvec3(1, 1, 4),
                                   glm::uvec3(6, 1, 4), glm::uvec3(8, 2, 8), glm::uvec3(1)}) {
        const BodyList list = heap(split.y > 1 ? 131 : 90);
        Simulate pass{.split = split};
        pass.solver.iterations = 5;
        const auto wanted = after_two(list, pass, SweepMethod::sets);
        ASSERT_FALSE(wanted.empty());
        EXPECT_EQ(after_two(list, pass, SweepMethod::flow), wanted)
            << split.x << " " << split.y << " " << split.z;
    }
}

TEST_F(BodiesFlow, GivesTheSameBitsWhateverTheGroup) {
    const BodyList list = heap(131);
    Simulate pass{
        .split = {2, 1, 2}}; // more constraints in a cell than the smallest group has lanes
    pass.solver.iterations = 3;
    const auto wanted = after_two(list, pass, SweepMethod::sets);
    for (const std::uint32_t group : {32u, 64u, 256u}) {
        pass.solver.group = group;
        EXPECT_EQ(after_two(list, pass, SweepMethod::flow), wanted) << group;
        EXPECT_EQ(after_two(list, pass, SweepMethod::automatic), wanted) << group;
    }
    pass.with_residuals = true; // a dispatch for each iteration
    EXPECT_EQ(after_two(list, pass, SweepMethod::flow), wanted);
}

TEST_F(BodiesFlow, GivesTheSameBitsWithSoftContacts) {
    const BodyList list = heap(90);
    Simulate pass{.split = {8, 1, 4}};
    pass.solver.method = SolverMethod::soft;
    pass.solver.substeps = 3;
    const auto wanted = after_two(list, pass, SweepMethod::sets);
    EXPECT_EQ(after_two(list, pass, SweepMethod::flow), wanted);
}

// Pairs apart from each other have more bodies in a cell than there is room for in shared memory.
// Spheres touch at one point; with joints and without there are kernels of their own.
TEST_F(BodiesFlow, GivesTheSameBitsWhereCellsHaveManyBodies) {
    for (const bool with_joint : {false, true}) {
        BodyList list;
        Numbers numbers(5);
        for (int i = 0; i < 48; ++i) {
            const glm::vec3 place = {static_cast<float>(i % 8) * 1.6f, 0.0f,
                                     static_cast<float>(i / 8) * 3.0f};
            list.sphere(0.5f, {.place = place, .velocity = numbers.vector(-1.0f, 1.0f)});
            list.sphere(0.5f, {.place = place + glm::vec3(0.0f, 0.0f, 0.98f),
                               .velocity = numbers.vector(-1.0f, 1.0f)});
        }
        if (with_joint) list.joint(passes::JointKind::hinge, 0, 1, {0.0f, 0.0f, 0.5f});
        Simulate pass{.split = {2, 1, 1}};
        pass.gravity = glm::vec3(0.0f);
        pass.solver.group = 32;
        pass.solver.iterations = 5;
        const auto wanted = after_two(list, pass, SweepMethod::sets);
        ASSERT_FALSE(wanted.empty());
        EXPECT_EQ(after_two(list, pass, SweepMethod::flow), wanted) << with_joint;
    }
}

// Many cells, so that groups wait for each other where they can, and more cells than groups.
TEST_F(BodiesFlow, GivesTheSameBitsInManyCells) {
    BodyList list;
    Numbers numbers(8);
    const int side = (device().caps().type == DeviceType::cpu) ? 24 : 300;
    for (int i = 0; i < side * side; ++i)
        list.sphere(0.5f, {.place = {0.99f * static_cast<float>(i % side), 0.0f,
                                     0.99f * static_cast<float>(i / side)},
                           .velocity = numbers.vector(-0.5f, 0.5f)});
    Simulate pass{.split = {256, 1, 256}};
    pass.gravity = glm::vec3(0.0f);
    pass.solver.iterations = 10;
    const auto wanted = after_two(list, pass, SweepMethod::sets);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(after_two(list, pass, SweepMethod::flow), wanted) << i;
}

} // namespace
} // namespace tuff
