#include "fake_shaders.hpp"
#include "tests/oracle/oracle.hpp"

#include <tuff/explain.hpp>
#include <tuff/graph.hpp>
#include <tuff/plan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Nodes that launch ray-tracing pipelines of the device's own.
namespace tuff {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kRayBit = static_cast<std::uint32_t>(ShaderStage::ray_generation);

ShaderInterface tracing_kernel() {
    ShaderInterface kernel;
    kernel.name = "trace";
    kernel.stages = kRayBit | static_cast<std::uint32_t>(ShaderStage::miss) |
                    static_cast<std::uint32_t>(ShaderStage::closest_hit);
    kernel.bindings = {
        {.name = "scene", .kind = BindingKind::acceleration_structure, .stages = kRayBit},
        read_buffer("rays"),
        updated_buffer("hits")};
    for (std::uint32_t i = 0; i < kernel.bindings.size(); ++i) {
        kernel.bindings[i].binding = i;
        kernel.bindings[i].stages = kRayBit;
    }
    return kernel;
}

DeviceCaps ray_device() {
    auto sizes = std::make_shared<AccelerationSizes>();
    sizes->bottom = {{.triangles = 64, .bytes = 5000, .scratch_bytes = 2000}};
    sizes->top = {.triangles = 1, .bytes = 700, .scratch_bytes = 200};
    DeviceCaps caps;
    caps.acceleration_structures = true;
    caps.acceleration_sizes = sizes;
    return caps;
}

DeviceCaps launcher() {
    DeviceCaps caps = ray_device();
    caps.ray_tracing_pipelines = true;
    return caps;
}

class RayNodes : public testing::Test {
  protected:
    Graph graph() {
        Graph g(shaders_);
        g.set_target(launcher());
        return g;
    }
    static Buffer filled(Graph& g, std::string_view name, std::uint64_t bytes = 1024) {
        return g.fill(g.buffer(name, {.size = bytes}), 0);
    }
    static Acceleration built(Graph& g) {
        return g.build_acceleration({.positions = filled(g, "positions", 36 * 20),
                                     .indices = {},
                                     .vertices = 60,
                                     .triangles = 20});
    }
    /// What a node that sends rays through triangles of its own hits; `launch` says how many.
    template <typename Launch>
    static Buffer trace(Graph& g, Launch&& launch) {
        RayNodeBuilder node = g.rays("trace");
        node.read("scene", built(g));
        node.read("rays", filled(g, "rays"));
        const Buffer hits = node.write("hits", filled(g, "hits"));
        launch(node);
        return hits;
    }
    /// The errors of compiling such a node.
    template <typename Launch>
    std::vector<std::string> codes(const DeviceCaps& caps, Launch&& launch) {
        Graph g = graph();
        g.output("hits", trace(g, launch));
        std::vector<std::string> all;
        if (const auto plan = compile(std::move(g).finish(), caps); !plan)
            for (const Diagnostic& diagnostic : plan.error())
                all.push_back(diagnostic.code);
        return all;
    }

