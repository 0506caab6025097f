#include "passes/image/mandelbrot.hpp"

#include "passes/common/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxMandelbrotSide = 16384;
constexpr std::uint32_t kMaxIterations = 1u << 20;
constexpr std::uint32_t kMaxPasses = 4096;
constexpr std::uint32_t kPaletteSize = 256;
constexpr double kMaxCenter = 4.0;

/// Colours at even distances, linear light.
std::vector<glm::vec3> stops(MandelbrotPalette palette) {
    switch (palette) {
    case MandelbrotPalette::dusk:
        return {{0.005f, 0.008f, 0.04f}, {0.02f, 0.06f, 0.25f}, {0.12f, 0.3f, 0.6f},
                {0.8f, 0.75f, 0.55f},    {0.9f, 0.35f, 0.05f},  {0.25f, 0.03f, 0.04f}};
    case MandelbrotPalette::fire:
        return {{0.0f, 0.0f, 0.0f},  {0.2f, 0.0f, 0.0f}, {0.8f, 0.1f, 0.0f},
                {1.0f, 0.5f, 0.02f}, {1.0f, 0.9f, 0.4f}, {1.0f, 1.0f, 1.0f}};
    case MandelbrotPalette::rainbow:
        return {{0.6f, 0.0f, 0.02f}, {0.8f, 0.35f, 0.0f}, {0.6f, 0.6f, 0.0f},
                {0.0f, 0.5f, 0.05f}, {0.0f, 0.2f, 0.7f},  {0.25f, 0.0f, 0.4f}};
    case MandelbrotPalette::grey: break;
    }
    return {{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
}

std::shared_ptr<const std::vector<std::byte>> palette_texels(MandelbrotPalette palette) {
    const std::vector<glm::vec3> colors = stops(palette);
    std::vector<float> values;
    for (std::uint32_t i = 0; i < kPaletteSize; ++i) {
        const float at =
            static_cast<float>(i) / (kPaletteSize - 1) * static_cast<float>(colors.size() - 1);
        const std::size_t first = std::min(static_cast<std::size_t>(at), colors.size() - 2);
        const float share = at - static_cast<float>(first);
        const glm::vec3 color = colors[first] * (1.0f - share) + colors[first + 1] * share;
        values.insert(values.end(), {color.r, color.g, color.b, 1.0f});
    }
    const auto bytes = std::as_bytes(std::span(values));
    return std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
}

/// The same pointer for all graphs, so that each palette is uploaded once.
Image palette_image(Graph& graph, MandelbrotPalette palette) {
    static const std::array kTexels{
        palette_texels(MandelbrotPalette::dusk), palette_texels(MandelbrotPalette::fire),
        palette_texels(MandelbrotPalette::rainbow), palette_texels(MandelbrotPalette::grey)};
    return graph.constant_image("palette",
                                {.format = Format::rgba32_sfloat, .extent = {kPaletteSize, 1, 1}},
                                kTexels[static_cast<std::size_t>(palette)]);
}

/// Differs from view to view but for chance, and is not 0, which the history begins with.
float view_number(const Mandelbrot& pass) {
    std::uint32_t hash = 0x811c9dc5u;
    for (const std::uint32_t word :
         {std::bit_cast<std::uint32_t>(pass.center.x), std::bit_cast<std::uint32_t>(pass.center.y),
          std::bit_cast<std::uint32_t>(pass.size), pass.iterations})
        for (int byte = 0; byte < 4; ++byte)
            hash = (hash ^ ((word >> (8 * byte)) & 0xffu)) * 0x01000193u;
    return static_cast<float>((hash & 0x7fffffu) + 1);
}

class Builder {
  public:
    Builder(Graph& graph, const Mandelbrot& pass) : graph_(graph), pass_(pass) {}

    Image orbit() {
        switch (pass_.form) {
        case MandelbrotForm::fast: return add_kernel("image/mandelbrot_fast");
        case MandelbrotForm::single_pass: return add_kernel("image/mandelbrot");
        case MandelbrotForm::cycles: return add_kernel("image/mandelbrot_cycles");
        case MandelbrotForm::brent: return add_kernel("image/mandelbrot_brent");
        case MandelbrotForm::multi_pass:
            return graph_.repeat("step", pass_.iterations, add_kernel("image/mandelbrot_start"),
                                 [&](Image before, std::uint32_t) {
                                     return add_kernel("image/mandelbrot_step", before);
                                 });
        case MandelbrotForm::drawn:
            return graph_.repeat("step", pass_.iterations, add_kernel("image/mandelbrot_start"),
                                 [&](Image before, std::uint32_t) { return add_drawing(before); });
        case MandelbrotForm::progressive: break;
        }
        return add_continuation();
    }

    Image picture(Image orbit) {
        ComputeNodeBuilder node = graph_.compute("image/mandelbrot_color", "color");
        node.read("orbit", orbit, Sampler::nearest());
        node.read("palette", palette_image(graph_, pass_.palette));
        node.set("inside", glm::vec4(pass_.inside, 1.0f));
        node.set("iterations", static_cast<std::int32_t>(pass_.iterations));
        node.set("smooth_bands", std::uint32_t(pass_.smooth));
        node.set("exponent", pass_.exponent);
        node.set("repeats", pass_.repeats);
        const Image result = node.write(
            "result",
            graph_.image("result", {.format = Format::rgba16_sfloat, .extent = extent()}));
        node.dispatch_over(extent());
        return result;
    }

  private:
    Extent extent() const { return {pass_.width, pass_.height, 1}; }
    ImageDesc orbit_desc() const { return {.format = Format::rgba32_sfloat, .extent = extent()}; }

    void set_view(KernelNode& node) {
        node.set("center", pass_.center);
        node.set("middle", glm::vec2(pass_.width, pass_.height) * 0.5f);
        node.set("spacing", pass_.size / static_cast<float>(std::min(pass_.width, pass_.height)));
        node.set("iterations", static_cast<std::int32_t>(pass_.iterations));
    }

    Image add_kernel(std::string_view shader, Image before = {}) {
        ComputeNodeBuilder node = graph_.compute(shader);
        set_view(node);
        if (before) node.read("before", before, Sampler::nearest());
        const Image result = node.write("orbit", graph_.image("orbit", orbit_desc()));
        node.dispatch_over(extent());
        return result;
    }

    Image add_drawing(Image before) {
        RasterNodeBuilder node = graph_.raster("image/mandelbrot_draw");
        set_view(node);
        node.read("before", before, Sampler::nearest());
        node.state().depth_test = false;
        node.state().depth_write = false;
        const Image result = node.color(graph_.image("orbit", orbit_desc()), discarded());
        node.draw({.count = 3});
        return result;
    }

    Image add_continuation() {
        const ImageHistory history = graph_.history_image("orbit", orbit_desc());
        ComputeNodeBuilder node = graph_.compute("image/mandelbrot_continue");
        set_view(node);
        node.set("steps", static_cast<std::int32_t>(pass_.steps));
        node.set("view", view_number(pass_));
        node.read("before", history.previous[0], Sampler::nearest());
        const Image result = node.write("orbit", history.current);
        node.dispatch_over(extent());
        return result;
    }

    Graph& graph_;
    const Mandelbrot& pass_;
};

bool is_in_passes(MandelbrotForm form) {
    return form == MandelbrotForm::multi_pass || form == MandelbrotForm::drawn;
}

/// Floats are far enough apart that neighbouring texels stand for different numbers.
bool is_resolved(Graph& graph, const Mandelbrot& pass) {
    const float spacing = pass.size / static_cast<float>(std::min(pass.width, pass.height));
    const float farthest = std::max(std::abs(pass.center.x), std::abs(pass.center.y)) + pass.size;
    const float gap = std::nextafter(farthest, 2.0f * farthest) - farthest;
    if (spacing >= gap) return true;
    graph.error("image/too-deep",
                fmt::format("texels {} apart around ({}, {}) are too fine: 32-bit floats are {} "
                            "apart there",
                            spacing, pass.center.x, pass.center.y, gap),
                "set a larger \"size\"");
    return false;
}

bool is_valid(Graph& graph, const Mandelbrot& pass) {
    const double most = is_in_passes(pass.form) ? kMaxPasses : kMaxIterations;
    return in_range(graph, "iterations", pass.iterations, 1, most) && is_resolved(graph, pass);
}

} // namespace

void Mandelbrot::describe(PassInfo<Mandelbrot>& info) {
    info.summary("Draws the Mandelbrot set, colored by the number of iterations to escape")
        .details(
            "A texel is a number c; the orbit z <- z^2 + c, from z = c, escapes once |z| > 2. "
            "Texels that have not escaped after \"iterations\" steps have the color \"inside\". "
            "Numbers are 32-bit floats: a view whose texels are finer than their resolution is an "
            "error.\n\nAll forms but \"fast\", \"cycles\" and \"brent\" agree to the bit. "
            "\"single_pass\" runs the whole loop in one kernel. \"multi_pass\" runs one iteration "
            "of all texels in each kernel, between two images; \"drawn\" does the same by drawing. "
            "\"cycles\" leaves the loop when the orbit comes close to one of its last eight "
            "numbers; \"brent\" compares with one number, which it renews after 1, 2, 4 and so on "
            "steps. \"fast\" leaves the loop when the orbit returns to a number to the bit, and "
            "skips texels that closed formulas prove to be inside. \"progressive\" runs \"steps\" "
            "iterations in each execution and starts again when the view changes.")
        .source("Zachmann, \"Computer-Graphik II: GPGPU-Algorithmen\", TU Clausthal")
        .complexity("O(texels * iterations)")
        .cost([](const Mandelbrot& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            return Cost{.bytes = 24.0 * texels, .operations = 8.0 * texels * pass.iterations};
        });
    info.parameter("width", &Mandelbrot::width, "width of the picture")
        .range(1, kMaxMandelbrotSide)
        .unit("texels")
        .structural();
    info.parameter("height", &Mandelbrot::height, "height of the picture")
        .range(1, kMaxMandelbrotSide)
        .unit("texels")
        .structural();
    info.parameter("center", &Mandelbrot::center, "the number at the center; up is positive")
        .range(-kMaxCenter, kMaxCenter);
    info.parameter("size", &Mandelbrot::size, "length that the shorter side of the picture shows")
        .range(1e-6, 100.0);
    info.parameter("iterations", &Mandelbrot::iterations,
                   "maximum number; at most 4096 in the forms with a pass for each")
        .range(1, kMaxIterations)
        .structural();
    info.parameter("form", &Mandelbrot::form, "the algorithm; see the description").structural();
    info.parameter("steps", &Mandelbrot::steps, "\"progressive\": iterations of each execution")
        .range(1, kMaxIterations);
    info.parameter("palette", &Mandelbrot::palette, "palette of 256 colors").structural();
    info.parameter("smooth", &Mandelbrot::smooth, "smooth colors instead of bands");
    info.parameter("exponent", &Mandelbrot::exponent,
                   "exponent of a texel's share of the iterations: below 1, early bands take more "
                   "of the palette")
        .range(0.01, 10.0);
    info.parameter("repeats", &Mandelbrot::repeats, "how often the palette runs back and forth")
        .range(0.01, 1000.0);
    info.parameter("inside", &Mandelbrot::inside, "color of texels that do not escape")
        .range(0.0, 65504.0);
    info.output("result", &Mandelbrot::result, "the picture, rgba16_sfloat, linear light");
    info.output(
        "orbit", &Mandelbrot::orbit,
        "rgba32_sfloat: the last number of each orbit in red and green, its iterations in blue, "
        "and in alpha the step at which a cycle was found, else 0");
}

void Mandelbrot::build(Graph& graph) {
    if (!is_valid(graph, *this)) {
        result = graph.image("result", {.format = Format::rgba16_sfloat});
        orbit = graph.image("orbit", {.format = Format::rgba32_sfloat});
        return;
    }
    Builder builder(graph, *this);
    orbit = builder.orbit();
    result = builder.picture(orbit);
}

TUFF_PASS(Mandelbrot)

} // namespace tuff::passes
