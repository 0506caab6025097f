#include "mpi/lent_memories.hpp"

#include <unistd.h>

#include <algorithm>

namespace tuff::mpi {

LentMemories::~LentMemories() {
    for (const auto& [other, letter] : offered_)
        if (letter.descriptor >= 0) close(letter.descriptor);
}

void LentMemories::add(Lent memory) {
    const std::byte* const first = memory->bytes().data();
    const std::lock_guard lock(mutex_);
    own_[first] = {next_++, Own{.memory = std::move(memory), .opened = {}}};
}

void LentMemories::remove(const LentMemory& memory) {
    Own ended; // ends outside of the lock
    const std::lock_guard lock(mutex_);
    const auto found = own_.find(memory.bytes().data());
    if (found == own_.end()) return;
    ended = std::move(found->second.second);
    own_.erase(found);
}

LentMemories::Owned::const_iterator LentMemories::find(std::span<const std::byte> bytes) const {
    auto after = own_.upper_bound(bytes.data());
    if (after == own_.begin()) return own_.end();
    --after;
    const std::span<const std::byte> whole = after->second.second.memory->bytes();
    const bool inside = bytes.data() + bytes.size() <= whole.data() + whole.size();
    return inside ? after : own_.end();
}

std::optional<LentMemories::Place> LentMemories::place_of(std::span<const std::byte> bytes) const {
    const std::lock_guard lock(mutex_);
    const auto found = find(bytes);
    if (found == own_.end()) return std::nullopt;
    const auto& [number, own] = found->second;
    return Place{own.memory, number, static_cast<std::uint64_t>(bytes.data() - found->first)};
}

bool LentMemories::offer(std::uint32_t memory, std::int32_t own_rank, const std::string& to) {
    Lent lent;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [first, own] : own_)
            if (own.first == memory) lent = own.second.memory;
    }
    if (!lent) return false;
    const auto descriptor = lent->descriptor();
    if (!descriptor) return false;
    const bool sent = socket_.send(to, {.rank = own_rank,
                                        .memory = memory,
                                        .description = lent->description(),
                                        .descriptor = *descriptor});
    if (*descriptor >= 0) close(*descriptor);
    return sent;
}

void LentMemories::take_offers() {
    while (auto letter = socket_.receive()) {
        const OtherMemory other{letter->rank, letter->memory};
        if (const auto former = offered_.find(other);
            former != offered_.end() && former->second.descriptor >= 0)
            close(former->second.descriptor);
        offered_[other] = std::move(*letter);
    }
}

/// Null where it is unknown.
std::shared_ptr<LentMemory::Opened>* LentMemories::open(Own& own, const OtherMemory& other) {
    if (const auto found = own.opened.find(other); found != own.opened.end()) return &found->second;
    take_offers();
    const auto offer = offered_.find(other);
    if (offer == offered_.end()) return nullptr;
    auto opened = own.memory->open(offer->second.description, offer->second.descriptor);
    offered_.erase(offer);
    std::shared_ptr<LentMemory::Opened>& result = own.opened[other];
    if (opened) result = std::move(*opened);
    return &result;
}

LentMemories::Copied LentMemories::copy(std::int32_t rank, std::uint32_t memory,
                                        std::uint64_t offset, std::span<std::byte> into) {
    std::shared_ptr<LentMemory::Opened> opened;
    Lent own; // stays while it is copied into
    {
        const std::lock_guard lock(mutex_);
        const auto found = find(into);
        if (found == own_.end()) return Copied::failed;
        Own& entry = own_.at(found->first).second;
        own = entry.memory;
        auto* const known = open(entry, {rank, memory});
        if (!known) return Copied::unknown;
        opened = *known;
    }
    return opened && opened->copy(offset, into) ? Copied::done : Copied::failed;
}

} // namespace tuff::mpi
