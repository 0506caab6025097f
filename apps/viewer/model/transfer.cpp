#include "model/transfer.hpp"

#include "apps/shared/file_config.hpp"

#include <algorithm>
#include <cmath>

namespace tuff::viewer {
namespace {

constexpr std::size_t kNumbers = 5; ///< of a point in the list

TransferPoint between(const TransferPoint& a, const TransferPoint& b, double value) {
    const double share = b.value > a.value ? (value - a.value) / (b.value - a.value) : 1.0;
    TransferPoint point{.value = value};
    for (std::size_t i = 0; i < 3; ++i)
        point.color[i] = std::lerp(a.color[i], b.color[i], share);
    point.opacity = std::lerp(a.opacity, b.opacity, share);
    return point;
}

/// Computed tomography: air is -1000 and bone some hundreds.
bool is_hounsfield(double low, double high) {
    return low < -500.0 && low > -5000.0 && high > 600.0;
}

std::vector<double> bone(double low, double high) {
    // Air, skin, muscle, spongy and dense bone.
    if (is_hounsfield(low, high))
        return {low,  0.0,   0.0,   0.0,  0.0,  -400.0, 0.6,  0.3,   0.2,   0.0, -150.0, 0.8,
                0.45, 0.32,  0.006, 60.0, 0.7,  0.25,   0.18, 0.004, 180.0, 0.9, 0.75,   0.55,
                0.05, 600.0, 1.0,   0.95, 0.85, 0.35,   high, 1.0,   1.0,   1.0, 0.8};
    const auto at = [&](double share) { return low + share * (high - low); };
    return {at(0.0),  0.0, 0.0,  0.0,  0.0,  at(0.2),  0.6, 0.3,  0.2,  0.0,
            at(0.35), 0.8, 0.4,  0.3,  0.01, at(0.55), 0.9, 0.75, 0.55, 0.05,
            at(0.75), 1.0, 0.95, 0.85, 0.35, at(1.0),  1.0, 1.0,  1.0,  0.8};
}

std::vector<double> preset_list(std::string_view name, double low, double high) {
    const auto at = [&](double share) { return low + share * (high - low); };
    if (name == "thesis") return {low, 0.0, 0.0, 0.0, 0.0, high, 1.0, 1.0, 1.0, 0.1};
    if (name == "bone") return bone(low, high);
    if (name == "hot")
        return {at(0.0), 0.0,      0.0,     0.0, 0.0, at(0.15), 0.1,      0.0, 0.0,
                0.0,     at(0.45), 0.9,     0.1, 0.0, 0.02,     at(0.75), 1.0, 0.7,
                0.0,     0.08,     at(1.0), 1.0, 1.0, 1.0,      0.3};
    return cli::grey_transfer(low, high);
}

} // namespace

std::optional<Transfer> Transfer::of(const std::vector<double>& list) {
    if (list.empty() || list.size() % kNumbers != 0 || list.size() > kNumbers * kMax)
        return std::nullopt;
    Transfer transfer;
    for (std::size_t i = 0; i < list.size(); i += kNumbers) {
        if (i > 0 && !(list[i] >= list[i - kNumbers])) return std::nullopt;
        transfer.points_.push_back({.value = list[i],
                                    .color = {list[i + 1], list[i + 2], list[i + 3]},
                                    .opacity = list[i + 4]});
    }
    return transfer;
}

std::vector<double> Transfer::list() const {
    std::vector<double> list;
    for (const TransferPoint& point : points_)
        list.insert(list.end(),
                    {point.value, point.color[0], point.color[1], point.color[2], point.opacity});
    return list;
}

TransferPoint Transfer::at(double value) const {
    const auto after = std::ranges::upper_bound(points_, value, {}, &TransferPoint::value);
    TransferPoint found = after == points_.begin() ? points_.front()
                          : after == points_.end() ? points_.back()
                                                   : between(*(after - 1), *after, value);
    found.value = value;
    return found;
}

std::optional<std::size_t> Transfer::add(double value, double opacity) {
    if (points_.size() >= kMax) return std::nullopt;
    TransferPoint point = at(value);
    point.opacity = std::clamp(opacity, 0.0, 1.0);
    const auto after = std::ranges::upper_bound(points_, value, {}, &TransferPoint::value);
    const auto index = after - points_.begin(); // before the insertion moves the points
    points_.insert(after, point);
    return static_cast<std::size_t>(index);
}

void Transfer::move(std::size_t index, double value, double opacity) {
    TransferPoint& point = points_[index];
    if (index > 0) value = std::max(value, points_[index - 1].value);
    if (index + 1 < points_.size()) value = std::min(value, points_[index + 1].value);
    point.value = value;
    point.opacity = std::clamp(opacity, 0.0, 1.0);
}

void Transfer::set_color(std::size_t index, std::array<double, 3> color) {
    for (double& part : color)
        part = std::max(part, 0.0);
    points_[index].color = color;
}

void Transfer::remove(std::size_t index) {
    if (points_.size() > 1) points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(index));
}

Transfer preset(std::string_view name, double low, double high) {
    if (!(low < high)) high = low + 1.0;
    return *Transfer::of(preset_list(name, low, high));
}

double height_of(double opacity) {
    return std::sqrt(std::clamp(opacity, 0.0, 1.0));
}

double opacity_of(double height) {
    const double inside = std::clamp(height, 0.0, 1.0);
    return inside * inside;
}

std::vector<double> filter_weights(const VolumeFilterChoice& choice) {
    if (choice.kind == VolumeFilterKind::none) return {};
    const int reach = static_cast<int>(choice.side) / 2;
    std::vector<double> weights;
    double sum = 0.0;
    for (int z = -reach; z <= reach; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x) {
                const double squared = x * x + y * y + z * z;
                const bool bell = choice.kind == VolumeFilterKind::gaussian;
                const double sigma = std::max(choice.sigma, 1e-3);
                weights.push_back(bell ? std::exp(-squared / (2.0 * sigma * sigma)) : 1.0);
                sum += weights.back();
            }
    for (double& weight : weights)
        weight /= sum;
    if (choice.kind != VolumeFilterKind::sharpen) return weights;
    for (double& weight : weights)
        weight = -weight;
    weights[weights.size() / 2] += 2.0;
    return weights;
}

} // namespace tuff::viewer
