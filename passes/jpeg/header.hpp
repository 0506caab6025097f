#pragma once

#include "passes/jpeg/tables.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tuff::passes::jpeg {

/// Pixels that share a value of chroma.
struct ChromaSize {
    std::uint32_t across = 1;
    std::uint32_t down = 1;
};

/// The Huffman tables of luma, or of chroma.
struct TablePair {
    HuffmanTable dc;
    HuffmanTable ac;
};

/// What a file's header says.
struct FileHeader {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Divisors luma{};
    std::optional<Divisors> chroma; ///< not of grey pictures
    ChromaSize chroma_size;
    std::uint32_t restart = 0; ///< units between restart markers; 0: none
    bool chroma_tables = true; ///< whether chroma has Huffman tables of its own
};

/// All up to the Huffman tables: start of image, JFIF 1.02, quantisation tables, frame.
std::vector<std::byte> bytes_before_tables(const FileHeader& header);
/// The segments of Huffman tables: of luma, and of chroma where there is one.
std::vector<std::byte> table_bytes(const TablePair& luma, const TablePair* chroma);
/// The whole header, with these tables; `chroma` where `header` says that there are some.
std::vector<std::byte> header_bytes(const FileHeader& header, const TablePair& luma,
                                    const TablePair& chroma);
/// All from the Huffman tables to the entropy-coded data: restart interval, scan.
std::vector<std::byte> bytes_after_tables(const FileHeader& header);

} // namespace tuff::passes::jpeg
