#include "gpu/device/device_fault.hpp"

#include "gpu/device/device_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace tuff {
namespace {

/// A fault of a kernel may be that of each invocation.
constexpr std::uint32_t kMaxFaults = 4;

std::string_view kind_of(VkDeviceFaultAddressTypeEXT type) {
    switch (type) {
    case VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT: return "invalid read at";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT: return "invalid write at";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT: return "invalid instruction fetch at";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT: return "instruction at";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT:
        return "invalid instruction at";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT:
        return "instruction that failed at";
    default: return "address";
    }
}

/// "invalid write at 0x7f0000001000 to 0x7f0000001fff".
std::string address_text(const VkDeviceFaultAddressInfoEXT& fault) {
    // The precision is a power of two; the address may be anywhere in its block.
    const VkDeviceSize block = std::max<VkDeviceSize>(fault.addressPrecision, 1);
    const VkDeviceAddress first = fault.reportedAddress & ~(block - 1);
    const std::string text = fmt::format("{} {:#x}", kind_of(fault.addressType), first);
    return block == 1 ? text : fmt::format("{} to {:#x}", text, first + block - 1);
}

} // namespace

std::string fault_text(const DeviceImpl& device) {
    if (!device.tells_faults) return {};
    VkDeviceFaultCountsEXT counts{};
    counts.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT;
    if (device.vk.vkGetDeviceFaultInfoEXT(device.handle, &counts, nullptr) < VK_SUCCESS) return {};
    counts.vendorBinarySize = 0; // nothing that people read
    std::vector<VkDeviceFaultAddressInfoEXT> addresses(counts.addressInfoCount);
    std::vector<VkDeviceFaultVendorInfoEXT> vendor(counts.vendorInfoCount);
    VkDeviceFaultInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT;
    info.pAddressInfos = addresses.data();
    info.pVendorInfos = vendor.data();
    if (device.vk.vkGetDeviceFaultInfoEXT(device.handle, &counts, &info) < VK_SUCCESS) return {};
    addresses.resize(std::min(counts.addressInfoCount, kMaxFaults));
    vendor.resize(std::min(counts.vendorInfoCount, kMaxFaults));
    std::string text = info.description;
    const auto append = [&text](const std::string& more) {
        if (!text.empty()) text += ", ";
        text += more;
    };
    for (const VkDeviceFaultAddressInfoEXT& fault : addresses)
        append(address_text(fault));
    for (const VkDeviceFaultVendorInfoEXT& fault : vendor)
        append(fmt::format("{} (code {:#x}, data {:#x})", fault.description, fault.vendorFaultCode,
                           fault.vendorFaultData));
    return text;
}

} // namespace tuff
