#include "model/panel_layout.hpp"

#include <algorithm>

namespace tuff::viewer {
namespace {

constexpr float kEdge = 5.0f;
constexpr float kLeastSidePanel = 120.0f, kLeastPicture = 160.0f, kLeastDetails = 60.0f;
constexpr float kLeastShare = 0.02f, kMaxShare = 0.9f;

} // namespace

PanelLayout panel_layout(float width, float height, float status, const PanelSizes& sizes,
                         bool alone) {
    PanelLayout layout;
    if (alone) {
        layout.picture = {0.0f, 0.0f, width, height};
        return layout;
    }
    const float above = std::max(height - status, 1.0f);
    float left = std::max(sizes.views * width, kLeastSidePanel);
    float right = std::max(sizes.parameters * width, kLeastSidePanel);
    const float most = std::max(width - kLeastPicture - 2 * kEdge, 2.0f);
    if (left + right > most) {
        const float shrink = most / (left + right);
        left *= shrink;
        right *= shrink;
    }
    const float bottom = std::clamp(sizes.details * above, std::min(kLeastDetails, above / 2),
                                    std::max(above - kLeastPicture - kEdge, above / 2));
    const float middle = width - left - right - 2 * kEdge;
    layout.views = {0.0f, 0.0f, left, above};
    layout.views_edge = {left, 0.0f, kEdge, above};
    layout.picture = {left + kEdge, 0.0f, middle, above - bottom - kEdge};
    layout.details_edge = {left + kEdge, above - bottom - kEdge, middle, kEdge};
    layout.details = {left + kEdge, above - bottom, middle, bottom};
    layout.parameters_edge = {width - right - kEdge, 0.0f, kEdge, above};
    layout.parameters = {width - right, 0.0f, right, above};
    layout.status = {0.0f, above, width, status};
    return layout;
}

PanelSizes with_views_edge(PanelSizes sizes, float x, float width) {
    sizes.views = std::clamp(x / width, kLeastShare, kMaxShare);
    return sizes;
}

PanelSizes with_parameters_edge(PanelSizes sizes, float x, float width) {
    sizes.parameters = std::clamp(1.0f - x / width, kLeastShare, kMaxShare);
    return sizes;
}

PanelSizes with_details_edge(PanelSizes sizes, float y, float height, float status) {
    sizes.details = std::clamp(1.0f - y / std::max(height - status, 1.0f), kLeastShare, kMaxShare);
    return sizes;
}

} // namespace tuff::viewer
