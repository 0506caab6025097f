#include "passes/filter/glyphs.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kGlyphBytes = 5 * sizeof(glm::vec4); // Glyph of glyph.glsl

/// What the picture's axes are in the volume. y of volumes grows downwards, as that of pictures.
struct GlyphCamera {
    glm::vec3 right;
    glm::vec3 down;
    glm::vec3 into;
};

GlyphCamera camera_of(const FilterGlyphs& pass) {
    const float yaw = glm::radians(pass.yaw);
    const float pitch = glm::radians(pass.pitch);
    const glm::vec3 into(std::sin(yaw) * std::cos(pitch), std::sin(pitch),
                         std::cos(yaw) * std::cos(pitch));
    const glm::vec3 right(std::cos(yaw), 0.0f, -std::sin(yaw));
    const glm::vec3 down = glm::cross(into, right);
    // At zoom 1 the ball around the volume fills the picture's shorter side.
    const float diagonal = glm::length(glm::vec3(pass.size));
    const float texel =
        diagonal / (pass.zoom * static_cast<float>(std::min(pass.width, pass.height)));
    return {texel * right, texel * down, into};
}

} // namespace

void FilterGlyphs::describe(PassInfo<FilterGlyphs>& info) {
    info.summary("Shows tensors as ellipses over a picture, or as ellipsoids in a volume")
        .details(
            "Every \"step\" places a glyph is drawn, with half axes along the eigenvectors. With "
            "\"variation\" their lengths are the eigenvalues over the largest; with \"structure\" "
            "they are the differences to the largest, so glyphs lie along lines and on planes. The "
            "area is proportional to the largest eigenvalue times \"scale\", up to the whole cell "
            "at 1; below \"least\" no glyph is drawn. Colors are the absolute components of the "
            "longest axis: red along x, green along y, blue along z.\n\nA volume is shown in "
            "parallel projection from \"yaw\" and \"pitch\"; between glyphs, the picture shows the "
            "largest number of \"source\" along the ray. A plane fills the picture. Only the "
            "tensors of the first array are shown.")
        .complexity("O(texels * cells along a ray)")
        .cost([](const FilterGlyphs& pass, const Graph&) {
            const double texels = static_cast<double>(pass.width) * pass.height;
            const double glyphs =
                places_of(pass.size, 1) / std::pow(static_cast<double>(pass.step), pass.dimensions);
            return Cost{.bytes = 4.0 * texels + glyphs * tensor_components(pass.dimensions) * 4.0,
                        .operations = 60.0 * texels};
        });
    info.input("tensor", &FilterGlyphs::tensor,
               "components of upper triangles, as from \"filter/structure_tensor\", f32")
        .elements<float>();
    info.optional_input("source", &FilterGlyphs::source, "numbers behind the glyphs, f32")
        .elements<float>();
    info.parameter("dimensions", &FilterGlyphs::dimensions, "2: ellipses; 3: ellipsoids")
        .range(2, 3)
        .structural();
    info.parameter("size", &FilterGlyphs::size, "places along x, y, z").structural();
    info.parameter("step", &FilterGlyphs::step, "places from one glyph to the next")
        .range(1, 4096)
        .unit("places")
        .structural();
    info.parameter("width", &FilterGlyphs::width, "width of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("height", &FilterGlyphs::height, "height of the picture")
        .range(1, 16384)
        .unit("texels")
        .structural();
    info.parameter("shape", &FilterGlyphs::shape, "direction in which glyphs are long");
    info.parameter("scale", &FilterGlyphs::scale, "factor of the largest eigenvalue")
        .range(0, 1e30);
    info.parameter("least", &FilterGlyphs::least,
                   "least size of a glyph, as a share of a whole cell")
        .range(0, 1);
    info.parameter("brightness", &FilterGlyphs::brightness, "factor of the source's numbers")
        .range(0, 1e30);
    info.parameter("yaw", &FilterGlyphs::yaw, "yaw of the view, about y").unit("degrees");
    info.parameter("pitch", &FilterGlyphs::pitch, "pitch of the view")
        .range(-90, 90)
        .unit("degrees");
    info.parameter("zoom", &FilterGlyphs::zoom,
                   "magnification; 1 shows the whole volume from all sides")
        .range(0.01, 1000);
    info.output("result", &FilterGlyphs::result, "the picture, rgba8_unorm, encoded for a display");
}

void FilterGlyphs::build(Graph& graph) {
    const std::uint32_t components = tensor_components(dimensions);
    const auto field = tensor_field(graph, size, 1, components);
    if (!field || !holds_places(graph, "tensor", tensor, *field, components)) return;
    if (source && !holds_places(graph, "source", source, *field, 1)) return;
    if (size.w != 1 || (dimensions == 2 && size.z != 1)) {
        graph.error("filter/axes",
                    fmt::format("an array of {} x {} x {} x {} has more axes than {}", size.x,
                                size.y, size.z, size.w, dimensions),
                    "set \"size\" to 1 along the others");
        return;
    }
    const glm::uvec3 extent(size);
    const glm::uvec3 cells = (extent + (step - 1)) / step;
    const std::uint32_t count = cells.x * cells.y * cells.z;
    const Buffer room = graph.buffer(
        "glyphs", {.size = kGlyphBytes * count, .stride = static_cast<std::uint32_t>(kGlyphBytes)});

    ComputeNodeBuilder shapes = graph.compute("filter/glyph_shapes", {{"DIMENSIONS", dimensions}});
    shapes.read("tensor", tensor);
    shapes.set("size", extent);
    shapes.set("cells", cells);
    shapes.set("step", step);
    shapes.set("scale", scale);
    shapes.set("least", least);
    shapes.set("along", std::uint32_t(shape == GlyphShape::structure));
    const Buffer glyphs = shapes.write("glyphs", room);
    shapes.dispatch_each(count);

    const Extent picture{width, height, 1};
    ComputeNodeBuilder view = graph.compute("filter/glyph_view", {{"DIMENSIONS", dimensions}});
    view.read("glyphs", glyphs);
    view.read_optional("values", source);
    view.set("size", extent);
    view.set("cells", cells);
    view.set("step", step);
    view.set("brightness", brightness);
    if (dimensions == 3) {
        const GlyphCamera camera = camera_of(*this);
        view.set("right", glm::vec4(camera.right, 0.0f));
        view.set("down", glm::vec4(camera.down, 0.0f));
        view.set("into", glm::vec4(camera.into, 0.0f));
    }
    result = view.write("result",
                        graph.image("picture", {.format = Format::rgba8_unorm, .extent = picture}));
    view.dispatch_over(picture);
}

TUFF_PASS(FilterGlyphs)

} // namespace tuff::passes
