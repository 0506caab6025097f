#pragma once

#include "passes/geometry/fragment_lists.hpp"
#include "passes/geometry/triangle_mesh.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>

#include <glm/mat4x4.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Triangles become pixels in compute kernels, without the device's rasterizer: the nearest
/// triangle of each pixel (`ComputeRaster`), or all fragments (`CaptureFragments`).
///
/// What is covered. Vertices are rounded to 1/256 pixel; from there on coverage is exact, by the
/// top-left rule: pixels whose middle lies in a triangle, and each pixel of triangles that share an
/// edge is one's alone. Depth is linear on the screen, and the same bits in every pass and in
/// whichever way a triangle is drawn. Triangles are clipped at the near and the far plane, and at
/// 32768 pixels from the corner of the picture.
namespace tuff::passes {

/// Of a picture; vertices farther than that from its corner are cut off.
inline constexpr std::uint32_t kMaxRasterSide = 32768;
/// Parts of large triangles that there is room for.
inline constexpr std::uint32_t kDefaultRasterParts = 1u << 17;
inline constexpr std::uint32_t kMaxRasterParts = 1u << 24;
/// Most fragments that a list holds: they are addressed in bytes.
inline constexpr std::uint32_t kMaxFragments = (1u << 29) - 1;

/// Faces that are left out; front faces are counter-clockwise on the screen.
enum class RasterCull : std::uint8_t { none, front, back };

/// How the nearest triangle of a pixel is found; both give the same bits.
enum class RasterAtomics : std::uint8_t {
    automatic, ///< 64 bits where the graph's target has such atomics
    words,     ///< 32 bits: depths first, then numbers of triangles, drawing twice
    wide,      ///< 64 bits: depth and number together, drawing once
};

/// What the status of a picture or of captured fragments says: the words of its buffer, as in
/// shaders/geometry/status.glsl.
struct RasterStatus {
    std::uint32_t needed = 0;     ///< fragments there are; 0 where nobody captures
    std::uint32_t stored = 0;     ///< fragments in the lists, at most their capacity
    std::uint32_t overflowed = 0; ///< 1: not all fit
    // Triangles that are left out:
    std::uint32_t degenerate = 0; ///< without area once rounded
    std::uint32_t not_finite = 0; ///< with a vertex that is not a finite number
    std::uint32_t bad_index = 0;  ///< with an index of no vertex
    // Triangles that are drawn in another way:
    std::uint32_t clipped = 0;  ///< that had to be cut off
    std::uint32_t large = 0;    ///< that several groups share
    std::uint32_t unshared = 0; ///< that should be shared but found no room: right, but slow

    static constexpr std::uint32_t kWords = 16;
    /// Of at least nine words.
    static RasterStatus read(std::span<const std::uint32_t> words);
    /// Warnings, with a code each, for what was left out or found no room.
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "fragments", of geometry/capture_fragments
};

/// The nearest triangle of each pixel.
struct Visibility {
    static constexpr std::string_view kPortType = "Visibility";

    Buffer keys;   ///< two u32 a pixel, row by row: triangle, bits of depth; all bits set: none
    Buffer status; ///< `RasterStatus`
    TriangleMesh mesh;
    glm::mat4 clip_from_mesh{1.0f};
    std::uint32_t width = 0;
    std::uint32_t height = 0;

    explicit operator bool() const { return bool(keys); }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all = mesh.members();
        all.push_back({"keys", keys, BufferElements::of<glm::uvec2>()});
        all.push_back({"status", status, BufferElements::of<std::uint32_t>()});
        return all;
    }
};

/// The nearest triangle of each pixel. See `describe`.
struct ComputeRaster {
    static constexpr std::string_view kName = "geometry/compute_raster";

    TriangleMesh mesh;
    Scene scene;    ///< optional: what the camera is placed about
    Image occluder; ///< optional: depths; what is not before them is left out
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    /// In place of the camera, for users of the library: homogeneous clip coordinates as Vulkan
    /// has them, y down.
    std::optional<glm::mat4> clip_from_mesh;
    RasterCull cull = RasterCull::none;
    RasterAtomics atomics = RasterAtomics::automatic;
    std::uint32_t parts = kDefaultRasterParts;
    Visibility visibility;
    Image depth;
    Image triangles;

    static void describe(PassInfo<ComputeRaster>& info);
    void build(Graph& graph);
};

/// All fragments of all triangles, in arrays. A fragment is found once for each triangle that
/// covers the pixel, so (depth, triangle) is a key without ties. See `describe`.
struct CaptureFragments {
    static constexpr std::string_view kName = "geometry/capture_fragments";

    TriangleMesh mesh;
    Scene scene;
    Image occluder;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    std::optional<glm::mat4> clip_from_mesh; ///< as of `ComputeRaster`
    RasterCull cull = RasterCull::none;
    std::uint32_t capacity = 0;
    std::uint32_t parts = kDefaultRasterParts;
    FragmentLists lists;

    static void describe(PassInfo<CaptureFragments>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RasterCull> {
    static constexpr std::array<std::string_view, 3> names{"none", "front", "back"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::RasterAtomics> {
    static constexpr std::array<std::string_view, 3> names{"auto", "words", "wide"};
};
