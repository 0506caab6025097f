#pragma once

#include "passes/bvh/bvh.hpp"

#include <vector>

namespace tuff::passes {

/// A hierarchy of boxes over a mesh, for collisions: binary nodes, each with an oriented box.
struct BoxTree {
    static constexpr std::string_view kPortType = "BoxTree";

    Bvh bvh;
    Buffer boxes; ///< one `OrientedBox` a node

    explicit operator bool() const { return bool(bvh) && bool(boxes); }
    std::vector<PortMember> members() const;
};

/// The orientation of nodes' boxes.
enum class BoxAxes : std::uint8_t {
    principal, ///< along the principal axes of the surface, if that makes them smaller
    aligned,   ///< along the coordinate axes
};

/// Builds a box tree over a mesh on the device. See `describe`.
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
