#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What `ExactDistance` writes as the site where the seed has no object at all.
inline constexpr std::uint32_t kNoSite = 0xffffffffu;

/// The largest pictures and volumes that `ExactDistance` takes; as in exact_rows.comp and
/// exact_hulls.comp.
inline constexpr SeedLimits kExactLimits{.side = 16384, .volume_side = 512};

enum class DistanceTo : std::uint8_t {
    objects,    ///< texels that are not 0
    background, ///< texels that are 0
};

/// Exact squared Euclidean distance and nearest object. See `describe`.
struct ExactDistance {
    static constexpr std::string_view kName = "distance/exact";

    Image seed;
    DistanceTo to = DistanceTo::objects;
    Image field;
    Image site;
    Buffer status;

    static void describe(PassInfo<ExactDistance>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::DistanceTo> {
    static constexpr std::array<std::string_view, 2> names{"objects", "background"};
};
