#pragma once

#include "passes/filter/ways.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/filter_reference.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What the tests of the ways to convolve share: problems with numbers and weights, and the sums in
/// double precision that results are compared with.
namespace tuff::testing_gpu {

/// Numbers of [-1, 1), as floats hold them.
std::vector<float> random_numbers(std::uint64_t count, std::uint32_t seed);

inline constexpr std::array kEveryBorder{passes::FilterBorder::zero, passes::FilterBorder::clamp,
                                         passes::FilterBorder::mirror, passes::FilterBorder::wrap,
                                         passes::FilterBorder::valid};

/// A problem with random numbers and weights.
struct FilterCase {
    passes::FilterProblem problem;
    std::vector<float> source;
    std::vector<float> kernel;
    std::vector<reference::FilterSum> expected;
};
using SharedCase = std::shared_ptr<const FilterCase>;
SharedCase filter_case(const passes::FilterProblem& problem, std::uint32_t seed = 1);
/// Of these numbers.
SharedCase filter_case(const passes::FilterProblem& problem, std::vector<float> source,
                       std::vector<float> kernel);

std::string text_of(const passes::FilterProblem& problem);

using FilterWay =
    std::function<Buffer(Graph&, Buffer source, Buffer kernel, const passes::FilterProblem&)>;
struct NamedWay {
    std::string name;
    FilterWay way;
};

/// How far results may be off: a share of the sum of |number * weight| of each; or of the greatest
/// |number| times the sum of |weights|.
struct WayBound {
    double of_own_sum = 0.0;
    double of_greatest = 0.0;
};
/// Of sums in single precision, whatever their order: the text's 1e-6.
inline constexpr WayBound kDirectBound{.of_own_sum = 1e-6};
/// Of transforms: the text's 2e-6 log2 of the numbers.
WayBound transform_bound(const passes::FilterProblem& problem);

/// Fails the test where a result is off.
void expect_sums(const std::vector<float>& got, const FilterCase& expected, const WayBound& bound,
                 const std::string& what);

/// Many cases run as one graph: a case adds its nodes and is looked at when all have run.
class WayTest : public GpuTest {
  protected:
    /// A way's results for a case.
    void try_way(const NamedWay& way, const SharedCase& one, const WayBound& bound);
    void run_batch();

    Graph& batch();
    Buffer floats(const std::vector<float>& numbers);
    /// Keeps a result; `check` is called with it by `run_batch`.
    void later(Buffer result, std::function<void(const std::vector<float>&)> check);

  private:
    struct Check {
        std::string output;
        std::function<void(const std::vector<float>&)> check;
    };
    std::optional<Graph> batch_;
    std::vector<Check> checks_;
};

} // namespace tuff::testing_gpu
