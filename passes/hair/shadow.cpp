#include "passes/hair/shadow.hpp"

#include "passes/common/constant_bytes.hpp"
#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kNodeBytes = 12; // distance, optical depth, next

/// World to texels of a square of twice `extent` about the center, and the distance along the light
/// from a plane so far before it.
glm::mat4 light_matrix(const ShadowHair& pass) {
    const glm::vec3 forward = -glm::normalize(pass.to_light);
    const glm::vec3 side = glm::normalize(
        glm::cross(forward, std::abs(forward.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0)));
    const glm::vec3 up = glm::cross(side, forward);
    const float scale = 0.5f * static_cast<float>(pass.side) / pass.extent;
    const float half = 0.5f * static_cast<float>(pass.side);
    glm::mat4 m(1.0f);
    for (int axis = 0; axis < 3; ++axis)
        m[axis] = {side[axis] * scale, up[axis] * scale, forward[axis], 0.0f};
    m[3] = {half - scale * glm::dot(side, pass.center), half - scale * glm::dot(up, pass.center),
            2.0f * pass.extent - glm::dot(forward, pass.center), 1.0f};
    return m;
}

class ShadowNodes {
  public:
    ShadowNodes(Graph& graph, const ShadowHair& pass, HairShadow& shadow)
        : graph_(graph), pass_(pass), shadow_(shadow),
          texels_(std::uint64_t{pass.side} * pass.side) {}

    void map() {
        shadow_.first = graph_.fill(array(graph_, "first", texels_), 0xffffffffu, "no_first");
        add("least", 0,
            [&](ComputeNodeBuilder& node) { shadow_.first = node.write("first", shadow_.first); });
        shadow_.words =
            graph_.fill(array(graph_, "layers", texels_ * pass_.layers), 0, "no_layers");
        add("layers", 1, [&](ComputeNodeBuilder& node) {
            node.read("first", shadow_.first);
            shadow_.words = node.write("words", shadow_.words);
        });
    }
    void lists() {
        const double wanted =
            std::ceil(static_cast<double>(pass_.nodes) * static_cast<double>(texels_));
        capacity_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            graph_.pool("nodes", static_cast<std::uint64_t>(wanted), kNodeBytes), 1u << 28));
        capacity_ = std::max(capacity_, 1u);
        shadow_.first = graph_.fill(array(graph_, "first", texels_), 0xffffffffu, "no_first");
        // Nodes that nobody wrote are in no list.
        shadow_.words = array(graph_, "nodes", std::uint64_t{3} * capacity_);
        Buffer status = graph_.fill(array(graph_, "status", 3), 0, "no_status");
        add("lists", 2, [&](ComputeNodeBuilder& node) {
            shadow_.first = node.write("first", shadow_.first);
            shadow_.words = node.write("words", shadow_.words);
            status = node.write("status", status);
        });
        graph_.status<ShadowStatus>(status);
    }

  private:
    template <typename Bind>
    void add(std::string_view name, std::uint32_t form, Bind bind) {
        const HairShape& shape = pass_.shape;
        ComputeNodeBuilder node = graph_.compute("hair/shadow_add", {{"FORM", form}}, name);
        node.set("count", shape.count);
        node.set("vertices", shape.vertices);
        node.set("light_from_world", shadow_.light_from_world);
        node.set("side", pass_.side);
        node.set("layers", pass_.layers);
        node.set("thickness", pass_.thickness);
        node.set("width", pass_.radius * static_cast<float>(pass_.side) / pass_.extent);
        node.set("tip", pass_.tip);
        node.set("opacity", pass_.opacity);
        node.set("capacity", capacity_);
        node.read("positions", shape.positions);
        bind(node);
        node.dispatch_each(shape.count * (shape.vertices - 1));
    }

    Graph& graph_;
    const ShadowHair& pass_;
    HairShadow& shadow_;
    std::uint64_t texels_;
    std::uint32_t capacity_ = 0;
};

} // namespace

ShadowStatus ShadowStatus::read(std::span<const std::uint32_t> words) {
    return status_from<ShadowStatus>(words);
}

Diagnostics ShadowStatus::warnings() const {
    if (lost == 0) return {};
    return {warning("hair/full-shadow",
                    fmt::format("{} of {} segments of strands did not fit into the light's "
                                "lists",
                                lost, demand),
                    "increase \"nodes\", or run several frames: the lists grow")};
}

std::vector<PoolNeed> ShadowStatus::pool_needs() const {
    if (lost == 0) return {};
    return {{"nodes", demand}};
}

