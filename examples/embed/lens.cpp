#include "lens.hpp"

#include <passes/image/depth_of_field.hpp>
#include <passes/image/tonemap.hpp>
#include <passes/registry.hpp>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

/// What Tuff returns as values the game throws.
template <typename T>
T taken(tuff::Result<T> result) {
    if (!result) throw std::runtime_error(tuff::to_string(result.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

tuff::Device adopted(const Gpu& gpu) {
    return taken(tuff::adopt_device({.instance = gpu.instance,
                                     .physical_device = gpu.physical,
                                     .device = gpu.device,
                                     .queue = {.handle = gpu.queue, .family = gpu.family},
                                     .features = &gpu.features(),
                                     .extensions = gpu.extensions,
                                     .on_message = [](std::string_view message) {
                                         std::fprintf(stderr, "%s\n", std::string(message).c_str());
                                     }}));
}

/// With what the game knows of the image, so that Tuff finds out where it does not fit.
tuff::ImportedImage drawn(const GpuImage& image, VkImageLayout layout) {
    return {.handle = image.handle, .info = image.info, .layout = layout};
}

} // namespace

Lens::Lens(const Gpu& gpu) : device_(adopted(gpu)), shaders_(tuff::passes::make_shaders()) {}

void Lens::set_up(const City& city) {
    using namespace tuff;
    const Extent size{city.extent.width, city.extent.height, 1};
    Graph graph(shaders_, device_.caps());
    // As the game's render pass leaves them, and wants to find them again.
    const Scope drawn_color{stage::kColorOutput, memory::kColorWrite, Layout::color_attachment};
    const Scope drawn_depth{stage::kLateDepth, memory::kDepthWrite, Layout::depth_attachment};
    const Image color =
        graph.import_image("color", {.format = Format::rgba16_sfloat, .extent = size},
                           {.first = drawn_color, .last = drawn_color});
    const Image depth = graph.import_image("depth", {.format = Format::d32_sfloat, .extent = size},
                                           {.first = drawn_depth, .last = drawn_depth});
    const Image soft = graph
                           .add(passes::DepthOfField{.source = color,
                                                     .depth = depth,
                                                     .near_plane = City::kNear,
                                                     .far_plane = City::kFar,
                                                     .focus = 25.0f,
                                                     .aperture = 0.9f,
                                                     .max_radius = 24.0f})
                           .result;
    graph.output("picture", graph.add(passes::Tonemap{.source = soft}).result);

    // One queue: the plan has to fit into a command buffer of the game's.
    auto plan = taken(compile(std::move(graph).finish(), device_, {.queues = QueueMode::one}));
    executor_.reset(); // its memory goes before the new one's comes
    executor_ =
        taken(Executor::create(device_, shaders_, std::make_shared<const Plan>(std::move(plan))));
    taken(bind_import(*executor_, "color",
                      drawn(city.color, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL)));
    taken(bind_import(*executor_, "depth",
                      drawn(city.depth, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL)));
}

void Lens::record(VkCommandBuffer commands) {
    taken(tuff::record(*executor_, commands));
}

void Lens::submit(const tuff::HostSemaphore& after, const tuff::HostSemaphore& then) {
    taken(tuff::execute(*executor_, std::span(&after, 1), std::span(&then, 1)));
}

tuff::HostImage Lens::read_picture() {
    return taken(executor_->read_image("picture"));
}
