#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/primitives/method.hpp"
#include "passes/scene/camera_parameters.hpp"
#include "passes/subdivision/cage.hpp"

#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Largest number of levels of a subdivision; each makes four triangles of one.
inline constexpr std::uint32_t kMaxSubdivisionLevels = 10;

/// Which triangles are split. The values are those of shaders/subdivision/judge.comp.
enum class SplitCriterion : std::uint8_t {
    depth,    ///< all
    edges,    ///< triangles with an edge of more than `pixels`
    flatness, ///< triangles farther than `tolerance` pixels from the surface
    angle,    ///< triangles that bend by more than `angle`
};

/// How triangles of different levels are joined.
enum class LevelJoin : std::uint8_t {
    fans,     ///< the coarser one is cut to fit; slivers if levels differ by more than one
    slivers,  ///< a triangle with almost no area fills each gap
    balanced, ///< only fans: levels around a corner differ by at most one
};

/// Kinds of triangles, in the second word of a tag above its level.
enum class SubdividedKind : std::uint8_t { whole, part, sliver };

/// What a subdivision reports; `SubdivisionState` of shaders/subdivision/state.glsl.
struct SubdivisionStatus {
    std::uint32_t triangles = 0;
    std::uint32_t vertices = 0;
    std::uint32_t level = 0;   ///< the deepest level
    std::uint32_t stopped = 0; ///< levels that were not split because they did not fit
    std::uint32_t needed = 0;  ///< capacity needed, in triangles, at least
    std::uint32_t room = 0;

    static constexpr std::string_view kStructName = "SubdivisionStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(SubdivisionStatus, triangles), TUFF_MEMBER(SubdivisionStatus, vertices),
            TUFF_MEMBER(SubdivisionStatus, level),     TUFF_MEMBER(SubdivisionStatus, stopped),
            TUFF_MEMBER(SubdivisionStatus, needed),    TUFF_MEMBER(SubdivisionStatus, room)};
    }
    static SubdivisionStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;             ///< subdivision/full
    std::vector<PoolNeed> pool_needs() const; ///< "triangles"
};

/// Subdivides a cage adaptively. See `describe`.
struct Subdivide {
    static constexpr std::string_view kName = "subdivision/adaptive";

    Cage cage;
    CameraParameters camera;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    SplitCriterion criterion = SplitCriterion::edges;
    std::uint32_t levels = 5;
    std::uint32_t least_level = 1;
    float pixels = 8.0f;
    float tolerance = 0.25f;
    float angle = 10.0f;
    LevelJoin join = LevelJoin::fans;
    std::uint32_t most_triangles = 0; ///< 0: chosen automatically
    ScanMethod method = ScanMethod::automatic;

    TriangleMesh mesh;
    Buffer normals;
    Buffer corner_normals;
    Buffer tags;
    Buffer draw;
    Buffer status;

    static void describe(PassInfo<Subdivide>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SplitCriterion> {
    static constexpr std::array<std::string_view, 4> names{"depth", "edges", "flatness", "angle"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::LevelJoin> {
    static constexpr std::array<std::string_view, 3> names{"fans", "slivers", "balanced"};
};
