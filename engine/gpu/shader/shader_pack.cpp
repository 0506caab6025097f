#include "gpu/shader/shader_pack.hpp"

#include <tuff/shader_library.hpp>

#include <bit>
#include <cstring>

namespace tuff {
namespace {

// Words in the machine's order: the header, an entry for each stage, their SPIR-V, their names.
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
    std::uint32_t words_offset = 0;
    std::uint32_t word_count = 0;
};
constexpr std::uint32_t kMagic = 0x66667554; // "Tuff"
constexpr std::uint32_t kFormat = 1;

template <typename T>
void put(std::string& bytes, std::size_t offset, const T& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

} // namespace

std::string write_shader_pack(std::span<const PackedShader> shaders) {
    std::string bytes(sizeof(PackHeader) + shaders.size() * sizeof(PackEntry), '\0');
    std::vector<PackEntry> entries;
    for (const PackedShader& shader : shaders) {
        entries.push_back({.stage = static_cast<std::uint32_t>(shader.stage),
                           .words_offset = static_cast<std::uint32_t>(bytes.size()),
                           .word_count = static_cast<std::uint32_t>(shader.words.size())});
        bytes.append(std::bit_cast<const char*>(shader.words.data()), 4 * shader.words.size());
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
        if (!lies_within(entry.name_offset, entry.name_bytes) || entry.words_offset % 4 != 0 ||
            !lies_within(entry.words_offset, std::uint64_t{4} * entry.word_count))
            return {};
        shaders[i] = {
            .name = {reinterpret_cast<const char*>(pack.data() + entry.name_offset),
                     entry.name_bytes},
            .stage = static_cast<ShaderStage>(entry.stage),
            .words = {reinterpret_cast<const std::uint32_t*>(pack.data() + entry.words_offset),
                      entry.word_count}};
    }
    return shaders;
}

} // namespace tuff
