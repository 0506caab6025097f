#pragma once

#include "passes/filter/problem.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What tests of filters of arrays share, beside those of filter/convolve.
namespace tuff::testing_gpu {

using FilterNumbers = std::vector<float>;

/// Numbers from 0 to 1.
FilterNumbers unit_numbers(std::size_t count, std::uint32_t seed);

/// The neighbours of a result: the numbers that its neighbourhood meets, x fastest, with zeros
/// where they lie beyond the border. Weight i of a kernel that is not turned meets number i.
FilterNumbers neighbours(const passes::FilterProblem& problem, const FilterNumbers& source,
                         std::uint64_t result);

/// The number that a result stands for.
float own_number(const passes::FilterProblem& problem, const FilterNumbers& source,
                 std::uint64_t result);

/// 20 log10(peak / RMS of the differences).
double psnr(const FilterNumbers& a, const FilterNumbers& b, double peak);

/// Many cases run as one graph.
class FilterArrayTest : public GpuTest {
  protected:
    Graph& batch();
    Buffer numbers(const FilterNumbers& values);
    /// `look` sees the buffer once the graph has run.
    void expect(Buffer buffer, std::function<void(const FilterNumbers&)> look);
    void run_batch();
    /// The codes of the errors of a graph.
    std::vector<std::string> codes(const std::function<Buffer(Graph&)>& make);
    static Buffer numbers(Graph& g, std::string_view name, const FilterNumbers& values);

  private:
    std::optional<Graph> batch_;
    std::uint32_t made_ = 0;
    std::vector<std::pair<std::string, std::function<void(const FilterNumbers&)>>> looks_;
};

} // namespace tuff::testing_gpu
