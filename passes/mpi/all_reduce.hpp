#pragma once

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How numbers of several ranks become one.
enum class RankOperation : std::uint8_t { sum, min, max };
/// The type of these numbers.
enum class RankNumber : std::uint8_t { f32, u32, i32 };

/// The numbers of all ranks combined, place by place. See `describe`.
struct AllReduce {
    static constexpr std::string_view kName = "mpi/all_reduce";

    Buffer source;
    RankNumber type = RankNumber::f32;
    RankOperation operation = RankOperation::sum;
    Buffer result;

    static void describe(PassInfo<AllReduce>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::RankOperation> {
    static constexpr std::array<std::string_view, 3> names{"sum", "min", "max"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::RankNumber> {
    static constexpr std::array<std::string_view, 3> names{"f32", "u32", "i32"};
};
