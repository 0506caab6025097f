// Messages of mpi/poisson: none travel for cycles that the device skips.

#include "forwarding_communicator.hpp"
#include "passes/mpi/poisson.hpp"
#include "passes/solver/poisson_report.hpp"
#include "ranks_fixture.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>

namespace tuff {
namespace {

using passes::Cells;
using passes::PartPoissonMethod;
using passes::PoissonBoundary;
using passes::PoissonOfParts;
using passes::PoissonReport;
using passes::PoissonStatus;
using testing_gpu::floats;
using testing_gpu::part_size;
using testing_gpu::part_texels;
using testing_gpu::Running;

/// Counts what is sent.
class CountingCommunicator final : public testing_gpu::ForwardingCommunicator {
  public:
    using ForwardingCommunicator::ForwardingCommunicator;
    std::uint32_t sends() const { return sends_; }

    Result<PendingMessage> start_send(std::int32_t to, MessageTag tag,
                                      std::span<const std::byte> bytes) override {
        ++sends_;
        return ForwardingCommunicator::start_send(to, tag, bytes);
    }

  private:
    std::atomic<std::uint32_t> sends_ = 0;
};

class PoissonMessagesOfRanks : public testing_gpu::RanksTest {};

TEST_F(PoissonMessagesOfRanks, NoneTravelForSkippedCycles) {
    if (job_size() == 1) GTEST_SKIP() << "there are no messages";
    constexpr Cells kCells{22, 24, 1};
    constexpr Cells kHalo{1, 1, 0};
    struct Counted {
        PoissonReport report;
        std::uint32_t sends = 0;
    };
    const auto solve = [&](PoissonOfParts pass, Ranks ranks) -> Counted {
        CountingCommunicator counting(*communicator());
        ranks.communicator = &counting;
        Graph g = graph_of(ranks);
        pass.source = g.constant_image(
            "source", floats(part_size(ranks, kCells, kHalo), false),
            part_texels(ranks, kCells, kHalo, NAN, [](const Cells& cell) {
                return std::sin(static_cast<float>(cell[0] * cell[0] + 3 * cell[1]));
            }));
        pass.cells = {kCells[0], kCells[1], kCells[2]};
        pass.tolerance = 1e-2f;
        pass.gather_cells = 50;
        pass.x = PoissonBoundary::dirichlet;
        pass = g.add(pass);
        g.output("u", pass.result);
        g.output("status", pass.status);
        Running running = run(std::move(g));
        const auto words = running.buffer<std::uint32_t>("status");
        EXPECT_EQ(words.size(), passes::kPoissonStatusWords);
        return {PoissonReport::read(words), counting.sends()};
    };
    for (const Ranks& ranks : grids({3, 3, 1}))
        for (const auto method : {PartPoissonMethod::v_cycle, PartPoissonMethod::mgpcg}) {
            const Counted many = solve({.method = method, .max_cycles = 12}, ranks);
            EXPECT_EQ(many.report.status, PoissonStatus::converged);
            const std::uint32_t cycles = many.report.cycles;
            ASSERT_GT(cycles, 1u);
            ASSERT_LT(cycles, 12u);
            const Counted enough = solve({.method = method, .max_cycles = cycles}, ranks);
            EXPECT_EQ(many.sends, enough.sends);
            const Counted few = solve({.method = method, .max_cycles = cycles - 1}, ranks);
            EXPECT_GT(enough.sends, few.sends);
        }
}

} // namespace
} // namespace tuff
