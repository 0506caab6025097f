// Dives into the Mandelbrot set, in a window. Escape ends it.
#include <tuff/presenter.hpp>
#include <tuff/run.hpp>

#include <GLFW/glfw3.h> // after Vulkan
#include <passes/image/mandelbrot.hpp>
#include <passes/registry.hpp>

#include <cmath>
#include <cstdio>

using namespace tuff;

// The graph of a frame. Frames of one size differ in numbers alone: it is compiled once for a size.
Graph dive(const ShaderLibrary& shaders, const Device& device, int width, int height) {
    passes::Mandelbrot picture{.width = std::uint32_t(std::max(width, 1)),
                               .height = std::uint32_t(std::max(height, 1))};
    picture.center = {-0.7436f, 0.1318f};
    picture.size = 2.5f * std::exp2(-std::fmod(static_cast<float>(glfwGetTime()), 12.0f));
    Graph graph(shaders, device.caps());
    graph.output("picture", graph.add(picture).result);
    return graph;
}

Result<void> play(GLFWwindow* window, const DeviceRequest& request) {
    auto device = Device::open(request);
    if (!device) return propagate(std::move(device));
    VkSurfaceKHR surface = VK_NULL_HANDLE; // the presenter reports it where there is none
    glfwCreateWindowSurface(vulkan_instance(*device), window, nullptr, &surface);
    auto presenter = Presenter::create(*device, surface);
    if (!presenter) return propagate(std::move(presenter));
    const ShaderLibrary shaders = passes::make_shaders();
    auto run = Run::start(*device, shaders, dive(shaders, *device, 1, 1));
    if (!run) return propagate(std::move(run));
    Result<Shown> shown = Shown::yes;
    while (shown && *shown != Shown::surface_lost && !glfwWindowShouldClose(window)) {
        *shown == Shown::yes ? glfwPollEvents() : glfwWaitEventsTimeout(0.1); // it is minimised
        if (glfwGetKey(window, GLFW_KEY_ESCAPE)) break;
        int width = 0, height = 0; // pixels; 0 while it is minimised
        glfwGetFramebufferSize(window, &width, &height);
        if (auto ok = run->change(dive(shaders, *device, width, height)); !ok) return ok;
        if (auto ok = run->execute(); !ok) return ok;
        shown = presenter->show(run->executor(), "picture", Extent(width, height));
    }
    return shown ? Result<void>() : propagate(std::move(shown));
}

int main() {
    if (!glfwInit()) return std::fputs("there is no display\n", stderr), 1;
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    GLFWwindow* const window = glfwCreateWindow(640, 360, "dive", nullptr, nullptr);
    std::uint32_t count = 0;
    const char** const names = glfwGetRequiredInstanceExtensions(&count);
    const auto played = play(window, {.select = default_device_selection(),
                                      .instance_extensions = {names, names + count},
                                      .device_extensions = {"VK_KHR_swapchain"}});
    if (!played) std::fprintf(stderr, "%s\n", to_string(played.error()).c_str());
    glfwTerminate();
    return played ? 0 : 1;
}
