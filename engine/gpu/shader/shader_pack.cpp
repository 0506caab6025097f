#include "gpu/shader/shader_pack.hpp"

#include "gpu/shader/spirv_streams.hpp"

#include <zlib.h>

#include <cstring>
#include <new>

namespace tuff {
namespace {

// Words in the machine's order: the header, an entry for each stage, their compressed SPIR-V, their
// names. What is compressed are streams (spirv_streams.hpp), with the first bytes of all words in
// front, then the second ones, and so on, of which most are 0.
struct PackHeader {
    std::uint32_t magic = 0;
    std::uint32_t format = 0; ///< raised when anything here changes
    std::uint32_t count = 0;
    std::uint32_t bytes = 0; ///< of the pack
};
struct PackEntry {
    std::uint32_t stage = 0;
    std::uint32_t name_offset = 0; ///< bytes from the start of the pack, as below
    std::uint32_t name_bytes = 0;
    std::uint32_t deflated_offset = 0;
    std::uint32_t deflated_bytes = 0;
    std::uint32_t word_count = 0;
};
constexpr std::uint32_t kMagic = 0x66667554; // "Tuff"
constexpr std::uint32_t kFormat = 4;

// No deflated byte stands for more.
constexpr std::uint64_t kMaxBytesOfOne = 1032;

constexpr std::size_t kWordBytes = 4;

std::vector<Bytef> split_bytes(std::span<const std::uint32_t> words) {
    std::vector<Bytef> bytes(words.size_bytes());
    const auto* const from = reinterpret_cast<const Bytef*>(words.data());
    for (std::size_t i = 0; i < words.size(); ++i)
        for (std::size_t b = 0; b < kWordBytes; ++b)
            bytes[b * words.size() + i] = from[i * kWordBytes + b];
    return bytes;
}

std::vector<std::uint32_t> joined_bytes(std::span<const Bytef> bytes) {
    std::vector<std::uint32_t> words(bytes.size() / kWordBytes);
    auto* const to = reinterpret_cast<Bytef*>(words.data());
    for (std::size_t i = 0; i < words.size(); ++i)
        for (std::size_t b = 0; b < kWordBytes; ++b)
            to[i * kWordBytes + b] = bytes[b * words.size() + i];
    return words;
}

std::string deflated(std::span<const std::uint32_t> words) {
    const std::vector<Bytef> source = split_bytes(spirv_streams(words));
    uLongf bytes = compressBound(static_cast<uLong>(source.size()));
    std::string result(bytes, '\0');
    // There is room for all, so only memory can be lacking.
    if (compress2(reinterpret_cast<Bytef*>(result.data()), &bytes, source.data(),
                  static_cast<uLong>(source.size()), Z_BEST_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    result.resize(bytes);
    return result;
}

template <typename T>
void put(std::string& bytes, std::size_t offset, const T& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

} // namespace

std::string write_shader_pack(std::span<const PackedShader> shaders) {
    std::string bytes(sizeof(PackHeader) + shaders.size() * sizeof(PackEntry), '\0');
    std::vector<PackEntry> entries;
    for (const PackedShader& shader : shaders) {
        const std::string packed = deflated(shader.words);
        entries.push_back({.stage = static_cast<std::uint32_t>(shader.stage),
                           .deflated_offset = static_cast<std::uint32_t>(bytes.size()),
                           .deflated_bytes = static_cast<std::uint32_t>(packed.size()),
                           .word_count = static_cast<std::uint32_t>(shader.words.size())});
        bytes += packed;
    }
    for (std::size_t i = 0; i < shaders.size(); ++i) {
        entries[i].name_offset = static_cast<std::uint32_t>(bytes.size());
        entries[i].name_bytes = static_cast<std::uint32_t>(shaders[i].name.size());
        bytes += shaders[i].name;
    }
    put(bytes, 0,
        PackHeader{kMagic, kFormat, static_cast<std::uint32_t>(shaders.size()),
                   static_cast<std::uint32_t>(bytes.size())});
    for (std::size_t i = 0; i < entries.size(); ++i)
        put(bytes, sizeof(PackHeader) + i * sizeof(PackEntry), entries[i]);
    return bytes;
}

std::vector<EmbeddedShader> read_shader_pack(std::span<const std::byte> pack) {
    PackHeader header;
    if (pack.size() < sizeof(PackHeader)) return {};
    std::memcpy(&header, pack.data(), sizeof(PackHeader));
    if (header.magic != kMagic || header.format != kFormat || header.bytes > pack.size()) return {};
    const auto lies_within = [&](std::uint64_t offset, std::uint64_t bytes) {
        return offset + bytes <= pack.size();
    };
    if (!lies_within(sizeof(PackHeader), std::uint64_t{header.count} * sizeof(PackEntry)))
        return {};
    std::vector<EmbeddedShader> shaders(header.count);
    for (std::size_t i = 0; i < shaders.size(); ++i) {
        PackEntry entry;
        std::memcpy(&entry, pack.data() + sizeof(PackHeader) + i * sizeof(PackEntry),
                    sizeof(PackEntry));
        if (!lies_within(entry.name_offset, entry.name_bytes) ||
            !lies_within(entry.deflated_offset, entry.deflated_bytes) ||
            std::uint64_t{4} * entry.word_count > kMaxBytesOfOne * entry.deflated_bytes)
            return {};
        shaders[i] = {.name = {reinterpret_cast<const char*>(pack.data() + entry.name_offset),
                               entry.name_bytes},
                      .stage = static_cast<ShaderStage>(entry.stage),
                      .words = {},
                      .deflated = pack.subspan(entry.deflated_offset, entry.deflated_bytes),
                      .word_count = entry.word_count};
    }
    return shaders;
}

std::vector<std::uint32_t> words_of(const EmbeddedShader& shader) {
    if (shader.deflated.empty()) return {shader.words.begin(), shader.words.end()};
    std::vector<Bytef> bytes(kWordBytes * (shader.word_count + kStreamCounts));
    uLongf count = static_cast<uLongf>(bytes.size());
    const int state =
        uncompress(bytes.data(), &count, reinterpret_cast<const Bytef*>(shader.deflated.data()),
                   static_cast<uLong>(shader.deflated.size()));
    if (state != Z_OK || count != bytes.size()) return {};
    return spirv_of_streams(joined_bytes(bytes)).value_or(std::vector<std::uint32_t>());
}

} // namespace tuff
