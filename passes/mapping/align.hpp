#pragma once

#include "passes/mapping/tracking.hpp"

#include <string_view>

namespace tuff::passes {

/// Computes the motion between two views. See `describe`.
struct MappingAlign {
    static constexpr std::string_view kName = "mapping/align";

    RgbdMaps maps;
    RgbdMaps reference;
    TrackingSettings tracking;

    Buffer pose;
    Buffer status;

    static void describe(PassInfo<MappingAlign>& info);
    void build(Graph& graph);
};

/// Tracks a camera from frame to frame. See `describe`.
struct MappingLocalise {
    static constexpr std::string_view kName = "mapping/localise";

    RgbdFrame frame;
    Buffer first; ///< optional
    TrackingSettings tracking;
    float smooth = 2.0f;
    float edge = 0.05f;

    Buffer pose;
    Buffer status;

    static void describe(PassInfo<MappingLocalise>& info);
    void build(Graph& graph);
};

/// Bytes and operations of an alignment of pictures of this size.
Cost alignment_cost(Extent extent, const TrackingSettings& settings);

} // namespace tuff::passes
