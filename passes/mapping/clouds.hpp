#pragma once

#include "passes/mapping/rgbd.hpp"

#include <tuff/shared_struct.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Maps that are clouds of points: baselines for maps of voxels.
namespace tuff::passes {

/// Colored points. Buffer contents behind the last point are undefined.
struct PointCloud {
    static constexpr std::string_view kPortType = "PointCloud";

    Buffer positions; ///< vec4: world, metres; w is 1
    Buffer colors;    ///< u32: RGB, 8 bits each; alpha: number of points in the mean, at most 255
    Buffer count;     ///< one word
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
    std::uint32_t points = 0; ///< capacity that the map needs
    std::uint32_t room = 0;
    std::uint32_t outside = 0; ///< points outside of the bins

    static constexpr std::string_view kStructName = "CloudStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(CloudStatus, points), TUFF_MEMBER(CloudStatus, room),
                          TUFF_MEMBER(CloudStatus, outside)};
    }
    static CloudStatus read(std::span<const std::uint32_t> words);
    /// mapping/map-full, mapping/outside-bins
    Diagnostics warnings() const;
};

/// Makes a cloud from a frame. See `describe`.
struct MappingBackProject {
    static constexpr std::string_view kName = "mapping/back_project";

    RgbdFrame frame;
    Buffer pose;

    PointCloud cloud;

    static void describe(PassInfo<MappingBackProject>& info);
    void build(Graph& graph);
};

/// Collects the points of all frames. See `describe`.
struct MappingConcatenate {
    static constexpr std::string_view kName = "mapping/concatenate";

    PointCloud cloud;
    int room = 1 << 22;

    PointCloud map;
    Buffer status;

    static void describe(PassInfo<MappingConcatenate>& info);
    void build(Graph& graph);
};

/// Collects the points of the last frames. See `describe`.
struct MappingWindow {
    static constexpr std::string_view kName = "mapping/window";

    PointCloud cloud;
    int frames = 8;

    PointCloud map;
    Buffer status;

    static void describe(PassInfo<MappingWindow>& info);
    void build(Graph& graph);
};

/// The point that represents a bin.
enum class BinKeeps : std::uint8_t {
    mean,  ///< the mean of its points
    first, ///< the oldest point
};

/// Collects at most one point a bin. See `describe`.
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
