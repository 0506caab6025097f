#include "ranks_fixture.hpp"

#include <chrono>
#include <string_view>
#include <utility>

namespace tuff::testing_gpu {
namespace {

std::unique_ptr<Communicator>& joined() {
    static std::unique_ptr<Communicator> ranks;
    return ranks;
}

/// Joins the job before the first test and leaves it after the last one.
class Job : public testing::Environment {
  public:
    void SetUp() override {
        if (!Communicator::launched()) return;
        // Tests of lost ranks wait for that.
        const bool loses = std::string_view(GTEST_FLAG_GET(filter)).starts_with("LostRank");
        auto ranks = Communicator::join({.timeout = std::chrono::seconds(loses ? 3 : 60)});
        ASSERT_TRUE(ranks) << to_string(ranks.error());
        joined() = std::move(*ranks);
    }
    void TearDown() override { joined().reset(); }
};
// GoogleTest owns it.
testing::Environment* const job = testing::AddGlobalTestEnvironment(new Job);

/// All grids of the job's ranks that fit the field. A test of no grid at all would pass: none is a
/// failure.
std::vector<Ranks> fitting_grids(const passes::Cells& cells) {
    std::vector<Ranks> found;
    const std::uint32_t size = RanksTest::job_size();
    for (std::uint32_t x = 1; x <= size; ++x)
        for (std::uint32_t y = 1; x * y <= size; ++y) {
            if (size % (x * y) != 0) continue;
            const Ranks ranks{.grid = {x, y, size / (x * y)},
                              .rank = RanksTest::job_rank(),
                              .communicator = RanksTest::communicator()};
            if (ranks.check(cells)) found.push_back(ranks);
        }
    if (found.empty())
        ADD_FAILURE() << "no grid of " << size << " ranks fits " << cells[0] << "x" << cells[1]
                      << "x" << cells[2] << " cells";
    return found;
}

/// Six ranks share a few processors: every other grid has all ways to divide.
std::vector<Ranks> every_other(const std::vector<Ranks>& all) {
    constexpr std::uint32_t kFew = 4;
    if (RanksTest::job_size() <= kFew) return all;
    std::vector<Ranks> some;
    for (std::size_t i = 0; i < all.size(); i += 2)
        some.push_back(all[i]);
    return some;
}

} // namespace

void RanksTest::SetUp() {
    ASSERT_NE(job, nullptr);
    GpuTest::SetUp();
}

Communicator* RanksTest::communicator() {
    return job_size() > 1 ? joined().get() : nullptr;
}
std::uint32_t RanksTest::job_size() {
    return joined() ? static_cast<std::uint32_t>(joined()->size()) : 1;
}
std::uint32_t RanksTest::job_rank() {
    return joined() ? static_cast<std::uint32_t>(joined()->rank()) : 0;
}

std::vector<Ranks> RanksTest::grids(const passes::Cells& cells) {
    return every_other(fitting_grids(cells));
}

std::vector<Ranks> RanksTest::descending_grids(const passes::Cells& cells) {
    const std::vector<Ranks> all = fitting_grids(cells);
    std::vector<Ranks> found = all;
    std::erase_if(found, [](const Ranks& ranks) {
        return ranks.grid[0] < ranks.grid[1] || ranks.grid[1] < ranks.grid[2];
    });
    return found.empty() ? every_other(all) : found;
}

Graph RanksTest::graph_of(const Ranks& ranks) {
    Graph g = graph();
    g.set_ranks(ranks);
    return g;
}

float cell_value(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return static_cast<float>(x + 100 * y + 10'000 * z) + 0.5f;
}

std::shared_ptr<const std::vector<std::byte>>
texels_of(const passes::Cells& size,
          const std::function<float(std::uint32_t, std::uint32_t, std::uint32_t)>& value) {
    std::vector<float> texels;
    for (std::uint32_t z = 0; z < size[2]; ++z)
        for (std::uint32_t y = 0; y < size[1]; ++y)
            for (std::uint32_t x = 0; x < size[0]; ++x)
                texels.push_back(value(x, y, z));
    return bytes_of(texels);
}

passes::Cells part_size(const Ranks& ranks, const passes::Cells& cells, const passes::Cells& halo) {
    const auto part = ranks.part(cells);
    return {part[0].count + 2 * halo[0], part[1].count + 2 * halo[1], part[2].count + 2 * halo[2]};
}

std::shared_ptr<const std::vector<std::byte>>
part_texels(const Ranks& ranks, const passes::Cells& cells, const passes::Cells& halo,
            float outside, const std::function<float(const passes::Cells& cell)>& value) {
    const auto part = ranks.part(cells);
    return texels_of(part_size(ranks, cells, halo),
                     [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
                         const passes::Cells texel{x, y, z};
                         passes::Cells cell{};
                         for (std::size_t a = 0; a < 3; ++a) {
                             if (texel[a] < halo[a] || texel[a] >= halo[a] + part[a].count)
                                 return outside;
                             cell[a] = part[a].first + texel[a] - halo[a];
                         }
                         return value(cell);
                     });
}

ImageDesc floats(const passes::Cells& size, bool volume) {
    return {.format = Format::r32_sfloat,
            .extent = {size[0], size[1], size[2]},
            .shape = volume ? ImageShape::d3 : ImageShape::d2};
}

std::vector<float> values_in(Running& running, std::string_view output) {
    const HostImage image = running.image(output);
    std::vector<float> values;
    if (image.empty()) return values;
    values.resize(image.texels.size() / sizeof(float));
    std::memcpy(values.data(), image.texels.data(), values.size() * sizeof(float));
    return values;
}

} // namespace tuff::testing_gpu
