#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// The tables of baseline JPEG (ITU-T T.81).
namespace tuff::passes::jpeg {

/// Rows and columns of a block, and its coefficients.
inline constexpr std::uint32_t kBlockSide = 8;
inline constexpr std::uint32_t kCoefficients = kBlockSide * kBlockSide;

/// The place of a coefficient, row * 8 + column, by its number in the order of the file (figure
/// A.6).
extern const std::array<std::uint8_t, kCoefficients> kZigzag;

/// Which components a table is for.
enum class TableKind : std::uint8_t { luma, chroma };
/// Which coefficients a Huffman table is for.
enum class CodeKind : std::uint8_t { dc, ac };

/// Divisors of coefficients, by place.
using Divisors = std::array<std::uint8_t, kCoefficients>;

/// The divisors of annex K.1 for this quality, 1 to 100, scaled by the rule of the Independent JPEG
/// Group's library: 50 takes the table as it is, 100 divides by 1.
Divisors divisors_of(TableKind kind, std::uint32_t quality);

/// A Huffman table as files hold it: how many codes have each length, 1 to 16, and the symbols in
/// the order of their codes.
struct HuffmanTable {
    std::array<std::uint8_t, 16> counts{};
    std::vector<std::uint8_t> symbols;
};

/// Symbols that a table may have: sizes of differences of first coefficients; runs of zeros and
/// sizes of the others.
inline constexpr std::uint32_t kDcSymbols = 12;
inline constexpr std::uint32_t kAcSymbols = 256;

/// The tables of annex K.3.
const HuffmanTable& standard_table(TableKind kind, CodeKind code);

/// A code: `length` bits, the low ones of `bits`. Length 0: the symbol has none.
struct HuffmanCode {
    std::uint16_t bits = 0;
    std::uint8_t length = 0;
};

/// The code of each symbol (annex C).
std::array<HuffmanCode, 256> codes_of(const HuffmanTable& table);

} // namespace tuff::passes::jpeg
