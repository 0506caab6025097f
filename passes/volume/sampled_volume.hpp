#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec3.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// What the passes share that look at volumes: three-dimensional images.
namespace tuff::passes {

/// Which number of a texel is looked at.
enum class VolumeNumber : std::uint8_t { red, green, blue, alpha, length };

/// How numbers between the middles of texels come about.
enum class VolumeFilter : std::uint8_t {
    nearest, ///< that of the nearest texel
    linear,  ///< of the eight texels around, weighed in f32: the same on every device
    device,  ///< by the device's sampler, whose weights may have as few as 8 bits
};

/// When the numbers are filtered by `weights`.
enum class VolumeFiltering : std::uint8_t {
    before, ///< all of them, once
    live,   ///< each one when a ray or a texel of a section looks at it
};

/// A volume as it is looked at: what of it, and how.
struct SampledVolume {
    Image source;
    Buffer weights; ///< connected: of a filter that is applied while looking
    glm::uvec3 dims{1};
    glm::vec3 spacing{1.0f};
    std::uint32_t number = 0;   ///< of the kernels' kNumber
    std::uint32_t channels = 1; ///< numbers of a texel
    std::uint32_t reach = 0;    ///< of `weights`
    VolumeFilter filter = VolumeFilter::linear;

    glm::vec3 edges() const { return glm::vec3(dims) * spacing; }
    float finest() const;
    float longest() const;
};

/// The parameters of the volume that passes share.
struct SamplingParameters {
    VolumeNumber number = VolumeNumber::red;
    VolumeFilter filter = VolumeFilter::linear;
    std::vector<float> weights;
    VolumeFiltering filtering = VolumeFiltering::before;
    glm::vec3 spacing{1.0f};
};

/// Describes the fields source, number, filter, weights, filtering and spacing of a pass.
template <typename Pass>
void describe_sampling(PassInfo<Pass>& info) {
    info.input("source", &Pass::source,
               "a volume: a three-dimensional image of one to four channels");
    info.parameter("number", &Pass::number,
                   "number of a texel: a channel, or the length of its vector")
        .structural();
    info.parameter("filter", &Pass::filter,
                   "interpolation between texels: \"linear\" in f32, or \"device\" by the sampler, "
                   "which is faster but may have weights of 8 bits")
        .structural();
    info.parameter("weights", &Pass::weights,
                   "filter kernel of 1, 27, 125 or 343 weights, x fastest; empty: no filter")
        .range(-1e6, 1e6)
        .structural();
    info.parameter("filtering", &Pass::filtering,
                   "when to filter: once \"before\", or \"live\" at each sample")
        .structural();
    info.parameter("spacing", &Pass::spacing,
                   "distance from one texel to the next, along x, y and z")
        .range(0.0, 1e9, RangeEnds::open_low)
        .unit("world units")
        .structural();
}

/// The parameters of a pass that describes them by `describe_sampling`.
template <typename Pass>
SamplingParameters sampling_parameters(const Pass& pass) {
    return {pass.number, pass.filter, pass.weights, pass.filtering, pass.spacing};
}

/// A volume of integers becomes one of floats, and what is to be filtered before is. Nothing, and a
/// report, where the image is no volume, has no such number or the weights are of no cube. Codes:
/// `volume/not-a-volume`, `volume/no-such-number`, `volume/bad-weights`.
std::optional<SampledVolume> sampled_volume(Graph& graph, Image source,
                                            const SamplingParameters& parameters);

/// Binds the texels of the volume for volume_texels.glsl, and sets `dims`.
void bind_texels(ComputeNodeBuilder& node, const SampledVolume& volume);
/// Binds the volume for the functions of volume_sampling.glsl, filtered as it says, and sets
/// `dims`.
void bind_volume(ComputeNodeBuilder& node, const SampledVolume& volume);

/// Bytes of a volume; 0 where there is none.
double volume_bytes(const Graph& graph, Image source);

/// Of `low` and `high`, the numbers that are shown black and white.
[[nodiscard]] bool is_window(Graph& graph, float low, float high);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::VolumeNumber> {
    static constexpr std::array<std::string_view, 5> names{"red", "green", "blue", "alpha",
                                                           "length"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::VolumeFilter> {
    static constexpr std::array<std::string_view, 3> names{"nearest", "linear", "device"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::VolumeFiltering> {
    static constexpr std::array<std::string_view, 2> names{"before", "live"};
};
