#include "fake_shaders.hpp"
#include "tests/oracle/oracle.hpp"

#include <tuff/graph.hpp>
#include <tuff/plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Acceleration structures in a graph: buffers, whose builds are nodes, with barriers that are
/// derived as all others.
namespace tuff {
namespace {

using namespace test;

ShaderInterface tracer() {
    ShaderInterface kernel;
    kernel.name = "trace";
    kernel.stages = kComputeBit;
    kernel.bindings = {
        {.name = "scene", .kind = BindingKind::acceleration_structure, .stages = kComputeBit},
        read_buffer("rays"),
        updated_buffer("hits")};
    for (std::uint32_t i = 0; i < kernel.bindings.size(); ++i)
        kernel.bindings[i].binding = i;
    return kernel;
}

DeviceCaps builder() {
    auto sizes = std::make_shared<AccelerationSizes>();
    sizes->bottom = {{.triangles = 8, .bytes = 1000, .scratch_bytes = 300},
                     {.triangles = 64, .bytes = 5000, .scratch_bytes = 2000}};
    sizes->top = {.triangles = 1, .bytes = 700, .scratch_bytes = 200};
    DeviceCaps caps;
    caps.acceleration_structures = true;
    caps.acceleration_sizes = sizes;
    return caps;
}

constexpr CompileOptions kSafeModes[] = {{},
                                         {.alias = AliasMode::off},
                                         {.order = OrderMode::declared},
                                         {.barriers = BarrierMode::full},
                                         {.poison = true}};

class AccelerationNodes : public testing::Test {
  protected:
    Graph graph(const DeviceCaps& caps = builder()) {
        Graph g(shaders_);
        g.set_target(caps);
        return g;
    }
    static AccelerationInput triangles(Graph& g, std::uint32_t count) {
        return {.positions = g.fill(g.buffer("positions", {.size = 36 * count}), 0),
                .indices = {},
                .vertices = 3 * count,
                .triangles = count};
    }

    /// A node that sends rays through `scene`; what they hit.
    static Buffer trace(Graph& g, const Acceleration& scene) {
        ComputeNodeBuilder node = g.compute("trace");
        node.read("scene", scene);
        node.read("rays", g.fill(g.buffer("rays", {.size = 1024}), 0));
        const Buffer hits = node.write("hits", g.fill(g.buffer("hits", {.size = 1024}), 0));
        node.dispatch(1);
        return hits;
    }
    static DeviceCaps querier() {
        DeviceCaps caps = builder();
        caps.ray_query = true;
        return caps;
    }

