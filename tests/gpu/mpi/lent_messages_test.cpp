// Messages that ranks of one host copy out of each other's memory.

#include "forwarding_communicator.hpp"
#include "passes/mpi/exchange.hpp"
#include "ranks_fixture.hpp"

#include <tuff/external_memory.hpp>

#include <atomic>
#include <cstring>

namespace tuff {
namespace {

using passes::Cells;
using passes::HaloEdge;
using passes::HaloExchange;
using testing_gpu::floats;
using testing_gpu::part_size;
using testing_gpu::Running;

/// Counts what executors lend and how often others copy it.
class WatchedCommunicator final : public testing_gpu::ForwardingCommunicator {
  public:
    WatchedCommunicator(Communicator& other, bool may_lend)
        : ForwardingCommunicator(other), may_lend_(may_lend) {}

    std::uint32_t lent = 0;                ///< blocks so far
    std::int32_t out = 0;                  ///< that have not been taken back
    std::atomic<std::uint64_t> copied = 0; ///< bytes

    bool lends() const override { return may_lend_ && ForwardingCommunicator::lends(); }
    void lend(std::shared_ptr<LentMemory> memory) override {
        ++lent;
        ++out;
        ForwardingCommunicator::lend(std::make_shared<Watched>(std::move(memory), copied));
    }
    void take_back(const LentMemory& memory) override {
        --out;
        ForwardingCommunicator::take_back(memory);
    }

  private:
    /// Another's memory that counts copies.
    class Watched final : public LentMemory {
      public:
        Watched(std::shared_ptr<LentMemory> of, std::atomic<std::uint64_t>& copied)
            : of_(std::move(of)), copied_(copied) {}
        std::span<std::byte> bytes() const override { return of_->bytes(); }
        std::uint64_t least_message() const override { return of_->least_message(); }
        std::vector<std::byte> description() const override { return of_->description(); }
        bool host_accessible() const override { return of_->host_accessible(); }
        Result<int> descriptor() const override { return of_->descriptor(); }
        Result<void> read(std::uint64_t offset, std::span<std::byte> into) const override {
            return of_->read(offset, into);
        }
        Result<void> write(std::uint64_t offset, std::span<const std::byte> from) const override {
            return of_->write(offset, from);
        }
        Result<std::unique_ptr<Opened>> open(std::span<const std::byte> description,
                                             int descriptor) const override {
            auto opened = of_->open(description, descriptor);
            if (!opened) return opened;
            return std::make_unique<WatchedBytes>(std::move(*opened), copied_);
        }

      private:
        class WatchedBytes final : public Opened {
          public:
            WatchedBytes(std::unique_ptr<Opened> of, std::atomic<std::uint64_t>& copied)
                : of_(std::move(of)), copied_(copied) {}
            Result<void> copy(std::uint64_t offset, std::span<std::byte> into) override {
                copied_ += into.size();
                return of_->copy(offset, into);
            }

          private:
            std::unique_ptr<Opened> of_;
            std::atomic<std::uint64_t>& copied_;
        };
        std::shared_ptr<LentMemory> of_;
        std::atomic<std::uint64_t>& copied_;
    };
    bool may_lend_;
};

class LentMessages : public testing_gpu::RanksTest {
  protected:
    static constexpr Cells kCells{48, 40, 30};
    static constexpr Cells kHalo{3, 3, 3};

    /// A part after two exchanges in each of three executions.
    std::vector<std::byte> exchanged(const Ranks& ranks, Running& running) {
        Graph g = graph_of(ranks);
        const Image part = g.constant_image(
            "part", floats(part_size(ranks, kCells, kHalo), true),
            testing_gpu::part_texels(ranks, kCells, kHalo, -7.0f, [](const Cells& cell) {
                return testing_gpu::cell_value(cell[0], cell[1], cell[2]);
            }));
        const auto filled = [&](Image source) {
            return g
                .add(HaloExchange{.source = source,
                                  .cells = {kCells[0], kCells[1], kCells[2]},
                                  .halo = kHalo[0],
                                  .edge_x = HaloEdge::periodic,
                                  .edge_z = HaloEdge::periodic})
                .result;
        };
        g.output("filled", filled(filled(part)));
        running = start(std::move(g));
        running.execute(3);
        EXPECT_TRUE(running->wait());
        const HostImage image = running.image("filled");
        return {image.texels.begin(), image.texels.end()};
    }
};

TEST_F(LentMessages, HaveTheBitsOfOthersAndAreTakenBack) {
    if (job_size() == 1) GTEST_SKIP() << "there are no messages";
    for (Ranks ranks : descending_grids(kCells)) {
        std::vector<std::byte> texels[2];
        for (const bool lends : {false, true}) {
            WatchedCommunicator watched(*communicator(), lends);
            ranks.communicator = &watched;
            Running running;
            texels[lends] = exchanged(ranks, running);
            const bool can = lends && communicator()->lends() && external_caps(device()).memory;
            EXPECT_EQ(watched.lent, can ? 1u : 0u);
            EXPECT_EQ(watched.copied > 0, can);
            running = {};
            EXPECT_EQ(watched.out, 0);
        }
        EXPECT_GT(texels[0].size(), 0u);
        EXPECT_EQ(texels[0], texels[1]);
    }
}

} // namespace
} // namespace tuff
