#include "gpu/external/external_impl.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace tuff {
namespace {

/// Tells files apart; 0: it is closed.
std::uint64_t file_of(int descriptor) {
    struct stat status {};
    return fstat(descriptor, &status) == 0 ? status.st_ino + 1 : 0;
}

} // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

FileDescriptor::~FileDescriptor() {
    if (number_ >= 0) close(number_);
}

int FileDescriptor::release() {
    return std::exchange(number_, -1);
}

HandedOver::HandedOver(FileDescriptor& descriptor)
    : descriptor_(descriptor), file_(file_of(descriptor.get())) {}

void HandedOver::settle(bool taken) {
    if (taken || file_of(descriptor_.get()) != file_) descriptor_.release();
}

} // namespace tuff
