#include "interface/imgui_context.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace tuff::viewer {
namespace {

constexpr float kFontPixels = 15.0f;
constexpr float kFewestPixels = 13.0f; ///< of the library's own font

/// A font that is better to read than the library's own, where it is installed.
void load_font(ImFontAtlas& fonts) {
    constexpr std::array kFiles = {
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/TTF/DejaVuSans.ttf"};
    std::error_code error;
    for (const char* file : kFiles)
        if (std::filesystem::is_regular_file(file, error) &&
            fonts.AddFontFromFileTTF(file, kFontPixels))
            return;
    ImFontConfig config;
    config.SizePixels = kFewestPixels;
    fonts.AddFontDefault(&config);
}

FontAtlas make_atlas() {
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    load_font(fonts);
    unsigned char* texels = nullptr;
    int width = 0, height = 0;
    fonts.GetTexDataAsAlpha8(&texels, &width, &height);
    fonts.SetTexID(
        reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(InterfaceTexture::font)));
    auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(width) *
                                                          static_cast<std::size_t>(height));
    std::memcpy(bytes->data(), texels, bytes->size());
    return {{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1},
            std::move(bytes)};
}

void set_style() {
    ImGui::StyleColorsDark();
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowRounding = 0.0f;
    style.FrameRounding = 3.0f;
    style.GrabRounding = 3.0f;
    style.WindowBorderSize = 1.0f;
    style.Colors[ImGuiCol_WindowBg] = {0.09f, 0.09f, 0.1f, 1.0f};
    style.Colors[ImGuiCol_PopupBg] = {0.12f, 0.12f, 0.14f, 1.0f};
    style.Colors[ImGuiCol_ModalWindowDimBg] = {0.0f, 0.0f, 0.0f, 0.5f};
}

} // namespace

ImguiContext::ImguiContext(Window& window) : window_(window) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr; // the panels have fixed places
    set_style();
    font_ = make_atlas();
    // The backend for Vulkan would bind to volk's function pointers; this one only reads input.
    ImGui_ImplGlfw_InitForVulkan(window.handle(), true);
}

ImguiContext::~ImguiContext() {
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void ImguiContext::begin_frame() {
    ImGui_ImplGlfw_NewFrame();
    // The backend asks what is down now. What went up again since the frame before would be lost,
    // and tabs take no press where the pointer came to them in the same frame.
    ImGuiIO& io = ImGui::GetIO();
    const Input& seen = window_.input().next();
    if (ImGui::IsMousePosValid(&io.MousePos) || seen.buttons.any()) io.MousePos = {seen.x, seen.y};
    for (std::size_t i = 0; i < Input::kButtons; ++i)
        io.MouseDown[i] = seen.buttons[i];
    for (std::size_t i = 0; i < Input::kKeys; ++i)
        io.KeysDown[i] = seen.keys[i];
    // The backend has these as they are now, which may be after the key that they go with.
    io.KeyCtrl = seen.keys[GLFW_KEY_LEFT_CONTROL] || seen.keys[GLFW_KEY_RIGHT_CONTROL];
    io.KeyShift = seen.keys[GLFW_KEY_LEFT_SHIFT] || seen.keys[GLFW_KEY_RIGHT_SHIFT];
    io.KeyAlt = seen.keys[GLFW_KEY_LEFT_ALT] || seen.keys[GLFW_KEY_RIGHT_ALT];
    ImGui::NewFrame();
}

const ImDrawData& ImguiContext::end_frame() {
    ImGui::Render();
    return *ImGui::GetDrawData();
}

} // namespace tuff::viewer
