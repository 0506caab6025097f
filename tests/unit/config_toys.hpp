#pragma once

#include <tuff/config.hpp>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Passes made of custom nodes, so that configs are tested without a shader or a device.
namespace tuff::toys {

enum class Mode { soft, hard };

} // namespace tuff::toys

template <>
struct tuff::ChoiceNames<tuff::toys::Mode> {
    static constexpr std::array<std::string_view, 2> names = {"soft", "hard"};
};

namespace tuff::toys {

struct NoShaders final : ShaderInterfaces {
    const ShaderInterface* compute(std::string_view) const override { return nullptr; }
    const ShaderInterface* raster(std::string_view) const override { return nullptr; }
    std::vector<std::string> names() const override { return {}; }
};

/// An image that a custom node writes.
inline Image fill(Graph& graph, const ImageDesc& desc, std::string_view name) {
    CustomNodeBuilder node = graph.custom(name);
    return node.write(graph.image(name, desc), Access::storage_write, stage::kCompute);
}

struct Source {
    static constexpr std::string_view kName = "toy/source";
    glm::uvec2 size{64, 32};
    Image result;
    static void describe(PassInfo<Source>& info) {
        info.summary("An image from nothing");
        info.parameter("size", &Source::size, "size").range(1, 16384).unit("texels").structural();
        info.output("result", &Source::result, "the image");
    }
    void build(Graph& graph) {
        ImageDesc desc;
        desc.format = Format::rgba32_sfloat;
        desc.extent = {size.x, size.y, 1};
        result = fill(graph, desc, "fill");
    }
};

struct Eye {
    glm::vec3 position{0.0f, 0.0f, 1.0f};
    float angle = 45.0f;
    template <typename F>
    static void describe_fields(F&& field) {
        field("position", &Eye::position, "where it stands").unit("metres");
        field("angle", &Eye::angle, "field of view").range(1, 170).unit("degrees");
    }
};

/// Reads `source`; what it was built with can be looked up in `built_blurs`.
struct Blur {
    static constexpr std::string_view kName = "toy/blur";
    Image source;
    float sigma = 2.0f;
    int radius = 3;
    Mode mode = Mode::soft;
    bool wrap = false;
    std::string label;
    std::vector<float> weights;
    std::vector<std::string> names;
    Eye camera;
    Image result;
    static void describe(PassInfo<Blur>& info) {
        info.summary("Blurs");
        info.input("source", &Blur::source, "what is blurred");
        info.parameter("sigma", &Blur::sigma, "deviation").range(0, 64).unit("texels");
        info.parameter("radius", &Blur::radius, "radius").range(0, 100).structural();
        info.parameter("mode", &Blur::mode, "how");
        info.parameter("wrap", &Blur::wrap, "around the edges");
        info.parameter("label", &Blur::label, "a text");
        info.parameter("weights", &Blur::weights, "a kernel");
        info.parameter("names", &Blur::names, "some texts");
        info.group("camera", &Blur::camera);
        info.output("result", &Blur::result, "the blurred image");
        info.cost([](const Blur& b, const Graph& graph) {
            return Cost{static_cast<double>(graph.extent(b.source).width), 0.0};
        });
    }
    void build(Graph& graph);
};

/// Takes any number of images.
struct Mix {
    static constexpr std::string_view kName = "toy/mix";
    std::vector<Image> sources;
    Image result;
    static void describe(PassInfo<Mix>& info) {
        info.summary("Mixes");
        info.input_list("sources", &Mix::sources, "what is mixed");
        info.output("result", &Mix::result, "the mix");
    }
    void build(Graph& graph) {
        ImageDesc desc;
        desc.extent = {8, 8, 1};
        CustomNodeBuilder node = graph.custom("mix");
        for (Image source : sources)
            node.read(source, Access::sampled, stage::kCompute);
        result = node.write(graph.image("mix", desc), Access::storage_write, stage::kCompute);
    }
};

/// Writes its input in place.
struct Stamp {
    static constexpr std::string_view kName = "toy/stamp";
    Image target;
    Image result;
    static void describe(PassInfo<Stamp>& info) {
        info.summary("Stamps in place");
        info.input("target", &Stamp::target, "what is stamped");
        info.output("result", &Stamp::result, "the stamped image");
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("stamp");
        result = node.write(target, Access::storage_read_write, stage::kCompute);
    }
};

struct Grid {
    static constexpr std::string_view kPortType = "Grid";
    Buffer cells;
    std::vector<PortMember> members() const { return {{"cells", cells}}; }
};

struct MakeGrid {
    static constexpr std::string_view kName = "toy/grid";
    Grid grid;
    static void describe(PassInfo<MakeGrid>& info) {
        info.summary("A bundle");
        info.output("grid", &MakeGrid::grid, "the bundle");
    }
    void build(Graph& graph) {
        CustomNodeBuilder node = graph.custom("grid");
        grid.cells =
            node.write(graph.buffer("cells", {.size = 64}), Access::storage_write, stage::kCompute);
    }
};

/// Reports a warning, and with `fatal` an error, while it builds.
struct Complain {
    static constexpr std::string_view kName = "toy/complain";
    bool fatal = false;
    Image result;
    static void describe(PassInfo<Complain>& info) {
        info.summary("Complains");
        info.parameter("fatal", &Complain::fatal, "makes it an error");
        info.output("result", &Complain::result, "an image");
    }
    void build(Graph& graph) {
        result = fill(graph, {}, "fill");
        graph.report({.code = "toy/odd", .severity = Severity::warning, .message = "odd"});
        if (fatal) graph.error("toy/bad", "bad");
    }
};

/// The Blur that was built last, by label.
inline std::map<std::string, Blur>& built_blurs() {
    static thread_local std::map<std::string, Blur> blurs;
    return blurs;
}

inline void Blur::build(Graph& graph) {
    CustomNodeBuilder node = graph.custom("blur");
    node.read(source, Access::sampled, stage::kCompute);
    result = node.write(graph.image("blurred", graph.desc(source)), Access::storage_write,
                        stage::kCompute);
    built_blurs()[label] = *this;
}

inline PassRegistry make_registry() {
    PassRegistry registry;
    registry.add<Source>();
    registry.add<Blur>();
    registry.add<Mix>();
    registry.add<Stamp>();
    registry.add<MakeGrid>();
    registry.add<Complain>();
    return registry;
}

} // namespace tuff::toys
