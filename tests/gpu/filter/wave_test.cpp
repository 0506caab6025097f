#include "passes/filter/convolve.hpp"
#include "passes/filter/directions.hpp"
#include "passes/filter/kernel.hpp"
#include "passes/filter/polar.hpp"
#include "tests/gpu/filter/structure_fixture.hpp"
#include "tests/gpu/filter/waves.hpp"

#include <fmt/format.h>

#include <cmath>

/// Pictures and volumes of plane waves, from the kernel to magnitude and phase.
namespace tuff {
namespace {

using passes::FilterSize;
using testing_gpu::kWavePi;
using testing_gpu::Running;

constexpr std::uint32_t kWaveKernel = 11;

class FilterWaveFields : public testing_gpu::StructureTest {
  protected:
    /// Of a wave along a direction at a place, counted from the first whose neighbourhood exists.
    static double phase_at(const glm::dvec4& n, std::size_t place, const FilterSize& size,
                           std::uint32_t first) {
        double phase = 0.4;
        for (int a = 0; a < 4; ++a) {
            const std::uint32_t side = size[static_cast<std::size_t>(a)];
            const double at = static_cast<double>(place % side) + (side > 1 ? first : 0);
            phase += 0.5 * kWavePi * n[a] * at;
            place /= side;
        }
        return phase;
    }
};

/// The filter of a direction answers a wave along it, of its frequency and amplitude 2, with a
/// magnitude of 2 everywhere and the wave's own phase: even and odd part are a quarter period
/// apart.
TEST_F(FilterWaveFields, AreAnsweredByMagnitudeAndPhase) {
    const std::vector<FilterSize> sizes{{41, 26, 1, 1}, {19, 17, 14, 1}};
    Graph g = graph();
    for (const FilterSize& size : sizes) {
        const std::uint32_t d = passes::kernel_dimensions(size);
        const auto directions = passes::filter_directions(d);
        std::vector<float> waves; // an array for each direction
        for (const glm::dvec4& n : directions)
            for (std::size_t i = 0; i < passes::filter_count(size); ++i)
                waves.push_back(static_cast<float>(2.0 * std::cos(phase_at(n, i, size, 0))));
        const auto batch = static_cast<std::uint32_t>(directions.size());
        const glm::uvec4 kernel_size = vector_of(testing_gpu::cube(d, kWaveKernel));
        const Buffer kernel =
            g.add(passes::FilterKernel{.kind = passes::FilterKernelKind::quadrature,
                                       .size = kernel_size,
                                       .window = passes::KernelWindow::cosine})
                .kernel;
        const Buffer responses = g.add(passes::FilterConvolve{.source = numbers(g, "waves", waves),
                                                              .kernel = kernel,
                                                              .size = vector_of(size),
                                                              .batch = batch,
                                                              .kernel_size = kernel_size,
                                                              .filters = 2 * batch,
                                                              .border = passes::FilterBorder::valid,
                                                              .path = passes::FilterPath::tiled})
                                     .result;
        const auto polar = g.add(passes::FilterPolar{.responses = responses,
                                                     .pairs = batch,
                                                     .size = vector_of(size) - kernel_size + 1u,
                                                     .batch = batch});
        g.output(fmt::format("magnitude {}", d), polar.magnitude);
        g.output(fmt::format("phase {}", d), polar.phase);
    }
    Running running = run(std::move(g));
    for (const FilterSize& size : sizes) {
        const std::uint32_t d = passes::kernel_dimensions(size);
        const auto directions = passes::filter_directions(d);
        FilterSize left = size;
        for (std::uint32_t a = 0; a < d; ++a)
            left[a] -= kWaveKernel - 1;
        const std::size_t places = passes::filter_count(left);
        const std::size_t count = directions.size();
        const auto magnitude = running.buffer<float>(fmt::format("magnitude {}", d));
        const auto phase = running.buffer<float>(fmt::format("phase {}", d));
        ASSERT_EQ(magnitude.size(), count * count * places);
        for (std::size_t k = 0; k < count; ++k)
            for (std::size_t p = 0; p < places; ++p) {
                // Array k, and of its filters number k.
                const std::size_t at = (k * count + k) * places + p;
                ASSERT_NEAR(static_cast<double>(magnitude[at]), 2.0, 0.02)
                    << d << " dimensions, direction " << k << ", place " << p;
                const double off =
                    std::remainder(static_cast<double>(phase[at]) -
                                       phase_at(directions[k], p, left, kWaveKernel / 2),
                                   2.0 * kWavePi);
                ASSERT_LE(std::abs(off) * 180.0 / kWavePi, 0.5) << k << ", place " << p;
            }
    }
}

} // namespace
} // namespace tuff
