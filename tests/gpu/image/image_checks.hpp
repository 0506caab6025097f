#pragma once

#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/image_reference.hpp"

#include <tuff/graph.hpp>
#include <tuff/image.hpp>

#include <map>
#include <string>
#include <vector>

namespace tuff {

/// A graph together with what its results must be.
class ImageChecks {
  public:
    explicit ImageChecks(const ShaderInterfaces& shaders) : graph_(shaders) {}

    Graph& graph() { return graph_; }

    /// A constant image of the graph.
    Image source(const HostImage& image);

    /// `result` must equal `expected` to within its bound and the rounding of the result's format.
    void expect(Image result, reference::Expected expected, std::string what);
    /// `result` must hold exactly these values.
    void expect_exact(Image result, reference::Picture expected, std::string what);
    /// `result` is only handed back by `ImageTest::run`.
    void keep(Image result, std::string name);

    /// The graph, with an output for each result, in order: "0", "1", ... Nothing can be added
    /// afterwards.
    Graph take_graph();
    /// How many results there are.
    std::size_t size() const { return checks_.size(); }
    /// Compares result `index`; a mismatch fails the test. Returns the name it was kept under.
    std::string compare(std::size_t index, const HostImage& result) const;

  private:
    struct Check {
        Image result;
        std::string what;
        reference::Expected expected; ///< empty: nothing to compare
        bool exact = false;
    };

    Graph graph_;
    std::vector<Check> checks_;
};

/// A test that compares pictures made on the device.
class ImageTest : public testing_gpu::GpuTest {
  protected:
    ImageChecks begin() { return ImageChecks(shaders()); }
    /// Runs the graph once, compares all results and returns them by name.
    std::map<std::string, HostImage> run_checks(ImageChecks checks);
};

} // namespace tuff
