#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How a matrix lies in an array.
enum class MatrixOrder : std::uint8_t { rows, columns };

enum class MatmulForm : std::uint8_t {
    automatic,       ///< the fastest for the device
    naive,           ///< one invocation an element
    multi_pass,      ///< one kernel for each step of the inner dimension
    blocked,         ///< one kernel for each `block` steps of it
    blended,         ///< the same, drawn and added up by the blending unit
    tiled,           ///< 16x16 tiles in shared memory
    registers,       ///< 64x64 tiles, 4x4 elements in the registers of each invocation
    registers_large, ///< 128x256 tiles, 8x16 elements; needs 48 KiB of shared memory
    cooperative,     ///< 128x128 tiles by matrix units; `operands` must be f16
};

/// What elements of the operands are rounded to before they are multiplied.
enum class MatmulOperands : std::uint8_t { f32, f16 };

/// The product of two matrices. See `describe`.
struct Matmul {
    static constexpr std::string_view kName = "primitives/matmul";

    Buffer left;
    Buffer right;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t inner = 0;
    MatrixOrder left_order = MatrixOrder::rows;
    MatrixOrder right_order = MatrixOrder::rows;
    MatrixOrder result_order = MatrixOrder::rows;
    MatmulOperands operands = MatmulOperands::f32;
    MatmulForm form = MatmulForm::automatic;
    std::uint32_t block = 16; ///< of the blocked and blended forms
    Buffer result;

    static void describe(PassInfo<Matmul>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::MatrixOrder> {
    static constexpr std::array<std::string_view, 2> names{"rows", "columns"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::MatmulForm> {
    static constexpr std::array<std::string_view, 9> names{
        "automatic", "naive",     "multi_pass",      "blocked",    "blended",
        "tiled",     "registers", "registers_large", "cooperative"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::MatmulOperands> {
    static constexpr std::array<std::string_view, 2> names{"f32", "f16"};
};
