#pragma once

#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/octree/octree_reference.hpp"

#include <random>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

using HostPoints = std::vector<passes::OctreePoint>;

inline std::uint32_t rgba(std::uint32_t r, std::uint32_t g, std::uint32_t b,
                          std::uint32_t a = 255) {
    return r | g << 8 | b << 16 | a << 24;
}

/// A tree and its status, as read back.
struct ReadTree {
    HostNodes nodes;
    passes::OctreeStatus status;
};

class OctreeTest : public GpuTest {
  protected:
    static Buffer points(Graph& g, const std::string& name, const HostPoints& values) {
        return g.constant_buffer(name, {.size = 16 * values.size(), .stride = 16},
                                 bytes_of(values));
    }
    /// Copies, for what lasts cannot be an output.
    static void output(Graph& g, const std::string& name, const passes::Octree& tree) {
        const auto copied = [&](const std::string& part, Buffer buffer) {
            const Buffer copy =
                g.copy(buffer, g.buffer(name + "_" + part, g.desc(buffer)), "copy_" + part);
            g.output(name + "." + part, copy);
        };
        copied("nodes", tree.nodes);
        copied("blocks", tree.blocks);
        copied("free", tree.free);
        g.output(name + ".status", tree.status);
    }
    /// Checks that the tree is sound.
    static ReadTree read(Running& running, const std::string& name,
                         const passes::OctreeShape& shape) {
        ReadTree result;
        result.status = passes::OctreeStatus::read(running.buffer<std::uint32_t>(name + ".status"));
        const auto nodes = running.buffer<std::uint32_t>(name + ".nodes");
        const auto blocks = running.buffer<std::uint32_t>(name + ".blocks");
        const auto free = running.buffer<std::uint32_t>(name + ".free");
        DeviceTree tree = read_tree(shape, result.status, nodes, blocks, free);
        EXPECT_THAT(tree.faults, testing::IsEmpty()) << name;
        EXPECT_EQ(tree.nodes.size(), result.status.nodes()) << name;
        result.nodes = std::move(tree.nodes);
        return result;
    }
    /// The trees after each of these frames, in one execution.
    std::vector<ReadTree> fused(const passes::FuseOctree& pass,
                                const std::vector<HostPoints>& frames) {
        Graph g = graph();
        passes::Octree tree;
        passes::OctreeShape shape = pass.tree;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const std::string name = "frame" + std::to_string(i);
            passes::FuseOctree one = pass;
            one.points = points(g, name + "_points", frames[i]);
            one.before = tree;
            tree = g.add(one, name).octree;
            output(g, name, tree);
        }
        Running running = run(std::move(g));
        std::vector<ReadTree> trees;
        for (std::size_t i = 0; running && i < frames.size(); ++i)
            trees.push_back(read(running, "frame" + std::to_string(i), shape));
        return trees;
    }
    /// Compares, with colours within `tolerance`; says what differs first.
    static std::string difference(const HostNodes& got, const HostNodes& expected,
                                  int tolerance = 0);
};

} // namespace tuff::testing_gpu
