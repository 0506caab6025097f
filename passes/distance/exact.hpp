#pragma once

#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tuff::passes {

/// What `ExactDistance` writes where the seed has no object at all, in both of its images.
inline constexpr std::uint32_t kNoObject = 0xffffffffu;

enum class DistanceTo : std::uint8_t {
    objects,    ///< texels that are not 0
    background, ///< texels that are 0
};

/// What an exact transform says of its seed, once it is on the host.
struct ExactDistanceStatus {
    std::uint32_t occupied_rows = 0; ///< that hold an object

    static constexpr std::string_view kStructName = "ExactDistanceStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(ExactDistanceStatus, occupied_rows)};
    }
    static ExactDistanceStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const;
};

/// Exact squared Euclidean distance and nearest object. See `describe`.
struct ExactDistance {
    static constexpr std::string_view kName = "distance/exact";

    Image seed;
    DistanceTo to = DistanceTo::objects;
    Image squared;
    Image nearest;
    Buffer status;

    static void describe(PassInfo<ExactDistance>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::DistanceTo> {
    static constexpr std::array<std::string_view, 2> names{"objects", "background"};
};
