#pragma once

#include "passes/bvh/bvh.hpp"

#include <vector>

namespace tuff::passes {

/// A hierarchy of boxes over a mesh, for collisions: binary nodes, and for each a box of its own.
struct BoxTree {
    static constexpr std::string_view kPortType = "BoxTree";

    Bvh bvh;
    Buffer boxes; ///< an `OrientedBox` a node

    explicit operator bool() const { return bool(bvh) && bool(boxes); }
    std::vector<PortMember> members() const;
};

/// Which way the boxes of nodes lie.
enum class BoxAxes : std::uint8_t {
    principal, ///< along the principal axes of the surface, where that makes them smaller
    aligned,   ///< along the coordinates
};

/// Builds a box tree over a mesh, all on the device. See `describe`.
struct BuildBoxTree {
    static constexpr std::string_view kName = "collision/box_tree";

    TriangleMesh mesh;
    BoxAxes axes = BoxAxes::principal;

    BoxTree tree;

    static void describe(PassInfo<BuildBoxTree>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BoxAxes> {
    static constexpr std::array<std::string_view, 2> names{"principal", "aligned"};
};
