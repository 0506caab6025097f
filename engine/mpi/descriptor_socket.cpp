#include "mpi/descriptor_socket.hpp"

#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

namespace tuff::mpi {
namespace {

constexpr std::size_t kMaxDescription = 1024;

struct Head {
    std::int32_t rank = 0;
    std::uint32_t memory = 0;
};

using Control = std::array<char, CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(ucred))>;

/// Abstract: it is in no folder, and ends with its socket.
std::pair<sockaddr_un, socklen_t> address_of(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t length = std::min(name.size(), sizeof(address.sun_path) - 1);
    std::memcpy(address.sun_path + 1, name.data(), length);
    return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length)};
}

} // namespace

DescriptorSocket::DescriptorSocket()
    : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    const std::string name = "tuff-" + std::to_string(getpid());
    const auto [address, length] = address_of(name);
    constexpr int kOn = 1;
    if (socket_ >= 0 && setsockopt(socket_, SOL_SOCKET, SO_PASSCRED, &kOn, sizeof(kOn)) == 0 &&
        bind(socket_, reinterpret_cast<const sockaddr*>(&address), length) == 0)
        name_ = name;
}

DescriptorSocket::~DescriptorSocket() {
    while (const auto unread = receive())
        if (unread->descriptor >= 0) close(unread->descriptor);
    if (socket_ >= 0) close(socket_);
}

bool DescriptorSocket::send(const std::string& to, const Letter& letter) const {
    if (to.empty() || socket_ < 0 || letter.description.size() > kMaxDescription) return false;
    auto [address, length] = address_of(to);
    Head head{.rank = letter.rank, .memory = letter.memory};
    std::vector<std::byte> description = letter.description;
    std::array<iovec, 2> parts{{{&head, sizeof(head)}, {description.data(), description.size()}}};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_name = &address;
    message.msg_namelen = length;
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    if (letter.descriptor >= 0) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr* const rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(rights), &letter.descriptor, sizeof(int));
    }
    return sendmsg(socket_, &message, MSG_NOSIGNAL) >= 0;
}

std::optional<DescriptorSocket::Letter> DescriptorSocket::receive() const {
    for (;;) {
        Head head;
        std::array<std::byte, kMaxDescription> text{};
        std::array<iovec, 2> parts{{{&head, sizeof(head)}, {text.data(), text.size()}}};
        alignas(cmsghdr) Control control{};
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const ssize_t bytes = recvmsg(socket_, &message, MSG_CMSG_CLOEXEC);
        if (bytes < 0) return std::nullopt;
        Letter letter{.rank = head.rank, .memory = head.memory, .description = {}};
        bool own_user = false;
        for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
            if (part->cmsg_level != SOL_SOCKET) continue;
            if (part->cmsg_type == SCM_RIGHTS)
                std::memcpy(&letter.descriptor, CMSG_DATA(part), sizeof(int));
            ucred from{};
            if (part->cmsg_type != SCM_CREDENTIALS) continue;
            std::memcpy(&from, CMSG_DATA(part), sizeof(from));
            own_user = from.uid == geteuid();
        }
        const auto size = static_cast<std::size_t>(bytes);
        if (own_user && size >= sizeof(head)) {
            letter.description.assign(
                text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size - sizeof(head)));
            return letter;
        }
        if (letter.descriptor >= 0) close(letter.descriptor); // somebody else's
    }
}

} // namespace tuff::mpi
