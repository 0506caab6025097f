#pragma once

#include <tuff/external_memory.hpp>

#include <sys/socket.h>

#include <cstring>
#include <optional>
#include <type_traits>

/// Messages of two processes over a socket (SOCK_SEQPACKET), with a descriptor or without.
namespace tuff::test {

union DescriptorSpace {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

template <typename Info>
bool send_message(int socket, Info info, int descriptor = -1) {
    static_assert(std::is_trivially_copyable_v<Info>);
    iovec part{&info, sizeof(info)};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    DescriptorSpace space{};
    if (descriptor >= 0) {
        message.msg_control = space.bytes;
        message.msg_controllen = sizeof(space.bytes);
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == sizeof(info);
}

template <typename Info>
struct Received {
    Info info{};
    FileDescriptor descriptor;
};

/// The next message; nothing where the other process has ended.
template <typename Info>
std::optional<Received<Info>> receive_message(int socket) {
    static_assert(std::is_trivially_copyable_v<Info>);
    Received<Info> received;
    iovec part{&received.info, sizeof(Info)};
    DescriptorSpace space{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.bytes;
    message.msg_controllen = sizeof(space.bytes);
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != sizeof(Info)) return std::nullopt;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS) {
        int number = -1;
        std::memcpy(&number, CMSG_DATA(header), sizeof(int));
        received.descriptor = FileDescriptor(number);
    }
    return received;
}

/// What the peer is told to do.
enum class Order : std::uint32_t {
    add,  ///< one execution: the sum of the words it was sent and those it has made itself
    wait, ///< the same, between semaphores
    die,  ///< end at once, with nothing put in order
    end,
};

} // namespace tuff::test
