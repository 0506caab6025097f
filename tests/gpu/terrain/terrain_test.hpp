#pragma once

#include "passes/terrain/quadtree.hpp"
#include "passes/terrain/surface.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/graph_runner.hpp>

#include <glm/vec3.hpp>

#include <cstdint>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tuff {

using passes::TreeNode;

/// Which nodes are divided, in double precision, as the chapter says it.
struct TrueTree {
    std::vector<glm::dvec3> eyes;
    double k = 8.0;
    double fov = 60.0; ///< degrees
    double side = 1.0;
    std::uint32_t max_level = 14;

    double extent_at(double distance) const; ///< 2 z tan(fov / 2)
    double size_of(const TreeNode& node) const;
    double distance_of(const TreeNode& node, glm::dvec3 eye) const;
    bool divides(const TreeNode& node) const;
    /// Rounding may decide otherwise: |k size - s| < 1e-5 s for some eye.
    bool is_close(const TreeNode& node) const;
    std::set<TreeNode> leaves() const;
};

/// Half a square's side about the origin, more or less, and up to that high.
glm::vec3 random_eye(std::mt19937& random, double side = 1.0);

/// A camera that looks ahead and down.
passes::CameraParameters camera_at(glm::vec3 eye, double fov = 60.0,
                                   glm::vec3 towards = {0.3f, -0.5f, -1.0f});

/// What a tree's buffers say.
struct HostTree {
    std::vector<TreeNode> leaves; ///< in the order of the list
    std::vector<std::uint32_t> edges;
    passes::TreeStatus status;
    std::set<TreeNode> set() const { return {leaves.begin(), leaves.end()}; }
};

class TerrainTest : public testing_gpu::GpuTest {
  protected:
    /// Of a flat square.
    static passes::Surface flat(Graph& g, float side = 1.0f);
    /// A map of heights on the host, texel by texel from above.
    static Image height_map(Graph& g, std::uint32_t width, std::uint32_t height,
                            const std::vector<float>& values);

    /// Frames of graphs that differ little: what `build` adds must have the output "leaves" and so
    /// on, which `output_tree` makes.
    GraphRunner& runner();
    static void output_tree(Graph& g, const passes::QuadTree& tree);
    HostTree frame(Graph g, passes::TreeKeys keys);
    /// A frame of `pass` over a flat square.
    HostTree frame(const passes::BuildQuadTree& pass, float side = 1.0f);
    template <typename T>
    std::vector<T> read(std::string_view name);

    void TearDown() override {
        runner_.reset();
        GpuTest::TearDown();
    }

  private:
    std::optional<GraphRunner> runner_;
};

/// Fails unless the leaves cover the faces once: their areas add up, and no leaf holds another.
void expect_partition(const std::vector<TreeNode>& leaves, std::uint32_t faces,
                      const std::string& what);
/// How many levels coarser the leaf beyond a side of `node` is; of a tree over one square that does
/// not close. 0 where it is as fine, or finer, or there is none.
std::uint32_t coarser_beyond(const std::set<TreeNode>& leaves, const TreeNode& node,
                             std::uint32_t side);

template <typename T>
std::vector<T> TerrainTest::read(std::string_view name) {
    const auto bytes = runner().executor()->read_buffer(name);
    EXPECT_TRUE(bytes) << name;
    if (!bytes) return {};
    std::vector<T> values(bytes->size() / sizeof(T));
    std::memcpy(values.data(), bytes->data(), values.size() * sizeof(T));
    return values;
}

} // namespace tuff
