#include "interface/interface_renderer.hpp"

#include <tuff/graph.hpp>
#include <tuff/vulkan.hpp>

#include <tuff_viewer_shaders.hpp>

#include <array>
#include <bit>
#include <cstring>

namespace tuff::viewer {
namespace {

constexpr std::size_t kFewestCorners = 16 * 1024;
constexpr std::string_view kText = "interface/text", kPicture = "interface/picture";

/// VkDrawIndirectCommand.
struct DrawArguments {
    std::uint32_t vertices, instances, first_vertex, first_instance;
};

/// As the kernels declare it.
struct FrameBlock {
    float window[2];
    float range[2];
    float gain;
    std::uint32_t channels;
    std::uint32_t flags;
    std::uint32_t unused;
};

constexpr std::uint32_t kFlagEncoded = 1;
constexpr std::uint32_t kFlagMarkFaults = 2;

std::shared_ptr<std::vector<std::byte>> bytes_of(std::size_t size) {
    return std::make_shared<std::vector<std::byte>>(size);
}

ShaderLibrary interface_shaders() {
    ShaderLibrary library;
    library.add_embedded(embedded::shaders());
    return library;
}

/// Grows to a power of two that holds `count`; true where it had to.
bool grow(std::shared_ptr<std::vector<std::byte>>& bytes, std::size_t count, std::size_t size) {
    if (count * size <= bytes->size()) return false;
    bytes = bytes_of(std::bit_ceil(count) * size);
    return true;
}

template <typename T>
void put(std::vector<std::byte>& bytes, const std::vector<T>& values) {
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
}

} // namespace

InterfaceRenderer::InterfaceRenderer(Device& device, FontAtlas font)
    : device_(&device), shaders_(std::make_unique<ShaderLibrary>(interface_shaders())),
      memory_(memory_model(device)), font_(std::move(font)), picture_(device, *shaders_),
      corners_(bytes_of(kFewestCorners * sizeof(DrawList::Corner))),
      frame_(bytes_of(sizeof(FrameBlock))), arguments_(bytes_of(3 * sizeof(DrawArguments))) {}

void InterfaceRenderer::release_window() {
    window_.executor.reset();
    window_.desc = {};
}

Result<void> InterfaceRenderer::set_picture(const HostImage& image) {
    if (picture_.replaced_by(image)) {
        // Their commands use the image that is about to end.
        window_.executor.reset();
        host_.executor.reset();
    }
    return picture_.set(image);
}

bool InterfaceRenderer::make_room(const DrawList& list) {
    return grow(corners_, list.corners.size(), sizeof(DrawList::Corner));
}

void InterfaceRenderer::write(const DrawList& list, const PictureDisplay& display, Extent extent) {
    put(*corners_, list.corners);
    const FrameBlock frame{
        .window = {static_cast<float>(extent.width), static_cast<float>(extent.height)},
        .range = {display.range[0], display.range[1]},
        .gain = display.gain,
        .channels = display.channels,
        .flags =
            (display.encoded ? kFlagEncoded : 0u) | (display.mark_faults ? kFlagMarkFaults : 0u),
        .unused = 0,
    };
    std::memcpy(frame_->data(), &frame, sizeof frame);
    std::array<DrawArguments, 3> draws{};
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < draws.size(); ++i) {
        draws[i] = {list.counts[i], 1, first, 0};
        first += list.counts[i];
    }
    std::memcpy(arguments_->data(), draws.data(), sizeof draws);
}

Result<Executor> InterfaceRenderer::make_executor(Target target, const ImageDesc& desc) {
    Graph graph(*shaders_);
    const ImportState shown{.first = {stage::kColorOutput, memory::kNone, Layout::undefined},
                            .last = {stage::kColorOutput, memory::kNone, Layout::present}};
    const Image screen = target == Target::window ? graph.import_image("screen", desc, shown)
                                                  : graph.image("screen", desc);
    const auto bring = [&](std::string_view name, const Bytes& bytes) {
        return graph.upload(graph.buffer(name, {.size = bytes->size()}), bytes, name);
    };
    const Buffer arguments = bring("arguments", arguments_);
    const Buffer corners = bring("corners", corners_);
    const Buffer frame = bring("frame", frame_);
    const Image font = graph.constant_image(
        "font", {.format = Format::r8_unorm, .extent = font_.extent}, font_.texels);
    const Image picture = graph.import_image("picture", picture_.desc(), picture_state());
    const auto draw = [&](std::uint32_t part, std::string_view kernel, std::string_view name,
                          Image onto, AttachmentStart start) {
        auto node = graph.raster(kernel, name);
        node.read("corners", corners);
        node.read("frame", frame);
        if (kernel == kText)
            node.read("font", font);
        else
            node.read("picture", picture, Sampler::nearest());
        node.state().depth_test = false;
        node.state().blend = {.source_color = BlendFactor::source_alpha,
                              .destination_color = BlendFactor::one_minus_source_alpha};
        const Image drawn = node.blended_color(onto, start);
        node.draw_indirect(arguments, part * sizeof(DrawArguments), 1);
        return drawn;
    };
    const Image below = draw(0, kText, "below", screen, cleared(0.08f, 0.08f, 0.09f, 1.0f));
    const Image shown_picture = draw(1, kPicture, "picture", below, loaded());
    const Image drawn = draw(2, kText, "above", shown_picture, loaded());
    if (target == Target::host) graph.output("screen", drawn);
    auto plan = compile(std::move(graph).finish(), device_->caps(), {.memory = memory_.get()});
    if (!plan) return propagate(std::move(plan));
    return Executor::create(*device_, *shaders_, std::make_shared<const Plan>(std::move(*plan)),
                            {.timings = Timings::off, .kept_imports = 8});
}

Result<void> InterfaceRenderer::prepare(Running& running, Target target, const ImageDesc& desc,
                                        const DrawList& list) {
    if (make_room(list)) { // the graphs name the bytes that they upload
        window_.executor.reset();
        host_.executor.reset();
    }
    if (running.executor && running.desc == desc) return {};
    running.executor.reset();
    auto made = make_executor(target, desc);
    if (!made) return propagate(std::move(made));
    running.executor.emplace(std::move(*made));
    running.desc = desc;
    return bind_import(*running.executor, "picture", picture_.handle());
}

Result<void> InterfaceRenderer::draw(const DrawList& list, const PictureDisplay& display,
                                     const ImageDesc& desc, const WindowImage& target) {
    if (auto ready = prepare(window_, Target::window, desc, list); !ready) return ready;
    if (auto bound = bind_import(*window_.executor, "screen", target.handle); !bound) return bound;
    write(list, display, desc.extent);
    return execute(*window_.executor, {&target.free, 1}, {&target.drawn, 1});
}

Result<HostImage> InterfaceRenderer::capture(const DrawList& list, const PictureDisplay& display,
                                             Extent extent) {
    const ImageDesc desc{.format = Format::rgba8_unorm, .extent = extent};
    if (auto ready = prepare(host_, Target::host, desc, list); !ready)
        return propagate(std::move(ready));
    write(list, display, extent);
    if (auto done = host_.executor->execute(); !done) return propagate(std::move(done));
    return host_.executor->read_image("screen");
}

} // namespace tuff::viewer
