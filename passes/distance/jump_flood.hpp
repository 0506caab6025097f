#pragma once

#include "passes/distance/field.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Steps beside those of halving jumps.
enum class JumpVariant : std::uint8_t {
    jfa,
    jfa_plus_1,   ///< then one of 1
    jfa_plus_2,   ///< then one of 2 and one of 1
    one_plus_jfa, ///< one of 1 before
};

/// Nearly the nearest objects, in few passes. See `describe`.
struct JumpFlood {
    static constexpr std::string_view kName = "distance/jump_flood";

    Image seed;
    JumpVariant variant = JumpVariant::one_plus_jfa;
    FieldChannels channels = FieldChannels::one;
    Image field;
    Image site;
    Buffer status;

    static void describe(PassInfo<JumpFlood>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::JumpVariant> {
    static constexpr std::array<std::string_view, 4> names{"jfa", "jfa_plus_1", "jfa_plus_2",
                                                           "one_plus_jfa"};
};
