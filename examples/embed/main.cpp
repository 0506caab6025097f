// A game with a device, a render pass and a frame loop of its own, which adds a Tuff graph:
//
//   embed [--record]                       in a window, Tuff recording into the game's commands
//   embed --submit                         Tuff submitting between the game's submissions
//   embed --headless FILE.png --frames 3   without a window
//
// --size WIDTH HEIGHT, --validation (any message of the layer makes it fail).

#include "city.hpp"
#include "lens.hpp"
#include "window.hpp"

#include <tuff/image.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace {

struct Options {
    bool submits = false;
    bool validation = false;
    int frames = 0; ///< 0: until the window is closed
    VkExtent2D size{960, 540};
    const char* headless = nullptr;
};

/// Everything that a frame of the game's takes beside its images.
class Frames {
  public:
    explicit Frames(const Gpu& gpu) : gpu_(gpu) {
        const VkSemaphoreTypeCreateInfo timeline{.sType =
                                                     VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                                 .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
        const VkSemaphoreCreateInfo counted{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                            .pNext = &timeline};
        must(vkCreateSemaphore(gpu.device, &counted, nullptr, &progress), "vkCreateSemaphore");
        for (Slot& slot : slots_) {
            const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = gpu.family};
            must(vkCreateCommandPool(gpu.device, &pool, nullptr, &slot.pool),
                 "vkCreateCommandPool");
            const VkCommandBufferAllocateInfo one{
                .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                .commandPool = slot.pool,
                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                .commandBufferCount = 1};
            must(vkAllocateCommandBuffers(gpu.device, &one, &slot.commands),
                 "vkAllocateCommandBuffers");
        }
    }
    ~Frames() {
        for (const Slot& slot : slots_)
            vkDestroyCommandPool(gpu_.device, slot.pool, nullptr);
        vkDestroySemaphore(gpu_.device, progress, nullptr);
    }
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;

    struct Slot {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        std::uint64_t end = 0; ///< of `progress`, when its last frame has ended
    };
    /// The slot of the next frame, whose former one has ended: two are under way at most.
    Slot& next() {
        Slot& slot = slots_[count_++ % slots_.size()];
        const VkSemaphoreWaitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                       .semaphoreCount = 1,
                                       .pSemaphores = &progress,
                                       .pValues = &slot.end};
        must(vkWaitSemaphores(gpu_.device, &wait, UINT64_MAX), "vkWaitSemaphores");
        must(vkResetCommandPool(gpu_.device, slot.pool, 0), "vkResetCommandPool");
        return slot;
    }

    VkSemaphore progress = VK_NULL_HANDLE; ///< counts what has been done
    std::uint64_t reached = 0;

  private:
    const Gpu& gpu_;
    std::array<Slot, 2> slots_;
    std::size_t count_ = 0;
};

void begin(VkCommandBuffer commands) {
    const VkCommandBufferBeginInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

VkSemaphoreSubmitInfo at(VkSemaphore semaphore, std::uint64_t value = 0) {
    return {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = semaphore,
            .value = value,
            .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
}

void submit(const Gpu& gpu, VkCommandBuffer commands, const VkSemaphoreSubmitInfo& signal) {
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    const VkCommandBufferSubmitInfo one{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                        .commandBuffer = commands};
    const VkSubmitInfo2 info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                             .commandBufferInfoCount = 1,
                             .pCommandBufferInfos = &one,
                             .signalSemaphoreInfoCount = 1,
                             .pSignalSemaphoreInfos = &signal};
    must(vkQueueSubmit2(gpu.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
}

/// One frame: the game's render pass, Tuff's graph, and the window if there is one.
void run_frame(const Gpu& gpu, Frames& frames, const City& city, Lens& lens, Window* window,
               bool submits, float seconds) {
    Frames::Slot& slot = frames.next();
    begin(slot.commands);
    city.draw(slot.commands, seconds);
    if (!submits) lens.record(slot.commands);
    submit(gpu, slot.commands, at(frames.progress, ++frames.reached));
    if (submits) {
        lens.submit({.handle = frames.progress, .value = frames.reached},
                    {.handle = frames.progress, .value = frames.reached + 1});
        ++frames.reached;
    }
    slot.end = frames.reached;
    if (window) window->show(lens.executor(), "picture");
}

/// Ends the game in order, also where something was thrown: nothing may end that is still in use.
struct Ending {
    const Gpu& gpu;
    Window* window;
    ~Ending() {
        vkDeviceWaitIdle(gpu.device);
        if (window) window->close();
    }
};

int play(const Options& options) {
    std::unique_ptr<Window> window;
    if (!options.headless) window = std::make_unique<Window>("city", options.size);
    Gpu gpu(
        {.instance_extensions = window ? Window::instance_extensions() : std::vector<const char*>{},
         .presents = window != nullptr,
         .validation = options.validation});
    {
        Frames frames(gpu);
        auto city = std::make_unique<City>(gpu, window ? window->size() : options.size);
        Lens lens(gpu);
        const Ending ending{gpu, window.get()};
        if (window) window->open_on(gpu, lens.device());
        lens.set_up(*city);
        for (int frame = 0; options.frames == 0 || frame < options.frames; ++frame) {
            if (window && !window->stays_open()) break;
            const VkExtent2D size = window ? window->size() : options.size;
            if (size.width == 0 || size.height == 0) continue; // minimised
            if (size.width != city->extent.width || size.height != city->extent.height) {
                vkDeviceWaitIdle(gpu.device);
                city = std::make_unique<City>(gpu, size);
                lens.set_up(*city);
            }
            run_frame(gpu, frames, *city, lens, window.get(), options.submits,
                      static_cast<float>(frame) / 60.0f);
        }
        vkDeviceWaitIdle(gpu.device);
        if (options.headless) {
            const auto saved = tuff::save_image(options.headless, lens.read_picture());
            if (!saved) throw std::runtime_error(tuff::to_string(saved.error()));
        }
    }
    return gpu.messages == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
        const auto number = [&] { return std::atoi(argv[++i]); };
        if (is("--submit") || is("--record"))
            options.submits = is("--submit");
        else if (is("--validation"))
            options.validation = true;
        else if (is("--frames") && i + 1 < argc)
            options.frames = number();
        else if (is("--headless") && i + 1 < argc)
            options.headless = argv[++i];
        else if (is("--size") && i + 2 < argc) {
            options.size.width = static_cast<std::uint32_t>(number());
            options.size.height = static_cast<std::uint32_t>(number());
        } else {
            std::fprintf(stderr, "embed: what is '%s'? See the top of main.cpp\n", argv[i]);
            return 2;
        }
    }
    if (options.headless && options.frames == 0) options.frames = 1;
    try {
        return play(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "embed: %s\n", error.what());
        return 1;
    }
}
