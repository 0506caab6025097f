#include "gpu/device/semaphores.hpp"
#include "gpu/external/external_impl.hpp"

#include <fmt/format.h>

namespace tuff {
namespace {

Result<std::unique_ptr<ExternalSemaphoreImpl>> make(const DeviceImpl& device, SemaphoreKind kind) {
    const bool counts = kind == SemaphoreKind::timeline;
    if (!shares_semaphores(device, kind))
        return fail("gpu/no-external-semaphore",
                    fmt::format("{} does not share {} semaphores", device.caps.name,
                                counts ? "timeline" : "binary"),
                    counts ? "SemaphoreKind::binary, or messages: see ExternalUse::signal"
                           : "tell the other program by messages: see ExternalUse::signal");
    VkExportSemaphoreCreateInfo exported{};
    exported.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO;
    exported.handleTypes = kSemaphoreHandle;
    auto made = create_semaphore(
        device, counts ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY, &exported);
    if (!made) return propagate(std::move(made));
    auto impl = std::make_unique<ExternalSemaphoreImpl>(device);
    impl->semaphore = std::move(*made);
    impl->info = {.identity = identity_of(device.physical), .kind = kind};
    return impl;
}

} // namespace

ExternalSemaphoreImpl::~ExternalSemaphoreImpl() {
    if (semaphore) wait_for_graphics_queue(*device);
}

ExternalSemaphore::ExternalSemaphore(std::unique_ptr<ExternalSemaphoreImpl> impl)
    : impl_(std::move(impl)) {}
ExternalSemaphore::ExternalSemaphore(ExternalSemaphore&&) noexcept = default;
ExternalSemaphore& ExternalSemaphore::operator=(ExternalSemaphore&&) noexcept = default;
ExternalSemaphore::~ExternalSemaphore() = default;

Result<ExternalSemaphore> ExternalSemaphore::create(Device& device, SemaphoreKind kind) {
    auto made = make(device.impl(), kind);
    if (!made) return propagate(std::move(made));
    return ExternalSemaphore(std::move(*made));
}

Result<ExternalSemaphore> ExternalSemaphore::open(Device& device, const ExternalSemaphoreInfo& info,
                                                  FileDescriptor semaphore) {
    const DeviceImpl& of = device.impl();
    if (auto ok = check_identity(of, info.identity, "semaphore"); !ok)
        return propagate(std::move(ok));
    auto made = make(of, info.kind);
    if (!made) return propagate(std::move(made));
    HandedOver handed(semaphore);
    VkImportSemaphoreFdInfoKHR taken{};
    taken.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR;
    taken.semaphore = (*made)->semaphore.get();
    taken.handleType = kSemaphoreHandle;
    taken.fd = semaphore.get();
    const VkResult result = semaphore.get() < 0 ? VK_ERROR_INVALID_EXTERNAL_HANDLE
                                                : of.vk.vkImportSemaphoreFdKHR(of.handle, &taken);
    handed.settle(result >= VK_SUCCESS);
    if (result == VK_ERROR_INVALID_EXTERNAL_HANDLE)
        return external_mismatch(
            fmt::format("{} finds no semaphore in the descriptor", of.caps.name),
            "send the one of ExternalSemaphore::export_semaphore");
    if (auto ok = check(result, "vkImportSemaphoreFdKHR"); !ok) return propagate(std::move(ok));
    return ExternalSemaphore(std::move(*made));
}

const ExternalSemaphoreInfo& ExternalSemaphore::info() const {
    return impl_->info;
}

Result<FileDescriptor> ExternalSemaphore::export_semaphore() const {
    VkSemaphoreGetFdInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR;
    info.semaphore = impl_->semaphore.get();
    info.handleType = kSemaphoreHandle;
    int number = -1;
    const DeviceImpl& device = *impl_->device;
    auto ok =
        check(device.vk.vkGetSemaphoreFdKHR(device.handle, &info, &number), "vkGetSemaphoreFdKHR");
    if (!ok) return propagate(std::move(ok));
    return FileDescriptor(number);
}

} // namespace tuff
