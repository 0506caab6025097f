#pragma once

#include "passes/filter/convolve.hpp"
#include "tests/gpu/filter/way_test.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What the tests of filter/convolve share.
namespace tuff::testing_gpu {

using Floats = std::vector<float>;

/// A constant of these.
Buffer constant_floats(Graph& g, const Floats& numbers);
/// Whole numbers from `low` to `high`.
Floats random_whole(std::size_t count, int low, int high, std::uint32_t seed);
/// 1, 2, 3, ...
Floats counted(std::size_t count);
/// Samples of a Gaussian, their sum 1.
Floats gaussian(const passes::FilterSize& size, double sigma);

/// Sobel's derivative along x, and the sums of second differences of 3 x 3 and 5 x 5 numbers,
/// whose middles are -4 and -24.
extern const Floats kSobel;
extern const Floats kLaplace3;
extern const Floats kLaplace5;

struct ArrayShape {
    passes::FilterSize size;
    passes::FilterSize kernel_size;
};
/// A problem with random weights.
passes::FilterProblem random_problem(const passes::FilterSize& size,
                                     const passes::FilterSize& kernel_size,
                                     passes::FilterBorder border = passes::FilterBorder::zero);
/// Random numbers for its source.
Floats random_source(const passes::FilterProblem& problem);

/// How a problem is solved.
struct Way {
    passes::FilterPath path = passes::FilterPath::tiled;
    std::uint32_t slabs = 0;
    bool device_weights = false; ///< the host does not know them
};

class ConvolveTest : public WayTest {
  protected:
    /// From here on the graph is for a device that is none of the software ones: shapes of groups
    /// are those of GPUs, and run all the same.
    void as_for_gpus();

    /// All borders; on the device that takes long to compile a kernel, where both are tested, some.
    static std::vector<passes::FilterBorder> borders();
    /// Adds filter/convolve to the graph; its weights are the problem's.
    Buffer add(const passes::FilterProblem& problem, const Floats& source, const Way& way);
    /// What comes of it is handed to `look`.
    void solve(const passes::FilterProblem& problem, const Floats& source, const Way& way,
               std::function<void(const Floats&)> look);
    /// What comes of it differs from the reference by `within` of sum |number weight| at most: at
    /// all places, or at 4,096 where there are many.
    void expect_reference(const passes::FilterProblem& problem, const Floats& source,
                          const Way& way, double within = 1e-6);
    /// Likewise of random numbers.
    void expect_reference(const passes::FilterProblem& problem, passes::FilterPath path) {
        expect_reference(problem, random_source(problem), {.path = path});
    }
    /// The codes of what is wrong with a pass.
    std::vector<std::string> codes(passes::FilterConvolve pass, std::size_t numbers = 64,
                                   const Floats& kernel = {});
};

} // namespace tuff::testing_gpu
