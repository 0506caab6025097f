#pragma once

#include <tuff/plan.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// What a picture of a plan shows, before anything has a place: boxes with ports, and wires.
namespace tuff {

/// `once`: constant work, which runs before the first execution.
enum class BoxKind : std::uint8_t { pass, once, culled, source, output };

/// Whether a box is a node: one that runs or one that is left out.
constexpr bool is_node(BoxKind kind) {
    return kind == BoxKind::pass || kind == BoxKind::once || kind == BoxKind::culled;
}

struct DrawnPort {
    ResourceId resource;
    VersionId read;    ///< none: only written
    VersionId written; ///< none: only read
};

struct DrawnBox {
    BoxKind kind = BoxKind::pass;
    std::uint32_t index = 0;  ///< of the node, resource or output, by kind
    std::uint32_t column = 0; ///< 0 is for what comes from outside, before all nodes
    std::vector<DrawnPort> ports;
};

/// A version on its way from the port that gives it to those that take it.
struct DrawnWire {
    struct End {
        std::uint32_t box = 0, port = 0;
    };
    VersionId version;
    End from;
    std::vector<End> to;
};

struct Drawing {
    std::vector<DrawnBox> boxes;
    std::vector<DrawnWire> wires;
    std::uint32_t columns = 0;
    std::uint32_t first_level = 1; ///< its column; those of constant work stand before it
};

Drawing drawing_of(const Plan& plan);

/// How many writes of its resource come before `version`: 0 for what it begins with.
std::vector<std::uint32_t> version_numbers(const GraphDesc& graph);

} // namespace tuff
