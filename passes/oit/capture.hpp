#pragma once

#include "passes/oit/lists.hpp"
#include "passes/scene/scene_view.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/vec2.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// How much room there is for fragments, and what is stored of each: a parameter group.
struct FragmentPool {
    std::int64_t capacity = -1; ///< fragments; -1: by `layers`
    float layers = 8.0f;        ///< of each pixel, or sample, on average
    FragmentPacking packing = FragmentPacking::standard;
    CaptureRate rate = CaptureRate::pixel;
    glm::vec2 depths{0.0f, 1.0f}; ///< that occur; these are brought to [0, 1]

    static void describe_fields(auto&& field) {
        using P = FragmentPool;
        field("capacity", &P::capacity, "largest number of fragments; -1: from \"layers\"")
            .range(-1, 1e9)
            .structural();
        field("layers", &P::layers, "average number of transparent layers of a pixel")
            .range(0.0, 1024.0)
            .structural();
        field("packing", &P::packing, "the data stored for a fragment").structural();
        field("rate", &P::rate, "for multisampled pictures: fragments for pixels, or for samples")
            .structural();
        field("depths", &P::depths,
              "nearest and farthest clip-space depth that occurs: packings with few bits of depth "
              "quantize between them")
            .range(0.0, 1.0)
            .structural();
    }
};

/// Keeps the fragments of a scene's blended materials. See `describe`.
struct OitCapture {
    static constexpr std::string_view kName = "oit/capture";

    Scene scene;
    SceneView view;
    FragmentLayout layout = FragmentLayout::linked;
    FragmentPool pool;
    std::vector<float> modes;
    FragmentLists lists;

    /// Not a parameter of configs: only the fragments of these pixels; `nullopt`: of all.
    std::optional<PixelRectangle> area;
    /// Not a parameter of configs: the blended draws that are captured, in this order; empty: all.
    std::vector<std::uint32_t> draws;
    /// Not a parameter of configs: nothing is drawn, and the lists are empty.
    bool nothing = false;
    /// Not a parameter of configs: buffers have room for a rectangle of this size; nothing: of the
    /// area's.
    std::optional<glm::uvec2> largest;
    /// Not a parameter of configs: lists whose heads and fragments are used again.
    FragmentLists reuse;
    /// Not a parameter of configs: where the status is in a buffer of several, words of zero;
    /// nothing: in a buffer of its own.
    BufferView status;

    static void describe(PassInfo<OitCapture>& info);
    void build(Graph& graph);
};

/// Fragments that `pool` makes room for in a rectangle of `size`, and nothing, and a report, where
/// they are more than can be addressed (oit/pool-too-large).
std::optional<std::uint32_t> pool_capacity(Graph& graph, const FragmentPool& pool,
                                           FragmentLayout layout, glm::uvec2 size,
                                           std::uint32_t samples);

} // namespace tuff::passes
