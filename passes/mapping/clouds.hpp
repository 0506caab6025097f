#pragma once

#include "passes/mapping/rgbd.hpp"

#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Maps that are clouds of points: what a map of voxels is better than.
namespace tuff::passes {

/// Coloured points. Behind the last one the buffers hold anything.
struct PointCloud {
    static constexpr std::string_view kPortType = "PointCloud";

    Buffer positions; ///< vec4: world, metres; w is 1
    Buffer colors; ///< u32: RGB, 8 bits each; alpha: how many points it is the mean of, at most 255
    Buffer count;  ///< one word
    std::uint32_t room = 0;

    explicit operator bool() const { return positions && colors && count; }
    std::vector<PortMember> members() const {
        return {{"positions", positions, BufferElements::of<glm::vec4>()},
                {"colors", colors, BufferElements::of<std::uint32_t>()},
                {"count", count, BufferElements::of<std::uint32_t>()}};
    }
};

/// What a map of points reports; `CloudStatus` of shaders/mapping/cloud_status.glsl.
struct CloudStatus {
    std::uint32_t points = 0; ///< that the map should have
    std::uint32_t room = 0;
    std::uint32_t outside = 0; ///< points beyond the bins

    static constexpr std::string_view kStructName = "CloudStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(CloudStatus, points), TUFF_MEMBER(CloudStatus, room),
                          TUFF_MEMBER(CloudStatus, outside)};
    }
    static CloudStatus read(std::span<const std::uint32_t> words);
    /// mapping/map-full, mapping/outside-bins
    Diagnostics warnings() const;
};

/// A frame's points. See `describe`.
struct MappingBackProject {
    static constexpr std::string_view kName = "mapping/back_project";

    RgbdFrame frame;
    Buffer pose;

    PointCloud cloud;

    static void describe(PassInfo<MappingBackProject>& info);
    void build(Graph& graph);
};

/// The points of all frames. See `describe`.
struct MappingConcatenate {
    static constexpr std::string_view kName = "mapping/concatenate";

    PointCloud cloud;
    int room = 1 << 22;

    PointCloud map;
    Buffer status;

    static void describe(PassInfo<MappingConcatenate>& info);
    void build(Graph& graph);
};

/// The points of the last frames. See `describe`.
struct MappingWindow {
    static constexpr std::string_view kName = "mapping/window";

    PointCloud cloud;
    int frames = 8;

    PointCloud map;
    Buffer status;

    static void describe(PassInfo<MappingWindow>& info);
    void build(Graph& graph);
};

/// What is left of the points of a bin.
enum class BinKeeps : std::uint8_t {
    mean,  ///< one point in their middle
    first, ///< the one that came first
};

/// At most one point a bin. See `describe`.
struct MappingBins {
    static constexpr std::string_view kName = "mapping/bins";

    PointCloud cloud;
    float side = 0.02f;
    glm::vec3 corner{-5.12f};
    BinKeeps keeps = BinKeeps::mean;
    int room = 1 << 18;

    PointCloud map;
    Buffer status;

    static void describe(PassInfo<MappingBins>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BinKeeps> {
    static constexpr std::array<std::string_view, 2> names{"mean", "first"};
};
