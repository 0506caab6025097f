#include "gpu/shader/exact_arithmetic.hpp"

#include "gpu/shader/spirv_words.hpp"

#include <spirv_cross/GLSL.std.450.h>
#include <spirv_cross/spirv.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace tuff {
namespace {

bool is_arithmetic(std::uint32_t opcode) {
    constexpr std::array kArithmetic{spv::OpFNegate,
                                     spv::OpFAdd,
                                     spv::OpFSub,
                                     spv::OpFMul,
                                     spv::OpFDiv,
                                     spv::OpFRem,
                                     spv::OpFMod,
                                     spv::OpVectorTimesScalar,
                                     spv::OpMatrixTimesScalar,
                                     spv::OpVectorTimesMatrix,
                                     spv::OpMatrixTimesVector,
                                     spv::OpMatrixTimesMatrix,
                                     spv::OpOuterProduct,
                                     spv::OpDot};
    return std::ranges::find(kArithmetic, static_cast<spv::Op>(opcode)) != kArithmetic.end();
}

/// Functions of GLSL that are products and sums.
bool has_sums(std::uint32_t function) {
    constexpr std::array kSums{GLSLstd450Cross,        GLSLstd450Length,  GLSLstd450Distance,
                               GLSLstd450Normalize,    GLSLstd450FMix,    GLSLstd450SmoothStep,
                               GLSLstd450Reflect,      GLSLstd450Refract, GLSLstd450Determinant,
                               GLSLstd450MatrixInverse};
    return std::ranges::find(kSums, static_cast<GLSLstd450>(function)) != kSums.end();
}

/// The result that an instruction rounds, or 0.
std::uint32_t rounded_result(std::uint32_t opcode, std::span<const std::uint32_t> of,
                             std::uint32_t glsl_functions) {
    constexpr std::size_t kResult = 2;
    constexpr std::size_t kSet = 3;
    constexpr std::size_t kFunction = 4;
    if (is_arithmetic(opcode) && of.size() > kResult) return of[kResult];
    if (opcode == spv::OpExtInst && of.size() > kFunction && of[kSet] == glsl_functions &&
        has_sums(of[kFunction]))
        return of[kResult];
    return 0;
}

/// Whether an import is of GLSL's functions.
bool is_glsl(std::span<const std::uint32_t> import) {
    constexpr std::string_view kName = "GLSL.std.450";
    if (import.size() < 3 || import.size_bytes() <= 8 + kName.size()) return false;
    return std::memcmp(&import[2], kName.data(), kName.size()) == 0;
}

/// Whether it comes after decorations in a module: types, constants, variables and functions.
bool follows_decorations(std::uint32_t opcode) {
    return (opcode >= spv::OpTypeVoid && opcode <= spv::OpTypeForwardPointer) ||
           (opcode >= spv::OpConstantTrue && opcode <= spv::OpSpecConstantOp) ||
           opcode == spv::OpVariable || opcode == spv::OpUndef || opcode == spv::OpFunction;
}

} // namespace

bool wants_exact_arithmetic(std::string_view preprocessed) {
    return preprocessed.find("#pragma tuff_exact") != std::string_view::npos;
}

std::vector<std::uint32_t> with_exact_arithmetic(std::vector<std::uint32_t> words) {
    constexpr std::size_t kHeaderWords = 5;
    constexpr std::uint32_t kDecorateWords = 3;
    if (words.size() < kHeaderWords) return words;
    std::size_t at = kHeaderWords;
    bool before = true;
    std::uint32_t glsl_functions = 0;
    std::vector<std::uint32_t> decorations;
    const auto visit = [&](std::uint32_t opcode, std::span<const std::uint32_t> of) {
        before = before && !follows_decorations(opcode);
        if (before) at += of.size();
        if (opcode == spv::OpExtInstImport && is_glsl(of)) glsl_functions = of[1];
        if (const std::uint32_t result = rounded_result(opcode, of, glsl_functions))
            decorations.insert(decorations.end(),
                               {kDecorateWords << spv::WordCountShift | spv::OpDecorate, result,
                                static_cast<std::uint32_t>(spv::DecorationNoContraction)});
    };
    for_each_instruction(std::span<const std::uint32_t>(words), visit);
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), decorations.begin(),
                 decorations.end());
    return words;
}

} // namespace tuff
