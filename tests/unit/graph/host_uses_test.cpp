#include "tests/oracle/oracle.hpp"
#include "tests/unit/graph/sketch.hpp"

#include <tuff/graph.hpp>

/// What hosts do with imports in stages, and by accesses, that no node has.
namespace tuff {
namespace {

constexpr StageMask kVertexInput = 0x20'0000'0000; // VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT
constexpr MemoryMask kVertexRead = 0x4;            // VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT
constexpr MemoryMask kShaderWrite = 0x40;          // VK_ACCESS_2_SHADER_WRITE_BIT

/// A graph that reads what the host has made and leaves what the host uses.
Plan plan_of(const ImportState& state) {
    Graph graph;
    const Buffer mine = graph.import_buffer("mine", {.size = 256}, state);
    auto node = graph.custom("update");
    (void)node.write(mine, Access::storage_read_write, stage::kCompute);
    node.keep();
    auto plan = compile(std::move(graph).finish(), DeviceCaps{});
    EXPECT_TRUE(plan) << to_string(plan.error());
    if (!plan) return {};
    EXPECT_EQ(oracle::to_string(oracle::check(plan->graph, *plan)), "");
    return *std::move(plan);
}

TEST(HostUses, WhatNoNodeDoesIsWaitedForAndHeldBack) {
    const Plan plan =
        plan_of({.first = {kVertexInput, kVertexRead}, .last = {kVertexInput, kVertexRead}});
    ASSERT_EQ(plan.levels.size(), 1u);
    const MemoryBarrier& before = plan.levels[0].memory;
    EXPECT_NE(before.source_stages & (kVertexInput | stage::kAllCommands), 0u);
    const MemoryBarrier& after = plan.epilogue.memory;
    EXPECT_EQ(after.source_stages, stage::kCompute);
    EXPECT_NE(after.source_memory & memory::kStorageWrite, 0u);
    EXPECT_NE(after.destination_stages & (kVertexInput | stage::kAllCommands), 0u);
    EXPECT_NE(after.destination_memory & (kVertexRead | memory::kMemoryRead), 0u);
}

TEST(HostUses, ShaderReadsAndWritesAreThoseOfAnyKind) {
    const Plan plan = plan_of({.first = {stage::kFragmentShader, kShaderWrite},
                               .last = {stage::kFragmentShader, memory::kShaderRead}});
    ASSERT_EQ(plan.levels.size(), 1u);
    const MemoryBarrier& before = plan.levels[0].memory;
    EXPECT_NE(before.source_memory & (kShaderWrite | memory::kMemoryWrite), 0u);
    EXPECT_NE(before.destination_memory & memory::kStorageRead, 0u);
    const MemoryBarrier& after = plan.epilogue.memory;
    EXPECT_NE(after.destination_memory & (memory::kStorageRead | memory::kMemoryRead), 0u);
}

} // namespace
} // namespace tuff
