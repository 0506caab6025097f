// Filters that know nothing of ranks, on parts of a picture whose halo is as wide as they look: the
// result is theirs on the whole picture, to the bit.

#include "passes/image/gaussian.hpp"
#include "passes/image/median.hpp"
#include "passes/mpi/exchange.hpp"
#include "passes/mpi/gather.hpp"
#include "ranks_fixture.hpp"

#include <cmath>

namespace tuff {
namespace {

using passes::Cells;
using passes::Gaussian;
using passes::Median;
using testing_gpu::floats;
using testing_gpu::Running;
using testing_gpu::texels_of;
using testing_gpu::values_in;

class FiltersOfRanks : public testing_gpu::RanksTest {
  protected:
    static constexpr unsigned kTimes = 3;
    using Filter = std::function<Image(Graph&, Image)>;

    static float value_at(std::uint32_t x, std::uint32_t y) {
        return std::sin(0.9f * static_cast<float>(x)) * std::cos(1.7f * static_cast<float>(y)) +
               0.01f * static_cast<float>((7 * x + 13 * y) % 11);
    }

    std::vector<float> filtered_whole(const Cells& cells, const Filter& filter) {
        Graph g = graph();
        Image image =
            g.constant_image("whole", floats(cells, false),
                             texels_of(cells, [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
                                 return value_at(x, y);
                             }));
        for (unsigned i = 0; i < kTimes; ++i)
            image = filter(g, image);
        g.output("result", image);
        Running running = run(std::move(g));
        return values_in(running, "result");
    }

    std::vector<float> filtered_parts(const Cells& cells, const Ranks& ranks, std::uint32_t halo,
                                      const Filter& filter) {
        Graph g = graph_of(ranks);
        const auto part = ranks.part(cells);
        const Cells size{part[0].count + 2 * halo, part[1].count + 2 * halo, 1};
        Image image = g.constant_image(
            "part", floats(size, false),
            texels_of(size, [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
                const bool inside =
                    x >= halo && y >= halo && x < halo + part[0].count && y < halo + part[1].count;
                return inside ? value_at(part[0].first + x - halo, part[1].first + y - halo)
                              : -100.0f;
            }));
        const glm::ivec3 whole(cells[0], cells[1], 1);
        const auto width = static_cast<std::int32_t>(halo);
        for (unsigned i = 0; i < kTimes; ++i)
            image = filter(
                g,
                g.add(passes::HaloExchange{.source = image, .cells = whole, .halo = width}).result);
        g.output("result",
                 g.add(passes::GatherParts{.source = image, .cells = whole, .halo = width}).result);
        Running running = run(std::move(g));
        return values_in(running, "result");
    }

    void check(std::uint32_t halo, const Filter& filter) {
        for (const Cells& cells : {Cells{37, 23, 1}, Cells{4, 9, 1}}) {
            const std::vector<float> expected = filtered_whole(cells, filter);
            ASSERT_FALSE(expected.empty());
            for (const Ranks& ranks : grids(cells)) {
                const std::vector<float> result = filtered_parts(cells, ranks, halo, filter);
                if (ranks.rank != 0) continue;
                EXPECT_EQ(result, expected) << ranks.grid[0] << " ranks along x";
            }
        }
    }
};

TEST_F(FiltersOfRanks, BlurAsOneRankDoes) {
    check(3, [](Graph& g, Image image) {
        return g.add(Gaussian{.source = image, .sigma = 1.3f, .radius = 3}).result;
    });
}

TEST_F(FiltersOfRanks, TakeMediansAsOneRankDoes) {
    check(2,
          [](Graph& g, Image image) { return g.add(Median{.source = image, .window = 5}).result; });
}

} // namespace
} // namespace tuff
