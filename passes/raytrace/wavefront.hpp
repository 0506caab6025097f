#pragma once

#include "passes/bvh/bvh.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/raytrace/camera_rays.hpp"
#include "passes/raytrace/see_through.hpp"
#include "passes/raytrace/shapes.hpp"
#include "passes/raytrace/surfaces.hpp"

#include <tuff/graph.hpp>
#include <tuff/scene_resources.hpp>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

/// The stages of tracers that bring all paths on by a bounce at a time: find what they hit, shade
/// it, try their shadow rays. Everything of a path lies in its slot, so it does not matter in which
/// order, or with how many dispatches, the slots are worked on.
namespace tuff::passes {

/// Which slots a stage works on.
enum class PathScheduling : std::uint8_t {
    compacted, ///< those whose paths go on, gathered into a queue after each bounce
    all,       ///< all; those without a path return at once
};

/// Paths of a picture, a slot a pixel (two with the same scheduling differ in nothing else).
struct Paths {
    Buffer rays;
    Buffer paths;
    Buffer queue; ///< slots that are worked on; not connected: all
    Buffer count; ///< one word: how many
};

/// A kernel that shades, and what it wants besides the paths and surfaces: lights, for example.
struct Shader {
    std::string_view kernel;
    std::function<void(ComputeNodeBuilder&)> bind;
};

/// Another way to find hits than a kernel for each ray: by passes of their own, which take the rays
/// of all paths at once.
struct RayWaves {
    std::function<Buffer(const Paths&)> closest; ///< hits, a quad a slot
    /// Adds the light of shadow rays, three quads a slot, that nothing is in the way of: new paths.
    std::function<Buffer(const Paths&, Buffer shadow_rays)> light;

    explicit operator bool() const { return closest && light; }
};

/// What all stages of a tracer need to know.
struct Tracing {
    Scene scene;
    Bvh bvh;
    RayQuery query;
    std::vector<MaterialBatch> batches;
    SeeThrough see_through; ///< what shadow rays get through
    PathScheduling scheduling = PathScheduling::compacted;
    std::uint32_t slots = 0;
    Buffer frame;     ///< one word: samples before this execution; not connected: none
    RayWaves waves;   ///< where hits are not found by rays through `bvh`
    RayShapes shapes; ///< what there is beside triangles, if connected
    std::vector<Shader> light_rays; ///< each makes a shadow ray a hit, before hits are shaded
};

/// Begins the paths of a sample, of number `sample` in this execution. `before`: those of the
/// sample before it, whose light is added to; not connected for the first.
Paths begin_paths(Graph& graph, const Tracing& tracing, const CameraRays& camera,
                  std::uint32_t sample, const Paths& before);

struct BounceNumber {
    std::uint32_t bounce = 0;
    std::uint32_t last = 0; ///< from which no path goes on
    bool lit = true;        ///< lights at places are tried
};

/// Traces the paths to what they hit, lights and shades it and tries the shadow rays.
Paths trace_bounce(Graph& graph, const Tracing& tracing, Paths paths, const Shader& shader,
                   const BounceNumber& number);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PathScheduling> {
    static constexpr std::array<std::string_view, 2> names{"compacted", "all"};
};
