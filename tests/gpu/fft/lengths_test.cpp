#include "tests/gpu/fft/fft_test.hpp"

#include <fftw3.h>

namespace tuff {
namespace {

using passes::FftForward;
using testing_gpu::Complexes;
using testing_gpu::error_bound;
using testing_gpu::fftw;
using testing_gpu::random_complexes;
using testing_gpu::relative_error;
using testing_gpu::Running;

class FftLengths : public testing_gpu::FftTest {};

TEST_F(FftLengths, AreAllRight) {
    for (int n = 1; n <= 40; ++n) {
        const Complexes numbers = random_complexes(static_cast<std::size_t>(3 * n), 1);
        const std::string name = tag();
        const Buffer source = complexes(batch(), name + "source", numbers);
        batch().output(
            name,
            batch().add(FftForward{.source = source, .size = {n, 1, 1, 1}, .batch = 3}).result);
        later([=](Running& running) {
            EXPECT_LE(relative_error(complexes(running, name), fftw(numbers, {n}, FFTW_FORWARD, 3)),
                      error_bound(n))
                << n;
        });
    }
    run_batch();
}

} // namespace
} // namespace tuff
