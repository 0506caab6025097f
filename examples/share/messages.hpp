#pragma once

#include <tuff/external_memory.hpp>

#include <sys/socket.h>

#include <cstring>
#include <optional>
#include <utility>

// Messages of plain data between two processes, with a descriptor or without: POSIX, without Tuff.

union DescriptorSpace {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

template <typename Data>
bool send(int socket, Data data, int descriptor = -1) {
    iovec part{&data, sizeof(Data)};
    DescriptorSpace space{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = space.bytes;
        message.msg_controllen = sizeof(space.bytes);
        space.header.cmsg_level = SOL_SOCKET;
        space.header.cmsg_type = SCM_RIGHTS;
        space.header.cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(&space.header), &descriptor, sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == sizeof(Data);
}

/// Nothing where the other process has ended.
template <typename Data>
std::optional<std::pair<Data, tuff::FileDescriptor>> receive(int socket) {
    std::pair<Data, tuff::FileDescriptor> received;
    iovec part{&received.first, sizeof(Data)};
    DescriptorSpace space{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.bytes;
    message.msg_controllen = sizeof(space.bytes);
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != sizeof(Data)) return std::nullopt;
    if (const cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header && header->cmsg_type == SCM_RIGHTS) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
        received.second = tuff::FileDescriptor(descriptor);
    }
    return received;
}
