#include "apps/tuff/batch/file_hash.hpp"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <vector>

namespace tuff::cli {
namespace fs = std::filesystem;

fs::path whole_path(const fs::path& file) {
    return fs::absolute(file).lexically_normal();
}

std::optional<HashedFile> hash_file(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return std::nullopt; // a pipe would be waited for
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return std::nullopt;
    sha256_ctx digest;
    sha256_init(&digest);
    HashedFile hashed{.file = file, .bytes = 0, .sha256 = {}};
    std::vector<char> block(std::size_t{1} << 18);
    while (stream) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        const auto count = static_cast<std::size_t>(stream.gcount());
        sha256_update(&digest, count, reinterpret_cast<const std::uint8_t*>(block.data()));
        hashed.bytes += count;
    }
    if (stream.bad()) return std::nullopt;
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> sum{};
    sha256_digest(&digest, sum.size(), sum.data());
    for (const std::uint8_t byte : sum)
        hashed.sha256 += fmt::format("{:02x}", byte);
    return hashed;
}

std::optional<HashedFile> FileHashes::of(const fs::path& file) {
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(file, error);
    const auto known = known_.find(file);
    if (!error && known != known_.end() && known->second.written == written)
        return known->second.file;
    auto hashed = hash_file(file);
    if (hashed && !error) known_.insert_or_assign(file, Known{written, *hashed});
    return hashed;
}

bool FileHashes::is_still(const HashedFile& file) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file.file, error);
    return !error && bytes == file.bytes && of(file.file) == file;
}

} // namespace tuff::cli