void ShadowHair::describe(PassInfo<ShadowHair>& info) {
    info.summary("Computes how much hair lies between any place and a directional light")
        .details(
            "Strands are drawn into the light's view, an orthographic projection. A strand "
            "adds optical depth to a texel in proportion to the area that it covers.\n\n"
            "\"opacity_map\" sums the optical depth in layers that begin at the nearest strand "
            "of each texel; the last layer has the rest. \"lists\" keeps every strand with its "
            "distance. This is exact and slower to look up.\n\n"
            "Sums use integers, so they are the same in every run.")
        .source("Yuksel and Keyser, \"Deep Opacity Maps\", Eurographics 2008; Lokovic and Veach, "
                "\"Deep Shadow Maps\", SIGGRAPH 2000")
        .complexity("O(texels along strands)")
        .cost([](const ShadowHair& pass, const Graph&) {
            const double texels = static_cast<double>(pass.side) * pass.side;
            const auto vertices = static_cast<double>(pass.shape.vertex_count());
            return Cost{.bytes = 32.0 * vertices + texels * (8.0 + 4.0 * pass.layers),
                        .operations = 100.0 * vertices};
        });
    info.input("shape", &ShadowHair::shape, "the hair");
    info.parameter("form", &ShadowHair::form, "how the optical depth is stored").structural();
    info.parameter("side", &ShadowHair::side, "width and height of the light's view")
        .range(1, 4096)
        .unit("texels")
        .structural();
    info.parameter("layers", &ShadowHair::layers, "layers of an opacity map")
        .range(1, 32)
        .structural();
    info.parameter("thickness", &ShadowHair::thickness, "thickness of a layer")
        .range(1e-6, 1e6)
        .unit("world units");
    info.parameter("nodes", &ShadowHair::nodes, "lists: average number of segments of a texel")
        .range(0.0, 4096.0)
        .structural();
    info.parameter("to_light", &ShadowHair::to_light, "direction to the light");
    info.parameter("center", &ShadowHair::center, "center of the light's view")
        .range(-kFarthestHair, kFarthestHair)
        .unit("world units");
    info.parameter("extent", &ShadowHair::extent,
                   "distance from the center to the borders of "
                   "the view")
        .range(1e-4, 1e6)
        .unit("world units");
    info.parameter("radius", &ShadowHair::radius, "radius of a strand at its root")
        .range(0.0, 1e3)
        .unit("world units");
    info.parameter("tip", &ShadowHair::tip, "radius at the tip, as a share of that at the root")
        .range(0.0, 1.0);
    info.parameter("opacity", &ShadowHair::opacity, "optical depth of a strand").range(0.0, 100.0);
    info.parameter("bias", &ShadowHair::bias, "lookups are moved this far towards the light")
        .range(0.0, 1e3)
        .unit("world units");
    info.output("shadow", &ShadowHair::shadow, "the shadow, for hair/shade and hair/bust");
}

void ShadowHair::build(Graph& graph) {
    if (!is_valid(graph, shape)) return;
    const float size = glm::length(to_light);
    if (!(size > 0.0f && std::isfinite(size))) {
        graph.error("pass/out-of-range", "parameter \"to_light\" is zero or not finite, so it "
                                         "has no direction");
        return;
    }
    shadow = {.form = form,
              .side = side,
              .layers = layers,
              .thickness = thickness,
              .bias = bias,
              .light_from_world = light_matrix(*this),
              .to_light = to_light / size};
    ShadowNodes nodes(graph, *this, shadow);
    if (form == ShadowForm::opacity_map)
        nodes.map();
    else
        nodes.lists();
}

void bind_shadow(Graph& graph, KernelNode& node, const HairShadow& shadow) {
    const bool none = !shadow;
    const Buffer nothing = none ? graph.constant_buffer("no_shadow", {.size = 16, .stride = 4},
                                                        constant_bytes<16, 0>())
                                : Buffer{};
    node.read("shadow_first", none ? nothing : shadow.first);
    node.read("shadow_words", none ? nothing : shadow.words);
    const std::uint32_t form = shadow.form == ShadowForm::opacity_map ? 1u : 2u;
    node.specialize("kShadow", none ? 0u : form);
    node.specialize("kLayers", shadow.layers);
    node.set("light_from_world", shadow.light_from_world);
    node.set("side", shadow.side);
    node.set("thickness", shadow.thickness);
    node.set("bias", shadow.bias);
}

TUFF_PASS(ShadowHair)

} // namespace tuff::passes
