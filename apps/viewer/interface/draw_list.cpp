#include "interface/draw_list.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace tuff::viewer {
namespace {

using Corner = DrawList::Corner;
using Triangle = std::array<Corner, 3>;

struct Rectangle {
    float left, top, right, bottom;
};

std::uint32_t mix(std::uint32_t a, std::uint32_t b, float t) {
    std::uint32_t mixed = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const auto from = static_cast<float>(a >> shift & 0xff);
        const auto to = static_cast<float>(b >> shift & 0xff);
        mixed |= static_cast<std::uint32_t>(std::lround(std::lerp(from, to, t))) << shift;
    }
    return mixed;
}

Corner between(const Corner& a, const Corner& b, float t) {
    return {std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t), std::lerp(a.u, b.u, t),
            std::lerp(a.v, b.v, t), mix(a.color, b.color, t)};
}

/// The part of a convex polygon where `inside` is not negative.
template <typename Inside>
std::vector<Corner> cut(const std::vector<Corner>& polygon, const Inside& inside) {
    std::vector<Corner> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Corner& a = polygon[i];
        const Corner& b = polygon[(i + 1) % polygon.size()];
        const float da = inside(a), db = inside(b);
        if (da >= 0.0f) kept.push_back(a);
        if ((da < 0.0f) != (db < 0.0f)) kept.push_back(between(a, b, da / (da - db)));
    }
    return kept;
}

void add(std::vector<Corner>& corners, const Triangle& triangle, const Rectangle& clip) {
    const auto [left, right] = std::minmax({triangle[0].x, triangle[1].x, triangle[2].x});
    const auto [top, bottom] = std::minmax({triangle[0].y, triangle[1].y, triangle[2].y});
    if (right <= clip.left || left >= clip.right || bottom <= clip.top || top >= clip.bottom)
        return;
    if (left >= clip.left && right <= clip.right && top >= clip.top && bottom <= clip.bottom) {
        corners.insert(corners.end(), triangle.begin(), triangle.end());
        return;
    }
    std::vector<Corner> polygon(triangle.begin(), triangle.end());
    polygon = cut(polygon, [&](const Corner& c) { return c.x - clip.left; });
    polygon = cut(polygon, [&](const Corner& c) { return clip.right - c.x; });
    polygon = cut(polygon, [&](const Corner& c) { return c.y - clip.top; });
    polygon = cut(polygon, [&](const Corner& c) { return clip.bottom - c.y; });
    for (std::size_t i = 2; i < polygon.size(); ++i)
        corners.insert(corners.end(), {polygon[0], polygon[i - 1], polygon[i]});
}

} // namespace

DrawList flatten(const ImDrawData& data) {
    DrawList list;
    list.corners.reserve(static_cast<std::size_t>(data.TotalIdxCount));
    const ImVec2 origin = data.DisplayPos;
    const ImVec2 scale = data.FramebufferScale;
    const auto x = [&](float at) { return (at - origin.x) * scale.x; };
    const auto y = [&](float at) { return (at - origin.y) * scale.y; };
    const auto picture = static_cast<std::uintptr_t>(InterfaceTexture::picture);
    std::size_t part = 0;
    std::size_t first = 0;
    const auto begin_part = [&](std::size_t next) {
        list.counts[part] = static_cast<std::uint32_t>(list.corners.size() - first);
        first = list.corners.size();
        part = next;
    };
    for (int l = 0; l < data.CmdListsCount; ++l) {
        const ImDrawList& from = *data.CmdLists[l];
        for (const ImDrawCmd& command : from.CmdBuffer) {
            if (command.UserCallback) continue;
            const bool is_picture = reinterpret_cast<std::uintptr_t>(command.GetTexID()) == picture;
            if (is_picture && part == 0) begin_part(1);
            if (!is_picture && part == 1) begin_part(2);
            const Rectangle clip{x(command.ClipRect.x), y(command.ClipRect.y),
                                 x(command.ClipRect.z), y(command.ClipRect.w)};
            const auto corner = [&](unsigned i) -> Corner {
                const unsigned index = from.IdxBuffer[static_cast<int>(command.IdxOffset + i)];
                const ImDrawVert& v = from.VtxBuffer[static_cast<int>(command.VtxOffset + index)];
                return {x(v.pos.x), y(v.pos.y), v.uv.x, v.uv.y, v.col};
            };
            for (unsigned i = 0; i + 2 < command.ElemCount; i += 3)
                add(list.corners, {corner(i), corner(i + 1), corner(i + 2)}, clip);
        }
    }
    begin_part(part);
    return list;
}

} // namespace tuff::viewer
