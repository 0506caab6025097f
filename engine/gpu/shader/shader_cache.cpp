#include "gpu/shader/shader_cache.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

namespace tuff {
namespace {

namespace fs = std::filesystem;

// FNV-1a; two runs from different bases make a name of 128 bits, too long to collide by accident.
constexpr std::uint64_t kBasisA = 0xcbf29ce484222325u;
constexpr std::uint64_t kBasisB = 0x9ae16a3b2f90404fu;

std::uint64_t hash(std::string_view bytes, std::uint64_t basis) {
    std::uint64_t value = basis;
    for (const char c : bytes) {
        value ^= static_cast<unsigned char>(c);
        value *= 0x100000001b3u;
    }
    return value;
}

struct CacheHeader {
    char magic[8] = {'t', 'u', 'f', 'f', 's', 'p', 'v', '1'};
    std::uint64_t bytes = 0;
    std::uint64_t checksum = 0; ///< of the words, so that a damaged file is noticed
};

} // namespace

fs::path ShaderCache::file_of(std::string_view key) const {
    return folder_ / fmt::format("{:016x}{:016x}.spv", hash(key, kBasisA), hash(key, kBasisB));
}

std::optional<std::vector<std::uint32_t>> ShaderCache::load(std::string_view key) const {
    if (folder_.empty()) return std::nullopt;
    std::ifstream stream(file_of(key), std::ios::binary);
    if (!stream) return std::nullopt;
    const std::string content(std::istreambuf_iterator<char>(stream), {});
    CacheHeader header;
    if (content.size() < sizeof(header)) return std::nullopt;
    std::memcpy(&header, content.data(), sizeof(header));
    const std::string_view body = std::string_view(content).substr(sizeof(header));
    if (std::memcmp(header.magic, CacheHeader{}.magic, sizeof(header.magic)) != 0 ||
        header.bytes != body.size() || body.size() % sizeof(std::uint32_t) != 0 || body.empty() ||
        header.checksum != hash(body, kBasisA))
        return std::nullopt;
    std::vector<std::uint32_t> words(body.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), body.data(), body.size());
    return words;
}

void ShaderCache::store(std::string_view key, std::span<const std::uint32_t> words) const {
    if (folder_.empty()) return;
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    const std::string_view body(reinterpret_cast<const char*>(words.data()), words.size_bytes());
    CacheHeader header;
    header.bytes = body.size();
    header.checksum = hash(body, kBasisA);
    // Written aside and renamed, so that no other process ever sees half a file.
    const fs::path target = file_of(key);
    fs::path aside = target;
    aside += fmt::format(".{:08x}", std::random_device{}());
    {
        std::ofstream stream(aside, std::ios::binary);
        stream.write(reinterpret_cast<const char*>(&header), sizeof(header));
        stream.write(body.data(), static_cast<std::streamsize>(body.size()));
        if (!stream.flush()) {
            stream.close();
            fs::remove(aside, ignored);
            return;
        }
    }
    fs::rename(aside, target, ignored);
    if (ignored) fs::remove(aside, ignored);
}

} // namespace tuff
