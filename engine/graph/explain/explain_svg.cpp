#include "core/xml_text.hpp"
#include "graph/explain/describe.hpp"
#include "graph/explain/drawing.hpp"
#include "graph/explain/layered_layout.hpp"
#include "graph/explain/svg_text.hpp"

#include <tuff/explain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tuff {
namespace {

// Pixels.
constexpr double kMargin = 16;
constexpr double kPadding = 12;
constexpr double kHeaderHeight = 36;
constexpr double kPortHeight = 16;
constexpr double kTop = 30; ///< above the boxes, for the names of the levels

constexpr std::string_view kStyle = R"css(
.tuff-graph { --ink: #1c2430; --quiet: #5b6675; --paper: #ffffff; --band: #f3f5f8; --box: #ffffff;
  --compute: #2f6fd0; --raster: #b4540a; --transfer: #19804f; --custom: #8a3fc0; --wire: #8c97a6;
  --source: #6b7482; font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { .tuff-graph { --ink: #e6eaf0; --quiet: #9aa6b6;
  --paper: #12161c; --band: #191f27; --box: #1f2630; --compute: #6ea4f5; --raster: #f0a35a;
  --transfer: #58c48e; --custom: #c791f0; --wire: #66748a; --source: #94a0b0; } }
.tuff-graph text { fill: var(--ink); }
.tuff-graph .paper { fill: var(--paper); }
.tuff-graph .band { fill: var(--band); }
.tuff-graph .quiet { fill: var(--quiet); }
.tuff-graph .name { font-weight: bold; }
.tuff-graph .box > rect { fill: var(--box); stroke: var(--kind); stroke-width: 1.5; }
.tuff-graph .box > .stripe { fill: var(--kind); stroke: none; }
.tuff-graph circle { fill: var(--kind); }
.tuff-graph .port rect { fill: transparent; }
.tuff-graph .wire { fill: none; stroke: var(--wire); stroke-width: 2; }
.tuff-graph .compute { --kind: var(--compute); }
.tuff-graph .raster { --kind: var(--raster); }
.tuff-graph .transfer { --kind: var(--transfer); }
.tuff-graph .custom, .tuff-graph .host { --kind: var(--custom); }
.tuff-graph .source, .tuff-graph .output { --kind: var(--source); }
.tuff-graph .once > rect { stroke-dasharray: 1 2; }
.tuff-graph .culled { opacity: 0.6; }
.tuff-graph .culled > rect { stroke-dasharray: 4 3; }
)css";

/// Texts and size of a box.
struct Face {
    SvgLabel name, work;
    std::string title; ///< all of it, escaped
    std::string classes;
    std::vector<SvgLabel> ports;
    double width = 0, height = 0;
};

class SvgWriter {
  public:
    SvgWriter(const Plan& plan, const ExplainOptions& options)
        : plan_(plan), graph_(plan.graph), options_(options), drawing_(drawing_of(plan)),
          numbers_(version_numbers(plan.graph)) {}

    std::string text() {
        place();
        const double width = layout_.width + 2 * kMargin;
        const double height = layout_.height + kTop + 2 * kMargin;
        const bool file = options_.svg == SvgPlace::file;
        text_ = fmt::format(
            "<svg{} class=\"tuff-graph\" width=\"{:.0f}\" height=\"{:.0f}\" "
            "viewBox=\"0 0 {:.0f} {:.0f}\" role=\"group\" aria-label=\"{}\">\n<style>{}</style>\n",
            file ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", width, height, width, height,
            xml_text(options_.title), kStyle);
        if (file) text_ += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
        bands(height);
        for (std::size_t w = 0; w < drawing_.wires.size(); ++w)
            wire(w);
        for (std::size_t b = 0; b < drawing_.boxes.size(); ++b)
            box(b);
        return text_ + "</svg>\n";
    }

