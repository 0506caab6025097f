#pragma once

#include <tuff/communicator.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tuff::test {

/// Memory of the host that others open by a mapping.
class SharedPages final : public LentMemory {
  public:
    enum class Kind : std::uint8_t {
        plain,
        closed, ///< it does not open what others have lent
        hidden, ///< as of a GPU: the host cannot touch it
    };
    explicit SharedPages(std::size_t size, Kind kind = Kind::plain)
        : kind_(kind), file_(memfd_create("pages", MFD_CLOEXEC)) {
        EXPECT_EQ(ftruncate(file_, static_cast<off_t>(size)), 0);
        window_ = map(file_, size, PROT_READ | PROT_WRITE);
        bytes_ = window_;
        if (kind != Kind::hidden) return;
        bytes_ = map(file_, size, PROT_NONE);
    }
    ~SharedPages() override {
        munmap(window_.data(), window_.size());
        if (kind_ == Kind::hidden) munmap(bytes_.data(), bytes_.size());
        close(file_);
    }
    std::span<std::byte> bytes() const override { return bytes_; }
    bool host_accessible() const override { return kind_ != Kind::hidden; }
    std::uint64_t least_message() const override { return 128; }
    std::vector<std::byte> description() const override {
        const std::size_t size = bytes_.size();
        const auto bytes = std::as_bytes(std::span(&size, 1));
        return {bytes.begin(), bytes.end()};
    }
    Result<int> descriptor() const override { return dup(file_); }
    Result<std::unique_ptr<Opened>> open(std::span<const std::byte> description,
                                         int descriptor) const override {
        ++opened;
        std::unique_ptr<OpenedPages> pages;
        if (kind_ != Kind::closed) {
            std::size_t size = 0;
            std::memcpy(&size, description.data(), sizeof(size));
            pages = std::make_unique<OpenedPages>(*this, map(descriptor, size, PROT_READ));
        }
        close(descriptor);
        if (!pages) return fail("test/closed", "it stays closed");
        return pages;
    }
    Result<void> read(std::uint64_t offset, std::span<std::byte> into) const override {
        std::memcpy(into.data(), window_.subspan(offset).data(), into.size());
        return {};
    }
    Result<void> write(std::uint64_t offset, std::span<const std::byte> from) const override {
        std::memcpy(window_.subspan(offset).data(), from.data(), from.size());
        return {};
    }
    mutable int opened = 0; ///< tries
    mutable int copies = 0;

  private:
    struct OpenedPages final : Opened {
        OpenedPages(const SharedPages& by, std::span<std::byte> of) : own(by), pages(of) {}
        ~OpenedPages() override { munmap(pages.data(), pages.size()); }
        Result<void> copy(std::uint64_t offset, std::span<std::byte> into) override {
            ++own.copies;
            const auto place = static_cast<std::uint64_t>(into.data() - own.bytes_.data());
            return own.write(place, pages.subspan(offset, into.size()));
        }
        const SharedPages& own;
        std::span<std::byte> pages;
    };
    static std::span<std::byte> map(int file, std::size_t size, int access) {
        void* const at = mmap(nullptr, size, access, MAP_SHARED, file, 0);
        EXPECT_NE(at, MAP_FAILED);
        return {static_cast<std::byte*>(at), size};
    }
    Kind kind_;
    int file_;
    std::span<std::byte> window_;
    std::span<std::byte> bytes_; ///< the same, or addresses that nobody may touch
};

} // namespace tuff::test
