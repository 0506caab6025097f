#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tuff::mpi {

/// Passes file descriptors between processes of one user on one host. Never waits.
class DescriptorSocket {
  public:
    DescriptorSocket();
    ~DescriptorSocket();
    DescriptorSocket(const DescriptorSocket&) = delete;
    DescriptorSocket& operator=(const DescriptorSocket&) = delete;

    /// Its name, which others send to; empty where there is none.
    const std::string& name() const { return name_; }

    /// Which memory a descriptor is of, and what belongs to it.
    struct Letter {
        std::int32_t rank = 0;
        std::uint32_t memory = 0;
        std::vector<std::byte> description;
        int descriptor = -1; ///< the receiver closes it; -1: none
    };
    /// False where it cannot be delivered. The descriptor stays the caller's.
    bool send(const std::string& to, const Letter& letter) const;
    /// The next one, if one has come.
    std::optional<Letter> receive() const;

  private:
    int socket_ = -1;
    std::string name_;
};

} // namespace tuff::mpi
