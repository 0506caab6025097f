#pragma once

#include "passes/sparse/store.hpp"

namespace tuff::passes {

/// The data of a cell of a field.
enum class SparseCell : std::uint8_t { f32, u32, vec2, vec4 };

/// Copies a field to an array of the whole domain. See `describe`.
struct SparseGather {
    static constexpr std::string_view kName = "sparse/gather";

    SparseBricks bricks;
    Buffer field;
    SparseCell cell = SparseCell::f32;
    Buffer result;

    static void describe(PassInfo<SparseGather>& info);
    void build(Graph& graph);
};

/// Copies an array of the whole domain to a field. See `describe`.
struct SparseScatter {
    static constexpr std::string_view kName = "sparse/scatter";

    SparseBricks bricks;
    Buffer source;
    SparseCell cell = SparseCell::f32;
    Buffer field;

    static void describe(PassInfo<SparseScatter>& info);
    void build(Graph& graph);
};

/// Copies a field to one whose bricks have a halo. See `describe`.
struct SparseHalo {
    static constexpr std::string_view kName = "sparse/halo";

    SparseBricks bricks;
    Buffer field;
    SparseCell cell = SparseCell::f32;
    std::uint32_t width = 1;
    Buffer result;

    static void describe(PassInfo<SparseHalo>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SparseCell> {
    static constexpr std::array<std::string_view, 4> names{"f32", "u32", "vec2", "vec4"};
};
