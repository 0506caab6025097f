#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// Means of opacity over cubes that double: what the passes of this module are made of.
namespace tuff::passes {

/// How means over cubes come about.
enum class OcclusionMethod : std::uint8_t {
    n_buffer, ///< at every voxel
    mip,      ///< in levels of half the size
    hybrid,   ///< `mips` levels of half the size, above them at every texel of the last one
    summed,   ///< of any cube, from a summed volume; it has no levels
};

/// What is beyond the volume.
enum class OcclusionBorder : std::uint8_t { open, clamp };

/// How means are kept.
enum class OcclusionPrecision : std::uint8_t { unorm8, unorm16, float16, float32 };

/// The most levels above the volume: of the largest image.
inline constexpr std::uint32_t kMaxOcclusionLevels = 11;

/// The parameters of levels that passes share.
struct LevelParameters {
    OcclusionMethod method = OcclusionMethod::n_buffer;
    std::uint32_t mips = 2;
    std::uint32_t budget = 0;
    OcclusionBorder border = OcclusionBorder::open;
    OcclusionPrecision precision = OcclusionPrecision::unorm16;
};

/// Describes the fields of LevelParameters, which the pass has under the same names.
template <typename Pass>
void describe_levels(PassInfo<Pass>& info) {
    info.parameter("method", &Pass::method,
                   "means over cubes: \"n_buffer\" at every voxel; \"mip\" in levels of half the "
                   "size, faster and with their blocks; \"hybrid\" takes \"mips\" such levels, and "
                   "is an N-buffer of the last one above them; \"summed\" is a summed volume, from "
                   "which cubes of odd width follow, and of occlusion/ambient alone")
        .structural();
    info.parameter("mips", &Pass::mips, "of \"hybrid\"")
        .range(0, kMaxOcclusionLevels)
        .unit("levels")
        .structural();
    info.parameter("budget", &Pass::budget,
                   "that levels may take: where all of them are more, two are kept at a time, and "
                   "\"n_buffer\" and \"hybrid\" take more mips until these fit; 0: any number")
        .range(0, 1u << 20)
        .unit("MiB")
        .structural();
    info.parameter("border", &Pass::border,
                   "beyond the volume: \"open\", or what its edge is (\"clamp\")")
        .structural();
    info.parameter("precision", &Pass::precision,
                   "of what is kept, rounded to the nearest: a step of 8 bits shows")
        .structural();
}

/// The parameters of a pass that describes them by `describe_levels`.
template <typename Pass>
LevelParameters level_parameters(const Pass& pass) {
    return {pass.method, pass.mips, pass.budget, pass.border, pass.precision};
}

/// Means over all cubes of one width.
struct OcclusionLevel {
    Image means;
    std::uint32_t number = 0;   ///< cubes are 2^number voxels wide
    std::uint32_t halvings = 0; ///< texels are 2^halvings voxels wide
    glm::ivec3 dims{1};         ///< texels
    glm::ivec3 first{0};        ///< where the cube of the first texel begins, in texels

    float scale() const { return static_cast<float>(1u << halvings); }
    float half_width() const { return 0.5f * static_cast<float>(1u << number); }
    /// Texels from the volume's first corner to the middle of the texel whose cube begins there,
    /// with what makes cubes of even width symmetric about a voxel.
    glm::vec3 begin() const;
};

/// Levels of a volume of opacities, made one after the other, so that no more than two of them
/// need to be there at a time.
class OcclusionLevels {
  public:
    /// At most `most` above the volume, and no cube wider than its longest side.
    OcclusionLevels(Graph& graph, Image opacity, std::uint32_t most,
                    const LevelParameters& parameters);

    std::uint32_t count() const { return count_; } ///< above the volume
    const OcclusionLevel& last() const { return last_; }
    /// Adds the next level.
    void add();
    std::uint32_t mips() const { return mips_; }
    /// Whether no more than the budget is taken by all levels at once.
    bool fit_at_once() const;

  private:
    struct Bytes {
        std::uint64_t pair = 0; ///< two levels in a row
        std::uint64_t all = 0;
    };
    Bytes bytes_of(std::uint32_t mips) const;

    Graph* graph_;
    LevelParameters parameters_;
    std::uint32_t count_ = 0;
    std::uint32_t mips_ = 0;
    OcclusionLevel last_;
};

/// A summed volume: of each voxel and all before it along x, y and z, modulo 2^32.
struct SummedVolume {
    Buffer sums;
    glm::ivec3 dims{1};       ///< vectors of four sums, rows, slices
    std::uint32_t levels = 0; ///< whose cubes of 2^level + 1 voxels do not overflow
    int margin = 0;           ///< voxels before the first one of the volume
    float unit = 1.0f;        ///< for an opacity of 1
};
/// For cubes of at most 2^levels + 1 voxels, and none wider than 257.
SummedVolume summed_volume(Graph& graph, Image opacity, std::uint32_t levels,
                           OcclusionBorder border);
/// The same, without the sums.
SummedVolume planned_sums(const Graph& graph, Image opacity, std::uint32_t levels,
                          OcclusionBorder border);

/// Whether it is a volume of real numbers that leaves room for levels. Codes:
/// `occlusion/not-opacities`, `occlusion/too-large`.
[[nodiscard]] bool are_opacities(Graph& graph, Image image, std::string_view port);
[[nodiscard]] bool has_room(Graph& graph, Image opacity, std::uint32_t levels,
                            const LevelParameters& parameters);
/// Whether `numbers`, where connected, are of the size of `opacity`. Code: `occlusion/size`.
[[nodiscard]] bool fit(Graph& graph, Image opacity, Image numbers);

/// 0 where there is none.
double volume_texels(const Graph& graph, Image volume);
glm::ivec3 volume_dims(const Graph& graph, Image volume);
/// Of one number a texel.
Image volume_like(Graph& graph, std::string_view name, glm::ivec3 dims, Format format);
Format format_of(OcclusionPrecision precision);
/// Sets how shaders/occlusion/opacities.glsl rounds and what it finds beyond the volume.
void set_kept(ComputeNodeBuilder& node, OcclusionPrecision precision);
void set_border(ComputeNodeBuilder& node, OcclusionBorder border);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::OcclusionMethod> {
    static constexpr std::array<std::string_view, 4> names{"n_buffer", "mip", "hybrid", "summed"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::OcclusionBorder> {
    static constexpr std::array<std::string_view, 2> names{"open", "clamp"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::OcclusionPrecision> {
    static constexpr std::array<std::string_view, 4> names{"unorm8", "unorm16", "float16",
                                                           "float32"};
};
