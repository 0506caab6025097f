#include "apps/bench/vkfft.hpp"

#if TUFF_HAS_VKFFT

#include "apps/bench/vkfft_compiler.hpp"
#include "gpu/device/owned.hpp"
#include "passes/common/div_round_up.hpp"

#include <tuff/vulkan.hpp>

#include <fmt/format.h>

#define VKFFT_BACKEND 0 // Vulkan
#include <vkFFT.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace tuff::bench {
namespace {

using passes::PoissonBoundary;

constexpr std::uint64_t kGroupSize = 256;
constexpr std::uint64_t kMaxGroups = 65535; // that every device has; they walk

void dispatch_walking(ComputeNodeBuilder& node, std::uint64_t count) {
    node.dispatch(
        static_cast<std::uint32_t>(std::min(passes::div_round_up(count, kGroupSize), kMaxGroups)));
}

/// Functions that VkFFT calls: the loader's own, which work for all devices. The engine never calls
/// these of volk's pointers.
void load_functions(VkInstance instance) {
    static std::once_flag once;
    std::call_once(once, [&] { volkLoadInstance(instance); });
}

/// Of -laplace along an axis with cells of side 1: 4 sin^2(angle / 2) for a mode that turns by the
/// angle from cell to cell. With walls they are in the order of bench/alternate_signs.
std::vector<float> eigenvalues_of(std::uint32_t cells, std::uint32_t modes,
                                  PoissonBoundary boundary) {
    std::vector<float> values(modes);
    for (std::uint32_t k = 0; k < modes; ++k) {
        const double step = std::numbers::pi / cells;
        double half = 0.0;
        switch (boundary) {
        case PoissonBoundary::neumann: half = step * k / 2.0; break;
        case PoissonBoundary::dirichlet: half = step * (cells - k) / 2.0; break;
        case PoissonBoundary::periodic: half = step * k; break;
        }
        // Along missing axes nothing is coupled.
        values[k] = cells == 1 ? 0.0f : static_cast<float>(4.0 * std::pow(std::sin(half), 2.0));
    }
    return values;
}

/// One plan of VkFFT.
class Transform {
  public:
    enum class Way : std::uint8_t { forth, back };
    Transform(DeviceImpl& device, Way way) : device_(&device), way_(way) {}
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;
    ~Transform() {
        if (planned_) deleteVkFFT(&application_); // it has done so itself where it failed
    }

    VkFFTResult plan(VkFFTConfiguration configuration) {
        // Tables of sines are copied to the device right away.
        VkCommandPoolCreateInfo pool_info{};
        pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        pool_info.queueFamilyIndex = device_->graphics->family;
        VkFenceCreateInfo fence_info{};
        fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
        VkCommandPool pool = VK_NULL_HANDLE;
        VkFence fence = VK_NULL_HANDLE;
        const bool made = device_->vk.vkCreateCommandPool(device_->handle, &pool_info,
                                                          device_->allocator, &pool) == VK_SUCCESS;
        const OwnedCommandPool owned_pool(*device_, pool);
        if (!made || device_->vk.vkCreateFence(device_->handle, &fence_info, device_->allocator,
                                               &fence) != VK_SUCCESS)
            return VKFFT_ERROR_INVALID_FENCE;
        const OwnedFence owned_fence(*device_, fence);

        configuration.physicalDevice = &device_->physical;
        configuration.device = &device_->handle;
        configuration.queue = &device_->graphics->handle;
        configuration.commandPool = &pool;
        configuration.fence = &fence;
        const std::lock_guard lock(device_->graphics->mutex);
        const VkFFTResult result = initializeVkFFT(&application_, configuration);
        planned_ = result == VKFFT_SUCCESS;
        return result;
    }

    /// In a node that reads its first access and writes its second.
    void record(CommandContext& context) {
        // VkFFT sees that there are other buffers by the address of the handles alone.
        const std::array<VkBuffer, 2> buffers{context.buffer(0), context.buffer(1)};
        if (buffers != bound_[current_]) bound_[current_ ^= 1] = buffers;
        VkBuffer* const handles = bound_[current_].data();
        VkCommandBuffer commands = context.commands();
        VkFFTLaunchParams launch{};
        launch.commandBuffer = &commands;
        const bool forth = way_ == Way::forth;
        launch.inputBuffer = forth ? handles : nullptr;
        launch.buffer = forth ? handles + 1 : handles;
        launch.outputBuffer = forth ? nullptr : handles + 1;
        // It has nobody to tell; the result will be wrong.
        (void)VkFFTAppend(&application_, forth ? -1 : 1, &launch);
    }

  private:
    DeviceImpl* device_;
    Way way_;
    VkFFTApplication application_{};
    bool planned_ = false;
    std::array<std::array<VkBuffer, 2>, 2> bound_{};
    std::size_t current_ = 0;
};

} // namespace

struct FftPoisson::Transforms {
    Transforms(DeviceImpl& device, glm::uvec3 cells, PoissonBoundary kind)
        : size(cells), modes(cells), boundary(kind), forth(device, Transform::Way::forth),
          back(device, Transform::Way::back) {
        if (boundary != PoissonBoundary::periodic) return;
        modes.x = size.x / 2 + 1; // the others are their conjugates
        parts = 2;
    }

