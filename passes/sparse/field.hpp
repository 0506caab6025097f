#pragma once

#include "passes/sparse/store.hpp"

namespace tuff::passes {

/// The data of a cell of a field.
enum class SparseCell : std::uint8_t { f32, u32, vec2, vec4 };
/// Words of 32 bits.
std::uint32_t words_of(SparseCell cell);
/// Elements of a buffer with one of them for each cell.
BufferElements elements_of(SparseCell cell);
/// Whether a field of the store holds all cells of its slots; else reports primitives/too-short.
bool holds_slots(Graph& graph, std::string_view port, Buffer field, SparseCell cell,
                 const SparseShape& shape);

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