  private:
    Face face_of(const DrawnBox& box) const {
        Face face;
        std::string name, work;
        switch (box.kind) {
        case BoxKind::pass:
        case BoxKind::once:
        case BoxKind::culled:
            name = graph_.name_of(NodeId{box.index});
            work = work_text(graph_, NodeId{box.index});
            face.classes = "pass " + std::string(kind_name(graph_, NodeId{box.index}));
            if (box.kind == BoxKind::once) {
                work += ", once";
                face.classes += " once";
            }
            if (box.kind == BoxKind::culled) {
                work = "culled";
                face.classes += " culled";
            }
            break;
        case BoxKind::source:
            name = graph_.name_of(ResourceId{box.index});
            work = name_of(graph_.resources[box.index].lifetime);
            face.classes = "source";
            break;
        case BoxKind::output:
            name = graph_.label(graph_.outputs[box.index]);
            work = "output";
            face.classes = "output";
            break;
        }
        face.name = svg_label(name);
        face.work = svg_label(work);
        face.title = xml_text(name + "\n" + work);
        face.width = std::max(face.name.width, face.work.width);
        for (const DrawnPort& port : box.ports) {
            face.ports.push_back(svg_label(graph_.name_of(port.resource), port_suffix(port)));
            face.width = std::max(face.width, face.ports.back().width);
        }
        face.width = std::ceil(face.width + 2 * kPadding);
        face.height = kHeaderHeight + kPortHeight * static_cast<double>(box.ports.size()) + 4;
        return face;
    }

    /// " v1"; " v1>v2" in place.
    std::string port_suffix(const DrawnPort& port) const {
        const bool both = port.read && port.written && numbers_[port.read.index] > 0;
        if (both)
            return fmt::format(" v{}>v{}", numbers_[port.read.index], numbers_[port.written.index]);
        return fmt::format(" v{}", numbers_[(port.written ? port.written : port.read).index]);
    }

    static double port_y(std::uint32_t port) { return kHeaderHeight + kPortHeight * (port + 0.5); }

    void place() {
        std::vector<LayoutBox> boxes;
        std::vector<LayoutWire> wires;
        for (const DrawnBox& box : drawing_.boxes) {
            faces_.push_back(face_of(box));
            boxes.push_back({box.column, faces_.back().width, faces_.back().height});
        }
        for (const DrawnWire& wire : drawing_.wires) {
            LayoutWire line{{wire.from.box, port_y(wire.from.port)}, {}};
            for (const DrawnWire::End& end : wire.to)
                line.to.push_back({end.box, port_y(end.port)});
            wires.push_back(std::move(line));
        }
        layout_ = lay_out(boxes, wires);
        for (auto& lanes : layout_.lanes)
            for (LayoutLane& lane : lanes) {
                lane.left += kMargin;
                lane.right += kMargin;
                lane.y += kMargin + kTop;
            }
        for (LayoutPoint& corner : layout_.boxes) {
            corner.x += kMargin;
            corner.y += kMargin + kTop;
        }
    }

    void bands(double height) {
        for (std::size_t c = 0; c < layout_.columns.size(); ++c) {
            const double left = layout_.columns[c].left + kMargin;
            const double right = layout_.columns[c].right + kMargin;
            if (right <= left) continue;
            text_ += fmt::format("<rect class=\"band\" x=\"{:.0f}\" y=\"0\" width=\"{:.0f}\" "
                                 "height=\"{:.0f}\"/>\n<text class=\"quiet\" x=\"{:.0f}\" "
                                 "y=\"18\">{}</text>\n",
                                 left - 8, right - left + 16, height, left, column_title(c));
        }
    }

    std::string column_title(std::size_t column) const {
        if (column == 0) return "before";
        if (column < drawing_.first_level) return "once";
        const std::size_t level = column - drawing_.first_level;
        return level < plan_.levels.size() ? level_title(level) : "after";
    }

    std::string level_title(std::size_t level) const {
        const Queue queue = plan_.levels[level].queue;
        if (queue == Queue::graphics) return fmt::format("level {}", level);
        return fmt::format("level {}, {}", level, name_of(queue));
    }

    static std::string curve(double x0, double y0, double x1, double y1) {
        const double middle = (x0 + x1) / 2;
        return fmt::format("C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}", middle, y0, middle, y1, x1,
                           y1);
    }

