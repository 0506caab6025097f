// What one rank of eighty would do with 2,048^3 cells, planned without the others and without
// memory.

#include "fluid_fixture.hpp"
#include "passes/fluid/simple.hpp"
#include "ranks_fixture.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace tuff {
namespace {

using passes::FluidFace;
using passes::FluidPrecision;
using passes::SimpleFluid;

constexpr std::uint32_t kLargeSide = 2048; ///< cells
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// Bytes that a plan has.
struct PlannedBytes {
    std::uint64_t lasting = 0;   ///< of histories and constants
    std::uint64_t transient = 0; ///< of memory that nodes share
    std::uint64_t sent = 0;      ///< read by host nodes
    std::uint64_t received = 0;  ///< written by them
    std::uint32_t messages = 0;  ///< host nodes
};

PlannedBytes bytes_of_plan(const Plan& plan) {
    PlannedBytes bytes{.transient = plan.statistics.transient_bytes};
    const GraphDesc& graph = plan.graph;
    for (const ResourceDesc& resource : graph.resources)
        if (!resource.is_image() && resource.lifetime != Lifetime::transient)
            bytes.lasting += resource.buffer().size;
    for (const NodeId id : plan.order) {
        const NodeDesc& node = graph.nodes[id.index];
        if (node.payload == ~0u || !std::holds_alternative<HostNode>(graph.payloads[node.payload]))
            continue;
        ++bytes.messages;
        for (std::uint32_t i = 0; i < node.access_count; ++i) {
            const AccessDesc& access = graph.accesses[node.first_access + i];
            const VersionId version = access.written ? access.written : access.read;
            const ResourceDesc& resource = graph.resource_of(version);
            if (resource.orders_only) continue;
            (access.written ? bytes.received : bytes.sent) += resource.buffer().size;
        }
    }
    return bytes;
}

class LargePlanOfRanks : public testing_gpu::RanksTest {
  protected:
    void SetUp() override {
        RanksTest::SetUp();
        if (job_size() > 1) GTEST_SKIP() << "one process plans";
    }
    /// As most GPUs have it: buffers of 4 GiB.
    static DeviceCaps large_device() {
        DeviceCaps caps;
        caps.max_storage_buffer_bytes = 4 * kGiB - 1;
        caps.device_memory_bytes = 80 * kGiB;
        caps.max_group_count[0] = 0x7fffffff;
        return caps;
    }
    struct Planned {
        SimpleFluid fluid;
        Result<Plan> plan;
    };
    /// Two steps of a gas by one rank of the grid.
    Planned planned(const std::array<std::uint32_t, 3>& grid, std::uint32_t rank,
                    FluidPrecision precision) {
        Graph g(shaders(), large_device());
        g.set_ranks({.grid = grid, .rank = rank});
        SimpleFluid fluid{.dims = glm::uvec3(kLargeSide)};
        fluid.boundary =
            testing_gpu::sides(FluidFace::periodic, FluidFace::periodic, FluidFace::periodic);
        fluid.precision = precision;
        fluid.steps = 2;
        fluid.dyed = false;
        fluid = g.add(fluid);
        g.output("status", fluid.field.status);
        return {fluid, compile(std::move(g).finish(), large_device())};
    }
};

TEST_F(LargePlanOfRanks, HasPartsAndMessagesThatFit) {
    TUFF_ONLY_ON(lavapipe);
    const Ranks all{.grid = {4, 4, 5}};
    const std::array<std::uint32_t, 3> cells{kLargeSide, kLargeSide, kLargeSide};
    for (const FluidPrecision precision : {FluidPrecision::full, FluidPrecision::half})
        for (const std::uint32_t rank : {0u, 37u, 79u}) { // parts of 410 and of 409 planes
            SCOPED_TRACE(rank);
            const Planned found = planned(all.grid, rank, precision);
            ASSERT_TRUE(found.plan) << to_string(found.plan.error());
            const std::uint64_t cell = precision == FluidPrecision::half ? 8 : 16; // bytes
            const auto part = all.part(cells, rank);
            const glm::i64vec3 own(part[0].count, part[1].count, part[2].count);
            const glm::i64vec3 halo(found.fluid.field.part.halo);
            const glm::i64vec3 held = own + std::int64_t{2} * halo;
            const auto count = [](glm::i64vec3 sides) {
                return static_cast<std::uint64_t>(sides.x * sides.y * sides.z);
            };
            EXPECT_LE(count(held), std::uint64_t{1} << 27);
            const PlannedBytes bytes = bytes_of_plan(*found.plan);
            // Steps write the state that the next execution reads, one in between, and messages.
            constexpr std::uint64_t kSmall = std::uint64_t{1} << 16; // statuses, tables of boxes
            const std::uint64_t state = cell * count(held);
            const std::uint64_t border = state - cell * count(own);
            EXPECT_GE(bytes.lasting, 2 * state);
            EXPECT_LE(bytes.lasting, 2 * state + kSmall);
            EXPECT_GE(bytes.transient, state);
            EXPECT_LE(bytes.transient, state + 2 * border + kSmall);
            EXPECT_LT(bytes.lasting + bytes.transient, 6 * kGiB);
            // All of the halo travels, once for both steps; others need as many cells of this part.
            EXPECT_EQ(bytes.messages, 1u);
            EXPECT_EQ(bytes.received, border);
            EXPECT_EQ(bytes.sent, border);
        }
}

TEST_F(LargePlanOfRanks, IsRefusedForFewerRanks) {
    TUFF_ONLY_ON(lavapipe);
    const Planned found = planned({4, 4, 4}, 0, FluidPrecision::full);
    ASSERT_FALSE(found.plan);
    EXPECT_EQ(found.plan.error().front().code, "pass/out-of-range");
}

} // namespace
} // namespace tuff
