#pragma once

#include "interface/interface_renderer.hpp"
#include "interface/window.hpp"

#include <optional>

struct ImDrawData;

namespace tuff::viewer {

/// Dear ImGui, fed by a window. One at a time, for the library keeps its context in a global.
class ImguiContext {
  public:
    explicit ImguiContext(Window& window);
    ~ImguiContext();
    ImguiContext(const ImguiContext&) = delete;
    ImguiContext& operator=(const ImguiContext&) = delete;

    FontAtlas font() const { return font_; }
    void begin_frame();
    /// What is to be drawn; valid until the next frame begins.
    const ImDrawData& end_frame();

  private:
    Window& window_;
    FontAtlas font_;
};

} // namespace tuff::viewer
