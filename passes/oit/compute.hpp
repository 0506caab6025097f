#pragma once

#include "passes/oit/lists.hpp"
#include "passes/scene/scene_view.hpp"

#include <tuff/pass.hpp>
#include <tuff/scene_resources.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// Whether triangles are sorted into bins of 128x128 pixels before tiles look for theirs.
enum class BinChoice : std::uint8_t { automatic, off, on };

/// Transparent fragments found, sorted and blended tile by tile in compute kernels. See `describe`.
struct OitCompute {
    static constexpr std::string_view kName = "oit/compute";
    static constexpr std::uint32_t kMaxUnbinned = 2048; ///< triangles

    Scene scene;
    SceneView view;
    FragmentPacking packing = FragmentPacking::standard;
    std::uint32_t keep = 8;
    BinChoice bins = BinChoice::automatic;
    float bin_entries = 4.0f;
    std::vector<float> modes;
    Image color;
    Buffer status;

    static void describe(PassInfo<OitCompute>& info);
    void build(Graph& graph);
};

/// The words of OitCompute::status.
struct OitComputeStatus {
    std::uint32_t triangles = 0; ///< on the screen, parts of those cut off counted singly
    std::uint32_t needed = 0;    ///< the same, with those that found no room
    std::uint32_t bins = 0;      ///< entries of bins that were needed; 0 without bins
    std::uint32_t bin_room = 0;  ///< entries that there was room for

    static constexpr std::string_view kStructName = "OitComputeStatus";
    static constexpr auto members() {
        return std::array{
            TUFF_MEMBER(OitComputeStatus, triangles), TUFF_MEMBER(OitComputeStatus, needed),
            TUFF_MEMBER(OitComputeStatus, bins), TUFF_MEMBER(OitComputeStatus, bin_room)};
    }
    static OitComputeStatus read(std::span<const std::uint32_t> words);
    /// oit/few-triangles and oit/few-bins: what found no room.
    Diagnostics warnings() const;
    std::vector<PoolNeed> pool_needs() const; ///< "triangles" and "bins"
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BinChoice> {
    static constexpr std::array<std::string_view, 3> names{"auto", "off", "on"};
};
