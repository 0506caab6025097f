#pragma once

#include "passes/bvh/bvh.hpp"

#include <array>

namespace tuff::passes {

/// A mesh put into the world, as `InstanceBvh` reads it.
struct MeshInstance {
    /// Rows of a matrix of three rows and four columns: the last column moves the origin.
    std::array<float, 12> transform{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    std::uint32_t mesh = 0; ///< which of `InstanceBvh::meshes`
    std::uint32_t id = 0;   ///< a number of the host's: a material, a draw
    std::array<std::uint32_t, 2> unused{};

    static constexpr std::string_view kStructName = "MeshInstance";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(MeshInstance, transform), TUFF_MEMBER(MeshInstance, mesh),
                          TUFF_MEMBER(MeshInstance, id), TUFF_MEMBER(MeshInstance, unused)};
    }
};
static_assert(sizeof(MeshInstance) == 64);

/// A hierarchy over instances of meshes. See `describe`.
struct InstanceBvh {
    static constexpr std::string_view kName = "bvh/instances";

    std::vector<Bvh> meshes;
    Buffer instances;
    std::int64_t length = -1;

    Bvh bvh;

    static void describe(PassInfo<InstanceBvh>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
