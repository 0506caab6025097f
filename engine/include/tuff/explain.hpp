#pragma once

#include <tuff/device_caps.hpp>
#include <tuff/plan.hpp>

#include <cstdint>
#include <string>

/// A compiled plan as text and as a drawing: the order, each barrier with its reason, the
/// memory, and the culled nodes.
namespace tuff {

/// Whether texts have ANSI escapes.
enum class ExplainColour : std::uint8_t { off, on };
/// Amount of detail.
enum class ExplainDetail : std::uint8_t {
    normal,
    full, ///< also every resource that outlives an execution, one line each
};

/// Where a drawing goes.
enum class SvgPlace : std::uint8_t {
    file, ///< a separate document
    page, ///< inside an HTML page: no XML namespace, the page's background
};

/// How a plan is explained.
struct ExplainOptions {
    ExplainColour colour = ExplainColour::off;    ///< ANSI escapes
    ExplainDetail detail = ExplainDetail::normal; ///< amount of detail
    std::string title = "graph";                  ///< name of the graph, "demo.json"
    const DeviceCaps* device = nullptr;           ///< target of the plan; null: not printed
    SvgPlace svg = SvgPlace::file;                ///< where a drawing goes
};

/// The plan as a text for people, in aligned columns, ending with a newline: execution order by
/// level with the barriers before each level and their reasons, culled nodes, memory with and
/// without aliasing, outputs, statistics.
std::string explain(const Plan& plan, const ExplainOptions& options = {});

/// The plan as a Graphviz digraph: nodes ranked by level, one edge for each version that a node
/// reads from another, labelled with the resource; culled nodes are dashed.
std::string explain_dot(const Plan& plan, const ExplainOptions& options = {});

/// The plan as an SVG picture, light or dark as the viewer prefers: levels from left to right,
/// passes as boxes with one row for each version they read or write, wires between the rows. Boxes
/// carry `data-node`, rows and wires `data-resource`: indices into the plan's graph.
std::string explain_svg(const Plan& plan, const ExplainOptions& options = {});

} // namespace tuff
