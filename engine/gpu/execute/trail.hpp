#pragma once

#include "gpu/device/device_impl.hpp"

#include <tuff/plan.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tuff {

/// Who writes the marks of nodes.
enum class MarkWriter : std::uint8_t {
    none,
    fills,       ///< commands that every device has; nodes run one after the other for them
    markers,     ///< VK_AMD_buffer_marker, into the same memory
    checkpoints, ///< VK_NV_device_diagnostic_checkpoints, which the driver keeps
};

/// Where the nodes of one command buffer leave their marks.
struct MarkPlace {
    MarkWriter writer = MarkWriter::none;
    VkBuffer buffer = VK_NULL_HANDLE; ///< of `fills` and `markers`
    /// Of `checkpoints`: addresses that stand for the beginning and the end of each node of
    /// Plan::order in turn. Nothing is ever written there.
    std::byte* checkpoints = nullptr;
};

/// Marks that nodes leave as they begin and end, so that a lost device tells how far each queue
/// got.
class Trail {
  public:
    /// Of an execution's marks, all 0 before it.
    static constexpr std::uint64_t kBytes = 2 * sizeof(std::uint32_t) * kQueueCount;
    using Marks = std::array<std::byte, kBytes>;

    /// Marks that cost little are always left; those that keep nodes apart where they are asked
    /// for.
    static MarkWriter writer(const DeviceImpl& device, bool asked);

    /// To be recorded before and after a node that stands at `position` of Plan::order.
    static void begin(const DeviceImpl& device, VkCommandBuffer commands, const MarkPlace& place,
                      Queue queue, std::uint32_t position);
    static void end(const DeviceImpl& device, VkCommandBuffer commands, const MarkPlace& place,
                    Queue queue, std::uint32_t position);

    /// What the driver of a lost device has kept of the checkpoints from `first` on, as marks.
    static Marks read_checkpoints(const DeviceImpl& device, const Plan& plan,
                                  const std::byte* first);

    /// For each queue that has work: which node ended last, and which one began after it.
    static std::string text(const Plan& plan, std::span<const std::byte> marks);
};

} // namespace tuff