    VkFFTResult plan() {
        rhs_bytes = std::uint64_t{4} * size.x * size.y * size.z;
        modes_bytes = std::uint64_t{4} * parts * modes.x * modes.y * modes.z;
        VkFFTConfiguration configuration{};
        configuration.FFTdim = size.z > 1 ? 3 : size.y > 1 ? 2 : 1;
        for (int a = 0; a < 3; ++a)
            configuration.size[a] = size[a];
        configuration.bufferSize = &modes_bytes;
        configuration.performR2C = boundary == PoissonBoundary::periodic;
        configuration.performDCT = boundary == PoissonBoundary::periodic ? 0 : 2;
        configuration.normalize = 1;
        configuration.useLUT = 1; // some devices' own sines are good to three digits

        VkFFTConfiguration first = configuration;
        first.makeForwardPlanOnly = 1;
        first.isInputFormatted = 1;
        first.inputBufferSize = &rhs_bytes;
        first.inputBufferStride[0] = size.x; // else there is room for x / 2 + 1 complex numbers
        if (const VkFFTResult result = forth.plan(first); result != VKFFT_SUCCESS) return result;
        configuration.makeInversePlanOnly = 1;
        configuration.isOutputFormatted = 1;
        configuration.outputBufferSize = &rhs_bytes;
        configuration.outputBufferStride[0] = size.x;
        return back.plan(configuration);
    }

    glm::uvec3 size;
    glm::uvec3 modes;
    std::uint32_t parts = 1; ///< numbers a mode
    PoissonBoundary boundary;
    std::uint64_t rhs_bytes = 0;
    std::uint64_t modes_bytes = 0;
    Transform forth;
    Transform back;
};

std::expected<FftPoisson, std::string> FftPoisson::create(Device& device, glm::uvec3 size,
                                                          PoissonBoundary boundary) {
    DeviceImpl& impl = device.impl();
    load_functions(impl.instance->handle());
    auto transforms = std::make_shared<Transforms>(impl, size, boundary);
    if (const VkFFTResult result = transforms->plan(); result != VKFFT_SUCCESS)
        return std::unexpected(fmt::format("VkFFT fails with {}", static_cast<int>(result)));
    return FftPoisson(std::move(transforms));
}

Buffer FftPoisson::add(Graph& graph, Buffer rhs) const {
    const std::shared_ptr<Transforms> plans = transforms_;
    const auto count = static_cast<std::int32_t>(plans->rhs_bytes / 4);
    const auto alternated = [&](Buffer source) {
        ComputeNodeBuilder node = graph.compute("bench/alternate_signs");
        node.read("source", source);
        node.set("count", count);
        node.set("size", plans->size);
        const Buffer result = node.write(
            "result", graph.buffer("alternated", {.size = plans->rhs_bytes, .stride = 4}));
        dispatch_walking(node, plans->rhs_bytes / 4);
        return result;
    };
    const auto transformed = [&](std::string_view name, Transform& transform, Buffer source,
                                 std::uint64_t bytes) {
        CustomNodeBuilder node = graph.custom(
            name, [plans, &transform](CommandContext& context) { transform.record(context); });
        node.read(source, Access::storage_read, stage::kCompute);
        return node.write(graph.buffer(name, {.size = bytes, .stride = 4}), Access::storage_write,
                          stage::kCompute);
    };

    std::vector<float> values;
    for (int a = 0; a < 3; ++a) {
        const auto axis = eigenvalues_of(plans->size[a], plans->modes[a], plans->boundary);
        values.insert(values.end(), axis.begin(), axis.end());
    }
    const BufferDesc table{.size = values.size() * sizeof(float), .stride = sizeof(float)};
    auto bytes = std::make_shared<std::vector<std::byte>>(table.size);
    std::memcpy(bytes->data(), values.data(), table.size);
    const Buffer eigenvalues = graph.constant_buffer("eigenvalues", table, std::move(bytes));

    const bool walls = plans->boundary == PoissonBoundary::dirichlet;
    const Buffer source = walls ? alternated(rhs) : rhs;
    const Buffer modes = transformed("forth", plans->forth, source, plans->modes_bytes);
    ComputeNodeBuilder divide = graph.compute("bench/divide_modes");
    divide.read("eigenvalues", eigenvalues);
    divide.set("count", static_cast<std::int32_t>(plans->modes_bytes / 4));
    divide.set("parts", static_cast<std::int32_t>(plans->parts));
    divide.set("size", plans->modes);
    const Buffer divided = divide.write("modes", modes);
    dispatch_walking(divide, plans->modes_bytes / 4);
    const Buffer solution = transformed("back", plans->back, divided, plans->rhs_bytes);
    return walls ? alternated(solution) : solution;
}

} // namespace tuff::bench

#else

namespace tuff::bench {

struct FftPoisson::Transforms {};

std::expected<FftPoisson, std::string> FftPoisson::create(Device&, glm::uvec3,
                                                          passes::PoissonBoundary) {
    return std::unexpected("this build has no VkFFT");
}

Buffer FftPoisson::add(Graph&, Buffer) const {
    return {};
}

} // namespace tuff::bench

#endif
