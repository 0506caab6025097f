#include "passes/distance/saito.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <algorithm>

namespace tuff {
namespace {

using passes::ColumnMode;

class SaitoTest : public DistanceTest {
  protected:
    void expect_exact(const NamedSeed& one, ColumnMode columns, std::uint32_t clamp) {
        std::vector<std::uint32_t> expected = reference::squared_distances(one.seed);
        if (clamp != 0)
            for (std::uint32_t& value : expected)
                value = std::min(value, clamp * clamp);
        Graph g = graph();
        const auto pass = g.add(passes::SaitoToriwaki{
            .seed = image_of(g, one.seed), .clamp = clamp, .columns = columns});
        g.output("field", pass.field);
        g.output("status", pass.status);
        testing_gpu::Running running = run(std::move(g));
        EXPECT_EQ(whole_numbers(running.image("field")), expected) << one.name << ", " << clamp;
        const auto status = passes::DistanceStatus::read(running.buffer<std::uint32_t>("status"));
        EXPECT_EQ(status.objects + status.background, one.seed.texels.size());
        EXPECT_EQ(status.codes, one.seed.empty_of_objects() ? passes::kEmptySeed : 0u);
    }
};

TEST_F(SaitoTest, Check1SquaredDistancesAreExact) {
    for (const NamedSeed& one : seeds_of_all_kinds())
        for (const ColumnMode columns : {ColumnMode::bounded, ColumnMode::brute})
            expect_exact(one, columns, 0);
}

TEST_F(SaitoTest, Check1ClampedDistancesAreExactBelowTheClamp) {
    for (const std::uint32_t clamp : {1u, 16u, 255u})
        for (const ColumnMode columns : {ColumnMode::bounded, ColumnMode::brute})
            expect_exact({"300 x 40", random_seed(300, 40, 0.002)}, columns, clamp);
}

TEST_F(SaitoTest, AnEmptySeedIsInfinitelyFarAndSaysSo) {
    const NamedSeed empty{"empty", seed_where(37, 21, [](auto, auto) { return false; })};
    for (const ColumnMode columns : {ColumnMode::bounded, ColumnMode::brute}) {
        expect_exact(empty, columns, 0);
        expect_exact(empty, columns, 16);
    }
}

} // namespace
} // namespace tuff
