// Numbers of all ranks combined.

#include "passes/mpi/all_reduce.hpp"
#include "ranks_fixture.hpp"

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

using passes::RankNumber;
using passes::RankOperation;
using testing_gpu::bytes_of;
using testing_gpu::Running;

class AllReduce : public testing_gpu::RanksTest {
  protected:
    static constexpr std::size_t kCount = 37;

    /// Of rank `rank`: sums depend on their order, and signs differ.
    template <typename Number>
    static std::vector<Number> numbers_of(std::uint32_t rank) {
        std::vector<Number> numbers(kCount);
        for (std::size_t i = 0; i < kCount; ++i) {
            const double value = std::sin(1.0 + static_cast<double>(i) * 0.7 + 2.3 * rank) *
                                 std::pow(10.0, static_cast<double>((i + 3 * rank) % 7));
            if constexpr (std::is_unsigned_v<Number>)
                numbers[i] = static_cast<Number>(static_cast<std::int64_t>(value * 1e3));
            else
                numbers[i] = static_cast<Number>(value);
        }
        return numbers;
    }
    template <typename Number>
    static Number combined(Number a, Number b, RankOperation operation) {
        if (operation == RankOperation::sum) return static_cast<Number>(a + b);
        return operation == RankOperation::min ? std::min(a, b) : std::max(a, b);
    }

    template <typename Number>
    void check(RankNumber type) {
        const std::uint32_t size = job_size();
        const Ranks ranks{.grid = {size, 1, 1}, .rank = job_rank(), .communicator = communicator()};
        for (const RankOperation operation :
             {RankOperation::sum, RankOperation::min, RankOperation::max}) {
            Graph g = graph_of(ranks);
            const Buffer source = g.constant_buffer("source", {.size = kCount * 4, .stride = 4},
                                                    bytes_of(numbers_of<Number>(ranks.rank)));
            const passes::AllReduce pass{.source = source, .type = type, .operation = operation};
            g.output("result", g.add(pass).result);
            Running running = run(std::move(g), 4);
            std::vector<Number> expected = numbers_of<Number>(0);
            for (std::uint32_t rank = 1; rank < size; ++rank) {
                const std::vector<Number> other = numbers_of<Number>(rank);
                for (std::size_t i = 0; i < kCount; ++i)
                    expected[i] = combined(expected[i], other[i], operation);
            }
            EXPECT_EQ(running.buffer<Number>("result"), expected);
        }
    }
};

TEST_F(AllReduce, CombinesFloatsInTheOrderOfTheRanks) {
    check<float>(RankNumber::f32);
}
TEST_F(AllReduce, CombinesWholeNumbers) {
    check<std::uint32_t>(RankNumber::u32);
}
TEST_F(AllReduce, CombinesNumbersWithSigns) {
    check<std::int32_t>(RankNumber::i32);
}

TEST_F(AllReduce, RefusesWhatAreNo32BitNumbers) {
    Graph g = graph();
    (void)g.add(passes::AllReduce{.source = g.buffer("odd", {.size = 6})});
    ASSERT_EQ(g.peek().diagnostics.size(), 1u);
    EXPECT_EQ(g.peek().diagnostics[0].code, "mpi/part-size");
}

} // namespace
} // namespace tuff
