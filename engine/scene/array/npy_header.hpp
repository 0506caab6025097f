#pragma once

#include <tuff/buffer_elements.hpp>
#include <tuff/diagnostic.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// NumPy's array format, version 1 to 3: a signature, the length of a header, the header (a Python
/// dictionary literal) padded with spaces so that the data starts at a multiple of 64, the data.
namespace tuff::codec {

inline constexpr std::string_view kNpySignature = "\x93NUMPY";
inline constexpr std::size_t kNpyAlignment = 64;

struct NpyHeader {
    ElementType type = ElementType::u8;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0;
};

/// `name` stands for the file in messages. Errors: DOMAIN/corrupt, DOMAIN/unsupported.
Result<NpyHeader> parse_npy_header(std::span<const std::byte> file, std::string_view name,
                                   std::string_view domain);

/// "<f4", as numpy writes it.
std::string npy_type_text(ElementType type);

} // namespace tuff::codec
