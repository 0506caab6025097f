#include "gpu/checkpoint/checksum.hpp"

#include <fmt/format.h>

// All of it in this file: no library to link.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tuff {

struct Checksum::State {
    XXH3_state_t state;
};

Checksum::Checksum() : state_(std::make_unique<State>()) {
    XXH3_128bits_reset(&state_->state);
}

Checksum::~Checksum() = default;

void Checksum::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(&state_->state, bytes.data(), bytes.size());
}

std::string Checksum::text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_->state);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace tuff
