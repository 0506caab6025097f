#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

/// What rays of tracers hit beside the triangles of a scene, found by passes of another module,
/// which take the rays of all paths at once.
namespace tuff::passes {

/// Rays of paths, a slot each: those in the queue are traced, or all where there is none.
struct SlotRays {
    Buffer rays; ///< two quads a slot as in raytrace/paths.glsl; of shadow rays three
    Buffer queue;
    Buffer count; ///< one word: how many are in the queue
    std::uint32_t slots = 0;
};

/// Shapes that are in a scene, as a bundle: `displacement/shapes` makes one.
struct RayShapes {
    static constexpr std::string_view kPortType = "RayShapes";
    static constexpr std::uint32_t kSurfaceQuads = 5; ///< as in raytrace/surface.glsl

    /// The nearest hits of rays: those on triangles, a quad a slot, that are given, or nearer ones
    /// on shapes, whose numbers have their highest bit set. Behind the quads of all slots there are
    /// `kSurfaceQuads` a slot, which say what the surface is.
    std::function<Buffer(Graph&, const SlotRays&, Buffer hits)> closest;
    /// The shadow rays without those that a shape is in the way of: their greatest t is -1.
    std::function<Buffer(Graph&, const SlotRays&)> block;
    std::uint32_t material = 0;  ///< the greatest that is known; must be one of the scene's
    std::vector<Buffer> buffers; ///< what all depends on, so that a picture that gets better
    std::vector<Image> images;   ///< begins again where it changes
    std::vector<std::uint32_t> settings; ///< the same of parameters

    explicit operator bool() const { return closest && block; }
};

} // namespace tuff::passes
