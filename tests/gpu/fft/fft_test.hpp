#pragma once

#include "passes/fft/forward.hpp"
#include "passes/fft/inverse.hpp"
#include "passes/fft/real_forward.hpp"
#include "passes/fft/real_inverse.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the tests of fft share: arrays in and out of a graph, and FFTW in double precision.
namespace tuff::testing_gpu {

using Complexes = std::vector<std::complex<double>>;
using Reals = std::vector<double>;
using Sizes = std::vector<int>; ///< x first

/// Numbers from -1 to 1, as floats hold them.
Complexes random_complexes(std::size_t count, std::uint32_t seed);
Reals random_reals(std::size_t count, std::uint32_t seed);

/// By FFTW, unscaled. `batch` arrays follow one another; all axes are transformed.
Complexes fftw(Complexes numbers, const Sizes& size, int sign, int batch = 1);
Complexes fftw_real(const Reals& numbers, const Sizes& size, int batch = 1);
Reals fftw_real_inverse(Complexes half, const Sizes& size, int batch = 1);

/// Arrays of one size in another: cut, or followed by zeros.
template <typename Numbers>
Numbers padded(const Numbers& numbers, const Sizes& from, const Sizes& to, int batch);

/// |got - expected| / |expected|, both norms over all numbers.
double relative_error(const Complexes& got, const Complexes& expected);
double relative_error(const Reals& got, const Reals& expected);
/// What a transform of `count` numbers may differ by; see fft_test.cpp.
double error_bound(double count);

glm::uvec4 as_vector(const Sizes& size);
std::size_t count_of(const Sizes& size);

class FftTest : public GpuTest {
  protected:
    Buffer complexes(Graph& g, std::string_view name, const Complexes& numbers);
    Buffer reals(Graph& g, std::string_view name, const Reals& numbers);
    static Complexes complexes(Running& running, std::string_view output);
    static Reals reals(Running& running, std::string_view output);

    /// Many cases run as one graph: a case adds its nodes to `batch()` and looks at its outputs in
    /// `later`; names of outputs begin with `tag()`.
    Graph& batch();
    std::string tag() const { return std::to_string(checks_.size()) + "."; }
    void later(std::function<void(Running&)> check) { checks_.push_back(std::move(check)); }
    void run_batch();

    /// All of a list; on the device that takes long to compile a kernel, where both are tested,
    /// each `step`th.
    template <typename T>
    static std::vector<T> some_of(std::vector<T> all, std::size_t step) {
        if (!test::leaves_to("swiftshader")) return all;
        std::vector<T> some;
        for (std::size_t i = 0; i < all.size(); i += step)
            some.push_back(all[i]);
        return some;
    }

    /// The codes of what is wrong with a pass.
    template <typename Pass>
    std::vector<std::string> codes(const std::function<Pass(Graph&)>& make) {
        Graph g = graph();
        g.output("result", g.add(make(g)).result);
        return codes_of(std::move(g));
    }

  private:
    std::vector<std::string> codes_of(Graph g);
    std::optional<Graph> batch_;
    std::vector<std::function<void(Running&)>> checks_;
};

} // namespace tuff::testing_gpu
