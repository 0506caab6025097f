#include "panels/widget_map.hpp"

#include <imgui.h>

namespace tuff::viewer {

void WidgetMap::note(std::string_view name) {
    if (!ImGui::IsItemVisible()) return;
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    places_.insert_or_assign(std::string(name), Place{.x = static_cast<int>((low.x + high.x) / 2),
                                                      .y = static_cast<int>((low.y + high.y) / 2),
                                                      .width = static_cast<int>(high.x - low.x),
                                                      .height = static_cast<int>(high.y - low.y)});
}

} // namespace tuff::viewer
