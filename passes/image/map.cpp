#include "passes/image/map.hpp"

#include "passes/primitives/expression.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr std::string_view kVariables =
    "a GLSL expression of x (vec4, the texel), y (vec4, the texel of \"other\"), at (ivec2, the "
    "place in texels), size (ivec2, the picture's), uv (vec2, the place from 0 to 1) and p (vec4, "
    "the parameter \"p\"); its value is a vec4, or a number for all channels";

/// The kernel with `expression` in it.
std::string kernel_text(const ExpressionText& expression, bool has_other) {
    return fmt::format(R"(#version 460
#extension GL_GOOGLE_cpp_style_line_directive : require
layout(local_size_x = 16, local_size_y = 16) in;
uniform Params {{ vec4 p; }} params;
uniform sampler2D source;
{}
writeonly uniform image2D result;
vec4 expression(vec4 x, vec4 y, ivec2 at, ivec2 size, vec2 uv, vec4 p) {{
    return vec4({});
}}
void main() {{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(at, size))) return;
    vec4 x = texelFetch(source, at, 0);
    vec4 y = {};
    vec2 uv = (vec2(at) + 0.5) / vec2(size);
    imageStore(result, at, expression(x, y, at, size, uv, params.p));
}}
)",
                       has_other ? "uniform sampler2D other;" : "", placed(expression),
                       has_other ? "texelFetch(other, min(at, textureSize(other, 0) - 1), 0)"
                                 : "vec4(0.0)");
}

} // namespace

void MapPicture::describe(PassInfo<MapPicture>& info) {
    info.summary("Applies a GLSL expression to every texel of a picture")
        .details(
            "The expression may use x (the texel, a vec4), y (the texel of \"other\" at the same "
            "place, or its nearest texel if \"other\" is smaller), at (the place in texels), size "
            "(the picture's), uv (the place from 0 to 1) and p (the parameter \"p\", which may "
            "change every frame). Its value is a vec4, or one number for all channels. It is "
            "compiled when the graph is built; an error names the place in the expression.")
        .source("Buck and Purcell, \"A Toolkit for Computation on GPUs\", GPU Gems, chapter 37, "
                "2004")
        .complexity("O(texels)")
        .cost([](const MapPicture& pass, const Graph& graph) {
            return picture_cost(graph, pass.source, pass.result, 4.0);
        });
    info.input("source", &MapPicture::source, "the texels x").picture();
    info.optional_input("other", &MapPicture::other, "the texels y; without it y is 0").picture();
    info.parameter("expression", &MapPicture::expression, "the value, for example \"p.x * x + y\"")
        .structural();
    info.parameter("p", &MapPicture::p, "four numbers for the expression");
    info.parameter("format", &MapPicture::format, "format of the result").structural();
    info.output("result", &MapPicture::result, "the picture, of the source's size");
}

void MapPicture::build(Graph& graph) {
    const ExpressionText text{"expression", expression, std::string(kVariables)};
    const auto shader = define_with(graph, text, "image/map", kernel_text(text, bool(other)));
    if (!shader) return;
    // What the expression does not speak of is not in the kernel.
    const ShaderInterface& kernel = *graph.shaders()->compute(*shader);
    ComputeNodeBuilder node = graph.compute(*shader, "map");
    if (kernel.param_bytes != 0) node.set("p", p);
    if (kernel.find_binding("source")) node.read("source", ImageView(source).mip(0));
    if (kernel.find_binding("other")) node.read("other", ImageView(other).mip(0));
    result = node.write("result", image_like(graph, "result", source,
                                             result_format(graph.desc(source).format, format)));
    node.dispatch_over(graph.extent(source));
}

TUFF_PASS(MapPicture)

} // namespace tuff::passes
