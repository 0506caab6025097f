#pragma once

#include "passes/common/picture.hpp"
#include "passes/oit/lists.hpp"
#include "passes/scene/scene_view.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// The numbers are those of shaders/oit/resolve.glsl.
enum class BlendOrder : std::uint8_t {
    over,  ///< back to front, over the picture
    under, ///< front to back; the picture comes last
};
enum class LongLists : std::uint8_t {
    exact,   ///< gone through again
    nearest, ///< cut off behind the nearest fragments
};
/// What is resolved at a time of a multisampled picture.
enum class ResolveRate : std::uint8_t {
    pixel,  ///< all samples together, while the list is gone through once
    sample, ///< each sample for itself, in a picture of samples
};
enum class SampleAverage : std::uint8_t { plain, by_luminance };
/// Which tiles of 8x8 pixels are looked at.
enum class TileChoice : std::uint8_t {
    all,     ///< one kernel for every tile
    buckets, ///< tiles by the length of their longest list, a kernel for each length
};

/// Sorts and blends the fragments of each pixel. See `describe`.
struct OitResolve {
    static constexpr std::string_view kName = "oit/resolve";

    FragmentLists lists;
    SceneView view;
    Image background; ///< optional
    BlendOrder order = BlendOrder::over;
    std::uint32_t keep = 16;
    LongLists long_lists = LongLists::exact;
    ResolveRate rate = ResolveRate::pixel;
    SampleAverage average = SampleAverage::plain;
    TileChoice tiles = TileChoice::buckets;
    OutputFormat format = OutputFormat::rgba16_sfloat;
    Image color;

    /// Not a parameter of configs: a picture that the rectangle of the lists is written into.
    Image target;

    static void describe(PassInfo<OitResolve>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BlendOrder> {
    static constexpr std::array<std::string_view, 2> names{"over", "under"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::LongLists> {
    static constexpr std::array<std::string_view, 2> names{"exact", "nearest"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::ResolveRate> {
    static constexpr std::array<std::string_view, 2> names{"pixel", "sample"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::SampleAverage> {
    static constexpr std::array<std::string_view, 2> names{"plain", "by_luminance"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::TileChoice> {
    static constexpr std::array<std::string_view, 2> names{"all", "buckets"};
};