  private:
    FakeShaders shaders_{std::vector<ShaderInterface>{tracing_kernel()}};
};

TEST_F(RayNodes, AreSynchronisedInAllSafeModes) {
    constexpr CompileOptions kSafeModes[] = {{},
                                             {.alias = AliasMode::off},
                                             {.order = OrderMode::declared},
                                             {.barriers = BarrierMode::full},
                                             {.poison = true}};
    for (const CompileOptions& options : kSafeModes) {
        Graph g = graph();
        for (const char* name : {"a", "b"}) {
            g.push_scope(name);
            const Buffer counts = filled(g, "counts");
            g.output(name, trace(g, [&](RayNodeBuilder& node) { node.launch_indirect(counts); }));
            g.pop_scope();
        }
        const auto plan = compile(std::move(g).finish(), launcher(), options);
        ASSERT_TRUE(plan) << to_string(plan.error());
        EXPECT_EQ(oracle::to_string(oracle::check(plan->graph, *plan)), "");
        int accesses = 0;
        for (const NodeDesc& node : plan->graph.nodes)
            for (std::uint32_t i = 0; i < node.access_count; ++i)
                accesses +=
                    plan->graph.accesses[node.first_access + i].shader_stages == stage::kRayTracing;
        EXPECT_EQ(accesses, 8) << "both levels, rays and hits, of two nodes";
    }
}

// Where nothing is built, too: a launch needs no acceleration structure.
TEST_F(RayNodes, AreSynchronisedWithOtherKernels) {
    ShaderInterface rays = tracing_kernel();
    rays.bindings.erase(rays.bindings.begin());
    ShaderInterface compute = rays;
    compute.name = "work";
    compute.stages = kComputeBit;
    for (ShaderBinding& binding : compute.bindings)
        binding.stages = kComputeBit;
    const FakeShaders shaders({rays, compute});
    Graph g(shaders);
    Buffer hits = filled(g, "hits");
    const Buffer input = filled(g, "rays");
    for (int i = 0; i < 3; ++i) {
        ComputeNodeBuilder before = g.compute("work");
        before.read("rays", input);
        hits = before.write("hits", hits);
        RayNodeBuilder node = g.rays("trace");
        node.read("rays", input);
        hits = node.write("hits", hits);
    }
    g.output("hits", hits);
    const auto plan = compile(std::move(g).finish(), launcher());
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_EQ(oracle::to_string(oracle::check(plan->graph, *plan)), "");
}

TEST_F(RayNodes, RunOnlyWhereTheDeviceHasPipelines) {
    const auto one = [](RayNodeBuilder& node) { node.launch(100); };
    EXPECT_THAT(codes(launcher(), one), ElementsAre());
    EXPECT_THAT(codes(ray_device(), one), ElementsAre("graph/no-ray-pipeline"));
    DeviceCaps querier = ray_device();
    querier.ray_query = true;
    EXPECT_THAT(codes(querier, one), ElementsAre("graph/no-ray-pipeline"));
}

TEST_F(RayNodes, LaunchNoMoreThanTheDeviceTakes) {
    const auto codes_of = [&](std::uint32_t x, std::uint32_t y) {
        return codes(launcher(), [&](RayNodeBuilder& node) { node.launch(x, y); });
    };
    EXPECT_THAT(codes_of(1u << 22, 256), ElementsAre());
    EXPECT_THAT(codes_of(1u << 22, 257), ElementsAre("graph/dispatch-size"));
    EXPECT_THAT(codes_of(65535 * 256, 1), ElementsAre());
    EXPECT_THAT(codes_of(65535 * 256 + 1, 1), ElementsAre("graph/dispatch-size"));
    EXPECT_THAT(codes_of(~0u, ~0u), ElementsAre("graph/dispatch-size"));
    EXPECT_THAT(codes_of(0, 65536), ElementsAre("graph/dispatch-size"));
}

TEST_F(RayNodes, CountsAreAnAccessOfTheNode) {
    Graph g = graph();
    const Buffer counts = filled(g, "counts");
    (void)trace(g, [&](RayNodeBuilder& node) { node.launch_indirect(counts, 16); });
    const AccessDesc& access = g.peek().accesses.back();
    EXPECT_EQ(access.access, Access::ray_count_read);
    EXPECT_EQ(access.range.offset, 16u);
    EXPECT_EQ(access.range.size, 12u);
    EXPECT_NE(usage_of(access.access) & usage::kDeviceAddress, 0u);

    const auto outside = [&](std::uint64_t offset) {
        Graph other = graph();
        const Buffer few = filled(other, "counts", 16);
        other.output(
            "hits", trace(other, [&](RayNodeBuilder& node) { node.launch_indirect(few, offset); }));
        return compile(std::move(other).finish(), launcher());
    };
    EXPECT_TRUE(outside(4));
    const auto refused = outside(8);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "graph/indirect-range");
}

TEST_F(RayNodes, TakeRayKernelsAlone) {
    Graph g = graph();
    (void)g.compute("trace");
    ShaderInterface other = tracing_kernel();
    other.stages = kComputeBit;
    const FakeShaders shaders({other});
    Graph of_compute(shaders);
    (void)of_compute.rays("trace");
    for (Graph* graph : {&g, &of_compute}) {
        ASSERT_EQ(graph->peek().diagnostics.size(), 1u);
        EXPECT_EQ(graph->peek().diagnostics[0].code, "graph/unknown-kernel");
    }
}

TEST_F(RayNodes, AreExplained) {
    Graph g = graph();
    const Buffer counts = filled(g, "counts");
    g.output("known", trace(g, [](RayNodeBuilder& node) { node.launch(640, 2); }));
    g.output("counted", trace(g, [&](RayNodeBuilder& node) { node.launch_indirect(counts); }));
    const auto plan = compile(std::move(g).finish(), launcher());
    ASSERT_TRUE(plan) << to_string(plan.error());
    const std::string text = explain(*plan);
    EXPECT_THAT(text, HasSubstr("rays 640x2x1"));
    EXPECT_THAT(text, HasSubstr("rays, indirect count"));
    EXPECT_THAT(explain_dot(*plan), HasSubstr("rays 640x2x1"));
}

} // namespace
} // namespace tuff
