#include "gpu/peer/mapped_lent_memory.hpp"

#include <cstring>

namespace tuff {
namespace {

static_assert(std::is_trivially_copyable_v<ExternalMemory>);

class MappedBytes final : public LentMemory::Opened {
  public:
    MappedBytes(OwnedMemory memory, std::span<const std::byte> bytes)
        : memory_(std::move(memory)), bytes_(bytes) {}
    Result<void> copy(std::uint64_t offset, std::span<std::byte> into) override {
        if (offset > bytes_.size() || into.size() > bytes_.size() - offset)
            return external_mismatch("a message is not in the memory that a rank lends",
                                     "start one version of Tuff on all ranks");
        std::memcpy(into.data(), bytes_.subspan(offset, into.size()).data(), into.size());
        return {};
    }

  private:
    OwnedMemory memory_;
    std::span<const std::byte> bytes_;
};

} // namespace

MappedLentMemory::MappedLentMemory(const DeviceImpl& device, VkDeviceMemory memory,
                                   std::span<std::byte> bytes, std::uint32_t type)
    : device_(device), memory_(memory),
      bytes_(bytes), info_{.identity = identity_of(device.physical),
                           .bytes = bytes.size(),
                           .type = type} {}

std::vector<std::byte> MappedLentMemory::description() const {
    const auto bytes = std::as_bytes(std::span(&info_, 1));
    return {bytes.begin(), bytes.end()};
}

Result<std::unique_ptr<LentMemory::Opened>>
MappedLentMemory::open(std::span<const std::byte> description, int descriptor) const {
    FileDescriptor file(descriptor);
    ExternalMemory other;
    if (description.size() != sizeof(other))
        return external_mismatch("memory that a rank lends has another description than here",
                                 "start one version of Tuff on all ranks");
    std::memcpy(&other, description.data(), sizeof(other));
    if (auto same = check_identity(device_, other.identity, "memory of a rank"); !same)
        return propagate(std::move(same));
    auto memory = import_memory(device_, file.release(), other.bytes, other.type);
    if (!memory) return propagate(std::move(memory));
    const auto bytes = map_memory(device_, memory->get(), other.bytes);
    if (!bytes) return std::unexpected(bytes.error());
    return std::make_unique<MappedBytes>(std::move(*memory), *bytes);
}

} // namespace tuff
