#pragma once

#include "mpi/descriptor_socket.hpp"

#include <tuff/communicator.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tuff::mpi {

/// The memory that this rank lends, and that of others which it has opened.
class LentMemories {
  public:
    using Lent = std::shared_ptr<LentMemory>;

    const std::string& name() const { return socket_.name(); }

    void add(Lent memory);
    void remove(const LentMemory& memory);

    /// Bytes of a memory that this rank lends.
    struct Place {
        Lent memory;
        std::uint32_t number = 0;
        std::uint64_t offset = 0;
    };
    std::optional<Place> place_of(std::span<const std::byte> bytes) const;

    /// Sends a rank what it needs to open a memory; false where that is not possible.
    bool offer(std::uint32_t memory, std::int32_t own_rank, const std::string& to);

    enum class Copied : std::uint8_t {
        done,
        unknown, ///< the memory has not been opened: it may be offered
        failed
    };
    /// Copies from memory number `memory` of a rank. `into` is in memory that this rank lends.
    Copied copy(std::int32_t rank, std::uint32_t memory, std::uint64_t offset,
                std::span<std::byte> into);

  private:
    using OtherMemory = std::pair<std::int32_t, std::uint32_t>; ///< rank, number
    struct Own {
        Lent memory;
        /// Opened for copies into this one; null: that failed.
        std::map<OtherMemory, std::shared_ptr<LentMemory::Opened>> opened;
    };
    /// By their first byte.
    using Owned = std::map<const std::byte*, std::pair<std::uint32_t, Own>>;
    Owned::const_iterator find(std::span<const std::byte> bytes) const;
    void take_offers();
    std::shared_ptr<LentMemory::Opened>* open(Own& own, const OtherMemory& other);

    DescriptorSocket socket_;
    mutable std::mutex mutex_;
    Owned own_;
    std::uint32_t next_ = 0;
    std::map<OtherMemory, DescriptorSocket::Letter> offered_; ///< and not opened yet

  public:
    LentMemories() = default;
    ~LentMemories();
    LentMemories(const LentMemories&) = delete;
    LentMemories& operator=(const LentMemories&) = delete;
};

} // namespace tuff::mpi
