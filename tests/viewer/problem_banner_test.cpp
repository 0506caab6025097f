// The banner that says what is wrong, laid out without a window.

#include "panels/panels.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <memory>
#include <string>

namespace tuff::test {
namespace {

using viewer::InterfaceState;
using viewer::SceneReport;

/// Dear ImGui without a window.
class ProblemBanner : public testing::Test {
  protected:
    ProblemBanner() {
        ImGui::SetCurrentContext(context_.get());
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {640.0f, 480.0f};
        io.DeltaTime = 1.0f / 60.0f;
        unsigned char* texels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsAlpha8(&texels, &width, &height);
        state.report = std::make_shared<SceneReport>();
    }

    /// Lays one frame out, with the mouse on what was the close button's place in `seen`.
    void frame(const viewer::WidgetMap& seen, bool pressed) {
        ImGuiIO& io = ImGui::GetIO();
        const auto button = seen.places().find("close problems");
        if (button != seen.places().end())
            io.MousePos = {static_cast<float>(button->second.x),
                           static_cast<float>(button->second.y)};
        io.MouseDown[0] = pressed;
        ImGui::NewFrame();
        state.widgets.begin_frame();
        ImGui::SetNextWindowPos({0.0f, 0.0f});
        ImGui::SetNextWindowSize(io.DisplaySize);
        ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
        draw_picture(state);
        ImGui::End();
        ImGui::Render();
    }

    InterfaceState state;

  private:
    struct Destroy {
        void operator()(ImGuiContext* context) const { ImGui::DestroyContext(context); }
    };
    std::unique_ptr<ImGuiContext, Destroy> context_{ImGui::CreateContext()};
};

TEST_F(ProblemBanner, IsClosedWhereItsButtonWasWhenItCame) {
    for (const int lines : {1, 3, 200}) {
        SCOPED_TRACE(lines);
        std::string message;
        for (int i = 0; i < lines; ++i)
            message += "a line\n";
        state.notices = fail("viewer/computed", message, "a hint").error();
        frame({}, false);
        const viewer::WidgetMap first = state.widgets;
        ASSERT_TRUE(first.places().contains("close problems"));
        for (int i = 0; i < 3; ++i)
            frame(first, false);
        frame(first, true);
        EXPECT_FALSE(state.notices.empty());
        frame(first, false);
        EXPECT_TRUE(state.notices.empty());
        frame({}, false);
        EXPECT_FALSE(state.widgets.places().contains("close problems"));
    }
}

} // namespace
} // namespace tuff::test
