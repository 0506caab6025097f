#pragma once

#include "passes/bvh/bvh.hpp"

namespace tuff::passes {

/// Bits of a Morton code.
enum class CodeBits : std::uint8_t { bits30, bits60 };

/// Which coordinate each bit of a code halves.
enum class Interleave : std::uint8_t {
    xyz,     ///< x, y and z in turn
    extents, ///< the longest side that the cell still has
};

/// The place of each triangle of a mesh on a Morton curve. See `describe`.
struct MortonCodes {
    static constexpr std::string_view kName = "bvh/morton_codes";

    TriangleMesh mesh;
    CodeBits bits = CodeBits::bits30;
    Interleave interleave = Interleave::xyz;

    Buffer codes;
    Buffer box;
    Buffer status;

    static void describe(PassInfo<MortonCodes>& info);
    void build(Graph& graph);
};

/// Codes in order, and the triangles that they are of.
struct SortedCodes {
    Buffer codes;
    Buffer order; ///< u32 a triangle
    Buffer box;   ///< of `MortonCodes`
    Buffer status;
};

/// Makes the codes of a valid mesh and sorts them; of equal codes the lower triangle comes first.
SortedCodes sorted_codes(Graph& graph, const TriangleMesh& mesh, CodeBits bits,
                         Interleave interleave);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::CodeBits> {
    static constexpr std::array<std::string_view, 2> names{"30", "60"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::Interleave> {
    static constexpr std::array<std::string_view, 2> names{"xyz", "extents"};
};
