// A rank that is lost while others exchange with it. Run apart: nothing goes on after it.

#include "passes/mpi/exchange.hpp"
#include "ranks_fixture.hpp"

#include <signal.h>
#include <unistd.h>

#include <chrono>

namespace tuff {
namespace {

class LostRank : public testing_gpu::RanksTest {};

TEST_F(LostRank, IsNamedByTheErrorOfTheOthers) {
    if (job_size() < 3) GTEST_SKIP() << "needs three ranks";
    const Ranks ranks{
        .grid = {job_size(), 1, 1}, .rank = job_rank(), .communicator = communicator()};
    Graph g = graph_of(ranks);
    const auto part = ranks.part({12, 4, 1});
    const ImageDesc desc = testing_gpu::floats({part[0].count + 2, 6, 1}, false);
    const Image image = g.clear(g.image("part", desc), std::array<float, 4>{});
    const passes::HaloExchange pass{
        .source = image, .cells = {12, 4, 1}, .edge_x = passes::HaloEdge::periodic};
    g.output("result", g.add(pass).result);
    testing_gpu::Running running = start(std::move(g));
    ASSERT_TRUE(running);
    running.execute(3);
    ASSERT_TRUE(running->wait());
    if (job_rank() == 1) kill(getpid(), SIGKILL);
    const auto begin = std::chrono::steady_clock::now();
    Result<void> done;
    for (int i = 0; i < 5 && done; ++i) {
        done = running->execute();
        if (done) done = running->wait();
    }
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().front().code, "mpi/lost-rank");
    EXPECT_THAT(done.error().front().message, testing::HasSubstr(communicator()->name(1)));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

} // namespace
} // namespace tuff
