#include "tests/common/npy.hpp"
#include "tests/gpu/fft/fft_test.hpp"

/// A volume of odd sides against SciPy's transform, which is stored beside this file.
namespace tuff {
namespace {

using testing_gpu::Complexes;
using testing_gpu::Reals;
using testing_gpu::Running;

class FftScipy : public testing_gpu::FftTest {};

TEST_F(FftScipy, HasTheSameSpectrumOfAVolumeOfOddSides) {
    const std::vector<float> stored = test::stored_numbers("gpu/fft/scipy/odd.npy");
    const std::vector<float> parts = test::stored_numbers("gpu/fft/scipy/odd_spectrum.npy");
    const Reals volume(stored.begin(), stored.end());
    Complexes expected;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
        expected.emplace_back(parts[i], parts[i + 1]);
    ASSERT_EQ(expected.size(), 8u * 11 * 9);

    Graph g = graph();
    const Buffer spectrum =
        g.add(passes::FftRealForward{.source = reals(g, "volume", volume), .size = {15, 11, 9, 1}})
            .result;
    g.output("spectrum", spectrum);
    Running running = run(std::move(g));
    EXPECT_LE(testing_gpu::relative_error(complexes(running, "spectrum"), expected),
              testing_gpu::error_bound(15.0 * 11 * 9));
}

} // namespace
} // namespace tuff
