#pragma once

#include <string_view>

/// Small configs of which each frame depends on those before, and some on $frame and $time as well.
namespace tuff::test {

/// Conway's life from a kernel beside the config, life_step.comp of examples/own_kernels.
inline constexpr std::string_view kLifeConfig = R"json({
 "tuff": 1, "size": [40, 24],
 "history": {"past": {"from": "now.after", "format": "r32_uint", "size": [40, 24]}},
 "nodes": {
  "now": {"glsl": ["#version 460", "layout(local_size_x = 8, local_size_y = 8) in;",
    "#include \"hash.glsl\"",
    "uniform usampler2D before;",
    "layout(r32ui) writeonly uniform uimage2D after;",
    "uniform Params { int frame; };",
    "void main() {",
    "  ivec2 cell = ivec2(gl_GlobalInvocationID.xy);",
    "  if (any(greaterThanEqual(cell, imageSize(after)))) return;",
    "  uint begun = random_numbers(uint(cell.x), uint(cell.y), 0u).x < 0.33 ? 1u : 0u;",
    "  imageStore(after, cell, uvec4(frame == 0 ? begun : texelFetch(before, cell, 0).r));",
    "}"],
    "in": {"before": "life.after"}, "out": {"after": {"like": "before"}},
    "params": {"frame": "$frame"}},
  "life": {"kernel": "life_step.comp", "in": {"before": "past"}, "out": {"after": {"like": "before"}}},
  "count": {"glsl": ["#version 460", "layout(local_size_x = 8, local_size_y = 8) in;",
    "uniform usampler2D cells;", "layout(std430) buffer bits { uint bits_data[]; };",
    "void main() {",
    "  ivec2 cell = ivec2(gl_GlobalInvocationID.xy);",
    "  if (any(greaterThanEqual(cell, textureSize(cells, 0)))) return;",
    "  bits_data[cell.y * 40 + cell.x] = texelFetch(cells, cell, 0).r;",
    "}"],
    "in": {"cells": "now.after"}, "out": {"bits": {"length": 960}}, "dispatch": {"over": "cells"}}
 },
 "outputs": {"result": {"from": "count.bits", "file": "result.bin"}}
})json";

/// A moving board whose frames fade: what antialiasing over time and exposure over time do. From
/// frame 9 on the graph has another node, so that it is compiled again in the middle.
inline constexpr std::string_view kFadeConfig = R"json({
 "tuff": 1, "size": [24, 16],
 "assets": {"board": {"generate": "checker", "size": [24, 16], "cell": 3}},
 "history": {"past": {"from": "blend.result", "format": "rgba32_sfloat", "size": [24, 16],
                      "clear": [0.25, 0.5, 0.75, 1]}},
 "nodes": {
  "moved": {"pass": "image/map", "in": {"source": "board"},
   "params": {"expression": "x * (0.6 + 0.4 * sin(p.x * 3.0 + uv.x * 9.0)) + 0.01 * p.y",
              "p": ["$time", "$frame", 0, 0], "format": "rgba32_sfloat"}},
  "blend": {"pass": "image/map", "in": {"source": "moved.result", "other": "past"},
   "params": {"expression": "mix(y, x, 0.1)", "format": "rgba32_sfloat"}},
  "late": {"pass": "image/gaussian", "in": {"source": "blend.result"}, "params": {"sigma": 0.5},
           "when": "=$frame >= 9", "else": "blend.result"}
 },
 "outputs": {"result": {"from": "late.result", "file": "result.npy"}}
})json";

/// Paths of light gathered over the frames.
inline constexpr std::string_view kLightConfig = R"json({
 "tuff": 1, "size": [20, 14],
 "assets": {"world": {"scene": [{"plane": [5, 5]},
   {"plane": [2, 2], "rotate": [70, 20, 0], "translate": [0, 1, 0],
    "material": {"base_color": [0.9, 0.4, 0.2, 1]}}]}},
 "nodes": {
  "view": {"pass": "raytrace/path_trace", "in": {"scene": "world"},
   "params": {"width": 20, "height": 14, "samples": 2, "bounces": 2}}},
 "outputs": {"result": {"from": "view.color", "file": "result.npy"},
             "count": {"from": "view.count", "file": "count.bin"}}
})json";

/// Grains that fall and collide.
inline constexpr std::string_view kGrainsConfig = R"json({
 "tuff": 1, "size": [8, 8],
 "nodes": {
  "start": {"pass": "particles/seed", "params": {"count": 200, "fill": 0.2}},
  "grains": {"pass": "particles/simulate", "in": {"initial": "start.particles"}, "params": {"steps": 3}}},
 "outputs": {"result": {"from": "grains.particles.positions", "file": "result.bin"},
             "velocities": {"from": "grains.particles.velocities", "file": "velocities.bin"}}
})json";

/// A projected flow with dye, and its numbers over time.
inline constexpr std::string_view kFlowConfig = R"json({
 "tuff": 1, "size": [16, 16],
 "nodes": {
  "source": {"pass": "fluid/emitter", "params": {"position": ["=8+4*sin($time)", 3, 0.5], "radius": 2,
             "velocity": [0, 6, 0]}},
  "flow": {"pass": "fluid/stable", "in": {"emitters": ["source.emitter"]},
           "params": {"dims": [16, 16, 1], "dt": 0.1}},
  "numbers": {"pass": "fluid/stats", "in": {"field": "flow.field"}, "params": {"kept": 64}}},
 "outputs": {"result": {"from": "flow.field.cells", "file": "result.bin"},
             "energies": {"from": "numbers.energies", "file": "energies.bin"}}
})json";

/// Beside what fades, more fragments than there is room for at first.
inline constexpr std::string_view kFragmentsConfig = R"json({
 "tuff": 1, "size": [16, 16],
 "assets": {"board": {"generate": "checker", "size": [16, 16], "cell": 3},
            "floor": {"scene": [{"plane": [2, 2]}]}},
 "history": {"past": {"from": "blend.result", "format": "rgba32_sfloat", "size": [16, 16]}},
 "nodes": {
  "blend": {"pass": "image/map", "in": {"source": "board", "other": "past"},
   "params": {"expression": "mix(y, x, 0.1)", "format": "rgba32_sfloat"}},
  "triangles": {"pass": "geometry/triangles", "in": {"scene": "floor"}},
  "fragments": {"pass": "geometry/capture_fragments",
   "in": {"mesh": "triangles.mesh", "scene": "floor"},
   "params": {"width": 16, "height": 16, "capacity": 1,
              "camera": {"mode": "free", "position": [0, 4, 1]}}}},
 "outputs": {"result": {"from": "blend.result", "file": "result.npy"},
             "stored": {"from": "fragments.lists.count", "file": "stored.bin"}}
})json";

} // namespace tuff::test
