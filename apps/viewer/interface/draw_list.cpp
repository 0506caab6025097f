#include "interface/draw_list.hpp"

#include <imgui.h>

#include <cstdint>

namespace tuff::viewer {

DrawList flatten(const ImDrawData& data) {
    DrawList list;
    list.corners.reserve(static_cast<std::size_t>(data.TotalIdxCount));
    const ImVec2 origin = data.DisplayPos;
    const ImVec2 scale = data.FramebufferScale;
    for (int l = 0; l < data.CmdListsCount; ++l) {
        const ImDrawList& from = *data.CmdLists[l];
        for (const ImDrawCmd& command : from.CmdBuffer) {
            if (command.UserCallback || command.ElemCount == 0) continue;
            const auto number = static_cast<std::uint32_t>(list.commands.size());
            const auto x = [&](float at) { return (at - origin.x) * scale.x; };
            const auto y = [&](float at) { return (at - origin.y) * scale.y; };
            list.commands.push_back({.clip = {x(command.ClipRect.x), y(command.ClipRect.y),
                                              x(command.ClipRect.z), y(command.ClipRect.w)},
                                     .texture = static_cast<std::uint32_t>(
                                         reinterpret_cast<std::uintptr_t>(command.GetTexID())),
                                     .unused = {}});
            for (unsigned i = 0; i < command.ElemCount; ++i) {
                const unsigned index = from.IdxBuffer[static_cast<int>(command.IdxOffset + i)];
                const ImDrawVert& vertex =
                    from.VtxBuffer[static_cast<int>(command.VtxOffset + index)];
                list.corners.push_back({x(vertex.pos.x), y(vertex.pos.y), vertex.uv.x, vertex.uv.y,
                                        vertex.col, number});
            }
        }
    }
    return list;
}

} // namespace tuff::viewer