  private:
    FakeShaders shaders_{std::vector<ShaderInterface>{tracer()}};
};

TEST_F(AccelerationNodes, AreOrderedAndSynchronisedInAllSafeModes) {
    for (const CompileOptions& options : kSafeModes) {
        Graph g = graph();
        // Twice, so that one's memory may be the other's.
        for (int i = 0; i < 2; ++i) {
            g.push_scope(i == 0 ? "a" : "b");
            const Acceleration built = g.build_acceleration(triangles(g, 20));
            ASSERT_TRUE(built);
            g.output(i == 0 ? "first" : "second", built.top);
            g.pop_scope();
        }
        const auto plan = compile(std::move(g).finish(), builder(), options);
        ASSERT_TRUE(plan) << to_string(plan.error());
        EXPECT_EQ(oracle::to_string(oracle::check(plan->graph, *plan)), "");
    }
}

/// The batches of global barriers that a plan has.
std::vector<MemoryBarrier> barriers_of(const Plan& plan) {
    std::vector<MemoryBarrier> all;
    for (const Level& level : plan.levels)
        if (level.memory != MemoryBarrier{}) all.push_back(level.memory);
    return all;
}

// Builds and rays name their own stages and accesses, and no barrier of such a graph names more.
TEST_F(AccelerationNodes, HaveMinimalBarriers) {
    Graph g = graph(querier());
    g.output("hits", trace(g, g.build_acceleration(triangles(g, 20))));
    Buffer other = g.fill(g.buffer("other", {.size = 1024}), 1);
    other = g.copy(other, g.buffer("copied", {.size = 1024}));
    g.output("other", other);
    const auto plan = compile(std::move(g).finish(), querier());
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_EQ(oracle::to_string(oracle::check(plan->graph, *plan)), "");
    StageMask stages = 0;
    MemoryMask accesses = 0;
    for (const MemoryBarrier& barrier : barriers_of(*plan)) {
        stages |= barrier.source_stages | barrier.destination_stages;
        accesses |= barrier.source_memory | barrier.destination_memory;
    }
    EXPECT_EQ(stages, stage::kAccelerationBuild | stage::kCompute | stage::kCopy | stage::kClear);
    EXPECT_EQ(accesses & (memory::kMemoryRead | memory::kMemoryWrite), memory::kNone);
    const auto between = [&](StageMask destination) {
        std::vector<MemoryBarrier> found;
        for (const MemoryBarrier& barrier : barriers_of(*plan))
            if ((barrier.source_stages & stage::kAccelerationBuild) != 0 &&
                (barrier.source_memory & memory::kAccelerationWrite) != 0 &&
                (barrier.destination_stages & destination) != 0 &&
                (barrier.destination_memory & memory::kAccelerationRead) != 0)
                found.push_back(barrier);
        return found.size();
    };
    EXPECT_GE(between(stage::kAccelerationBuild), 1u) << "the top level is built above the bottom";
    EXPECT_GE(between(stage::kCompute), 1u) << "rays are sent through both";
}

// Both levels: the lower one's memory must not be another's while rays go through it.
TEST_F(AccelerationNodes, AreTracedWholeInAllSafeModes) {
    for (const CompileOptions& options : kSafeModes) {
        Graph g = graph(querier());
        for (int i = 0; i < 2; ++i) {
            g.push_scope(i == 0 ? "a" : "b");
            g.output(i == 0 ? "first" : "second", trace(g, g.build_acceleration(triangles(g, 20))));
            g.pop_scope();
        }
        const auto plan = compile(std::move(g).finish(), querier(), options);
        ASSERT_TRUE(plan) << to_string(plan.error());
        EXPECT_EQ(oracle::to_string(oracle::check(plan->graph, *plan)), "");
        std::vector<std::string> traced;
        for (const NodeDesc& node : plan->graph.nodes)
            for (std::uint32_t i = 0; i < node.access_count; ++i) {
                const AccessDesc& access = plan->graph.accesses[node.first_access + i];
                if (access.access != Access::acceleration_trace) continue;
                EXPECT_EQ(access.shader_stages, stage::kCompute);
                traced.emplace_back(plan->graph.name(plan->graph.resource_of(access.read).name));
            }
        EXPECT_THAT(traced,
                    testing::UnorderedElementsAre("a/acceleration.top", "a/acceleration.bottom",
                                                  "b/acceleration.top", "b/acceleration.bottom"));
    }
}

TEST_F(AccelerationNodes, AreTracedOnlyWhereTheDeviceHasRayQueries) {
    Graph g = graph(querier());
    g.output("hits", trace(g, g.build_acceleration(triangles(g, 20))));
    const GraphDesc desc = std::move(g).finish();
    EXPECT_TRUE(compile(desc, querier()));
    const auto refused = compile(desc, builder());
    ASSERT_FALSE(refused);
    ASSERT_EQ(refused.error().size(), 1u);
    EXPECT_EQ(refused.error()[0].code, "graph/no-ray-query");
}

// Rays through other bytes may hang the device.
TEST_F(AccelerationNodes, AreAllThatABindingForThemTakes) {
    const auto code_of = [&](auto&& bind) {
        Graph g = graph(querier());
        ComputeNodeBuilder node = g.compute("trace");
        bind(g, node);
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.size() == 1 ? desc.diagnostics[0].code : std::string();
    };
    const auto filled = [](Graph& g) { return g.fill(g.buffer("b", {.size = 1024}), 0); };
    EXPECT_EQ(code_of([&](Graph& g, KernelNode& node) { node.read("scene", filled(g)); }),
              "graph/binding-kind");
    EXPECT_EQ(code_of([&](Graph& g, KernelNode& node) {
                  node.read("rays", g.build_acceleration(triangles(g, 20)));
              }),
              "graph/binding-kind");
    EXPECT_EQ(code_of([&](Graph& g, KernelNode& node) {
                  node.read("scene", Acceleration{.top = filled(g), .bottom = filled(g)});
              }),
              "graph/binding-kind");
    EXPECT_EQ(code_of([&](Graph& g, KernelNode& node) {
                  const Acceleration built = g.build_acceleration(triangles(g, 20));
                  node.read("scene", Acceleration{.top = built.bottom, .bottom = built.top});
              }),
              "graph/binding-kind");
    EXPECT_EQ(code_of([](Graph&, KernelNode& node) { node.read("scene", Acceleration{}); }),
              "graph/unconnected");
    EXPECT_EQ(code_of([&](Graph& g, KernelNode& node) {
                  node.read("scene", g.build_acceleration(triangles(g, 20)));
              }),
              "");
}

TEST_F(AccelerationNodes, HaveRoomForTheNextNumberOfTrianglesThatTheDeviceTold) {
    Graph g = graph();
    EXPECT_EQ(g.desc(g.build_acceleration(triangles(g, 8)).bottom).size, 1024u);
    const Acceleration larger = g.build_acceleration(triangles(g, 9));
    EXPECT_EQ(g.desc(larger.bottom).size, 5120u);
    EXPECT_EQ(g.desc(larger.top).size, 768u);
}

TEST_F(AccelerationNodes, AreRefusedWhereTheDeviceHasNone) {
    const auto code_of = [&](const DeviceCaps& caps, std::uint32_t count) {
        Graph g = graph(caps);
        EXPECT_FALSE(g.build_acceleration(triangles(g, count)));
        const GraphDesc desc = std::move(g).finish();
        return desc.diagnostics.size() == 1 ? desc.diagnostics[0].code : std::string();
    };
    EXPECT_EQ(code_of({}, 20), "graph/no-acceleration");
    EXPECT_EQ(code_of(builder(), 65), "graph/no-acceleration");
}

TEST_F(AccelerationNodes, AreBuiltFromBelow) {
    Graph g = graph();
    g.output("top", g.build_acceleration(triangles(g, 20)).top);
    const auto plan = compile(std::move(g).finish(), builder());
    ASSERT_TRUE(plan) << to_string(plan.error());
    std::vector<std::string> names;
    for (const NodeId node : plan->order)
        names.emplace_back(plan->graph.name_of(node));
    EXPECT_THAT(names, testing::ElementsAre("fill", "acceleration_bottom", "acceleration_top"));
}

} // namespace
} // namespace tuff
