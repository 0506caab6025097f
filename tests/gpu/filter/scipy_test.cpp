#include "passes/filter/convolve.hpp"
#include "passes/filter/kernel.hpp"
#include "passes/filter/local_structure.hpp"
#include "tests/common/npy.hpp"
#include "tests/gpu/filter/array_fixture.hpp"

#include <cmath>

/// Filters of volumes and of a volume over time against SciPy's, whose results are stored beside
/// this file: spec section 4, the judge from outside.
namespace tuff {
namespace {

using passes::FilterBorder;
using passes::FilterConvolve;
using passes::FilterPath;
using testing_gpu::FilterNumbers;

constexpr glm::uvec4 kVolumeSize{14, 11, 9, 1};

FilterNumbers scipy(const std::string& name) {
    return test::stored_numbers("gpu/filter/scipy/" + name + ".npy");
}

class FilterScipyTest : public testing_gpu::FilterArrayTest {
  protected:
    /// No number differs by more than `most`.
    void expect_near(Buffer buffer, FilterNumbers expected, float most) {
        expect(buffer, [expected = std::move(expected), most](const FilterNumbers& got) {
            ASSERT_EQ(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i)
                ASSERT_NEAR(got[i], expected[i], most) << i;
        });
    }
};

TEST_F(FilterScipyTest, ConvolvesVolumesAsScipyDoesAtAllBorders) {
    const FilterNumbers volume = scipy("volume");
    const FilterNumbers weights = scipy("kernel");
    const FilterNumbers all = scipy("convolved");
    ASSERT_EQ(all.size(), 4 * volume.size());
    std::size_t first = 0;
    for (const FilterBorder border :
         {FilterBorder::zero, FilterBorder::clamp, FilterBorder::mirror, FilterBorder::wrap}) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        const FilterNumbers expected(begin, begin + static_cast<std::ptrdiff_t>(volume.size()));
        // 45 weights of at most 0.6: direct sums are off by 1e-6 of sum |weight * number| at most,
        // 1.3e-5, transforms by 2e-6 log2(n) of the greatest, 2.6e-4.
        for (const auto& [path, most] :
             {std::pair{FilterPath::tiled, 1.3e-5f}, {FilterPath::fft, 2.6e-4f}})
            expect_near(batch()
                            .add(FilterConvolve{.source = numbers(volume),
                                                .weights = weights,
                                                .size = kVolumeSize,
                                                .kernel_size = {3, 5, 3, 1},
                                                .border = border,
                                                .path = path})
                            .result,
                        expected, most);
        first += volume.size();
    }
    run_batch();
}

TEST_F(FilterScipyTest, SmoothsVolumesAsScipyDoes) {
    const Buffer kernel =
        batch().add(passes::FilterKernel{.size = {9, 9, 9, 1}, .sigma = glm::vec4(1.25f)}).kernel;
    // Sums to 1 of numbers below 1.
    expect_near(batch()
                    .add(FilterConvolve{.source = numbers(scipy("volume")),
                                        .kernel = kernel,
                                        .size = kVolumeSize,
                                        .kernel_size = {9, 9, 9, 1},
                                        .border = FilterBorder::mirror})
                    .result,
                scipy("gaussian"), 2e-6f);
    run_batch();
}

TEST_F(FilterScipyTest, FindsTheStructureThatScipyFinds) {
    const FilterNumbers expected = scipy("tensor");
    // Gradients of up to 16 have products of up to 256.
    expect_near(batch()
                    .add(passes::FilterLocalStructure{.source = numbers(scipy("volume")),
                                                      .method = passes::TensorMethod::gradient,
                                                      .size = kVolumeSize,
                                                      .kernel_size = {3, 3, 3, 1},
                                                      .smoothing = {1.0f, 1.0f, 1.0f, 0.0f},
                                                      .border = FilterBorder::mirror})
                    .tensor,
                expected, 2.6e-4f);
    run_batch();
}

TEST_F(FilterScipyTest, ConvolvesVolumesOverTimeAsScipyDoes) {
    for (const auto& [path, most] : {std::pair{FilterPath::tiled, 7e-5f}, {FilterPath::fft, 8e-4f}})
        expect_near(batch()
                        .add(FilterConvolve{.source = numbers(scipy("array4")),
                                            .weights = scipy("kernel4"),
                                            .size = {9, 8, 7, 6},
                                            .kernel_size = {3, 5, 3, 3},
                                            .path = path})
                        .result,
                    scipy("fftconvolved"), most); // 135 weights of at most 0.5
    run_batch();
}

} // namespace
} // namespace tuff