    void wire(std::size_t w) {
        const DrawnWire& wire = drawing_.wires[w];
        const auto& lanes = layout_.lanes[w];
        const DrawnBox& giver = drawing_.boxes[wire.from.box];
        const LayoutPoint corner = layout_.boxes[wire.from.box];
        LayoutPoint at{layout_.columns[giver.column].right + kMargin,
                       corner.y + port_y(wire.from.port)};
        std::vector<LayoutPoint> leave = {at}; // the end of each column that the wire passes
        std::string path = fmt::format("M{:.0f} {:.0f}H{:.0f}",
                                       corner.x + faces_[wire.from.box].width, at.y, at.x);
        for (const LayoutLane& lane : lanes) {
            path += curve(at.x, at.y, lane.left, lane.y) + fmt::format("H{:.0f}", lane.right);
            at = {lane.right, lane.y};
            leave.push_back(at);
        }
        for (const DrawnWire::End& end : wire.to) {
            const std::size_t passed = drawing_.boxes[end.box].column - giver.column - 1;
            const LayoutPoint from = leave[std::min(passed, leave.size() - 1)];
            const LayoutPoint to = layout_.boxes[end.box];
            path += fmt::format("M{:.0f} {:.0f}", from.x, from.y) +
                    curve(from.x, from.y, to.x, to.y + port_y(end.port));
        }
        const ResourceId resource = graph_.versions[wire.version.index].resource;
        text_ += fmt::format("<path class=\"wire\" data-resource=\"{}\" d=\"{}\"><title>{} v{}"
                             "</title></path>\n",
                             resource.index, path, xml_text(graph_.name_of(resource)),
                             numbers_[wire.version.index]);
    }

    void box(std::size_t b) {
        const DrawnBox& box = drawing_.boxes[b];
        const Face& face = faces_[b];
        text_ += fmt::format(
            "<g class=\"box {}\"{} transform=\"translate({:.0f} {:.0f})\">"
            "<title>{}</title><rect width=\"{:.0f}\" height=\"{:.0f}\" rx=\"4\"/>"
            "<rect class=\"stripe\" width=\"{:.0f}\" height=\"3\" rx=\"1.5\"/>"
            "<text class=\"name\" x=\"{}\" y=\"17\">{}</text>"
            "<text class=\"quiet\" x=\"{}\" y=\"31\">{}</text>",
            face.classes,
            is_node(box.kind) ? fmt::format(" data-node=\"{}\" tabindex=\"0\"", box.index) : "",
            layout_.boxes[b].x, layout_.boxes[b].y, face.title, face.width, face.height, face.width,
            kPadding, face.name.text, kPadding, face.work.text);
        for (std::uint32_t p = 0; p < box.ports.size(); ++p)
            port(box.ports[p], face, p);
        text_ += "</g>\n";
    }

    void port(const DrawnPort& port, const Face& face, std::uint32_t index) {
        const double y = port_y(index);
        const bool only_written = port.written && (!port.read || numbers_[port.read.index] == 0);
        text_ +=
            fmt::format("<g class=\"port\" data-resource=\"{}\" tabindex=\"0\"><title>{}{}</title>"
                        "<rect y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\"/>",
                        port.resource.index, xml_text(graph_.name_of(port.resource)),
                        xml_text(port_suffix(port)), y - kPortHeight / 2, face.width, kPortHeight);
        if (!only_written) text_ += fmt::format("<circle cy=\"{:.0f}\" r=\"3\"/>", y);
        if (port.written)
            text_ += fmt::format("<circle cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"3\"/>", face.width, y);
        text_ += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\"{}>{}</text></g>",
                             only_written ? face.width - kPadding : kPadding, y + 4,
                             only_written ? " text-anchor=\"end\"" : "", face.ports[index].text);
    }

    const Plan& plan_;
    const GraphDesc& graph_;
    const ExplainOptions& options_;
    Drawing drawing_;
    std::vector<std::uint32_t> numbers_; ///< per version
    std::vector<Face> faces_;            ///< per box
    LayeredLayout layout_;
    std::string text_;
};

} // namespace

std::string explain_svg(const Plan& plan, const ExplainOptions& options) {
    return SvgWriter(plan, options).text();
}

} // namespace tuff
