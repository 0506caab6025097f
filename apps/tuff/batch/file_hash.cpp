#include "apps/tuff/batch/file_hash.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <system_error>
#include <vector>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

struct FreeDigest {
    void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
};

} // namespace

fs::path whole_path(const fs::path& file) {
    return fs::absolute(file).lexically_normal();
}

std::optional<HashedFile> hash_file(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return std::nullopt; // a pipe would be waited for
    std::ifstream stream(file, std::ios::binary);
    const std::unique_ptr<EVP_MD_CTX, FreeDigest> digest(EVP_MD_CTX_new());
    if (!stream || !digest || EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) != 1)
        return std::nullopt;
    HashedFile hashed{.file = file, .bytes = 0, .sha256 = {}};
    std::vector<char> block(std::size_t{1} << 18);
    while (stream) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        const auto count = static_cast<std::size_t>(stream.gcount());
        if (EVP_DigestUpdate(digest.get(), block.data(), count) != 1) return std::nullopt;
        hashed.bytes += count;
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned size = 0;
    if (stream.bad() || EVP_DigestFinal_ex(digest.get(), sum.data(), &size) != 1)
        return std::nullopt;
    for (unsigned i = 0; i < size; ++i)
        hashed.sha256 += fmt::format("{:02x}", sum[i]);
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
