#include "model/fold_tree.hpp"

#include <algorithm>
#include <functional>

namespace tuff::viewer {

FoldTree::FoldTree(std::span<const std::string> names) : names_(names.begin(), names.end()) {
    groups_.emplace_back();
    for (std::size_t item = 0; item < names_.size(); ++item) {
        const std::string_view name = names_[item];
        std::size_t group = 0;
        groups_[0].items.push_back(item);
        std::size_t from = 0;
        for (std::size_t slash = name.find('/'); slash != std::string_view::npos;
             slash = name.find('/', from)) {
            group = find_or_add(group, name.substr(from, slash - from));
            groups_[group].items.push_back(item);
            from = slash + 1;
        }
        groups_[group].parts.push_back(item * 2 + 1);
    }
}

std::size_t FoldTree::find_or_add(std::size_t parent, std::string_view part) {
    for (const std::size_t entry : groups_[parent].parts)
        if (entry % 2 == 0 && groups_[entry / 2].label == part) return entry / 2;
    Group group{.path = groups_[parent].path, .label = std::string(part), .items = {}, .parts = {}};
    if (!group.path.empty()) group.path += '/';
    group.path += part;
    groups_.push_back(std::move(group));
    groups_[parent].parts.push_back((groups_.size() - 1) * 2);
    return groups_.size() - 1;
}

std::vector<std::size_t> FoldTree::sorted_parts(const Group& group,
                                                std::span<const double> weights) const {
    std::vector<std::size_t> parts = group.parts;
    if (weights.empty()) return parts;
    const auto weight = [&](std::size_t part) {
        if (part % 2 == 1) return weights[part / 2];
        double sum = 0.0;
        for (const std::size_t item : groups_[part / 2].items)
            sum += weights[item];
        return sum;
    };
    std::ranges::stable_sort(parts, std::greater{}, weight);
    return parts;
}

void FoldTree::add_rows(std::size_t index, std::uint32_t depth, const Wanted& wanted,
                        std::vector<FoldRow>& rows) const {
    for (const std::size_t part : sorted_parts(groups_[index], wanted.weights)) {
        if (part % 2 == 1) {
            const std::string& name = names_[part / 2];
            rows.push_back({.path = name,
                            .label = std::string(name_inside(name, groups_[index].path)),
                            .depth = depth,
                            .group = false,
                            .items = {part / 2}});
            continue;
        }
        // Groups that hold nothing but one group are one row with it.
        std::size_t inner = part / 2;
        while (groups_[inner].parts.size() == 1 && groups_[inner].parts[0] % 2 == 0)
            inner = groups_[inner].parts[0] / 2;
        const Group& group = groups_[inner];
        const std::string label(name_inside(group.path, groups_[index].path));
        if (group.items.size() == 1) {
            const std::string& name = names_[group.items[0]];
            rows.push_back({.path = name,
                            .label = std::string(name_inside(name, groups_[index].path)),
                            .depth = depth,
                            .group = false,
                            .items = group.items});
            continue;
        }
        rows.push_back({.path = group.path,
                        .label = label,
                        .depth = depth,
                        .group = true,
                        .items = group.items});
        if (wanted.open.contains(group.path)) add_rows(inner, depth + 1, wanted, rows);
    }
}

std::vector<FoldRow> FoldTree::rows(const std::set<std::string, std::less<>>& open,
                                    std::span<const double> weights) const {
    std::vector<FoldRow> rows;
    add_rows(0, 0, {open, weights}, rows);
    return rows;
}

std::vector<std::string> FoldTree::groups() const {
    std::vector<std::string> paths;
    for (std::size_t i = 1; i < groups_.size(); ++i)
        paths.push_back(groups_[i].path);
    return paths;
}

std::string_view name_inside(std::string_view name, std::string_view path) {
    if (path.empty() || !name.starts_with(path) || name.size() <= path.size() ||
        name[path.size()] != '/')
        return name;
    return name.substr(path.size() + 1);
}

std::string cut_in_the_middle(std::string_view name, std::size_t most) {
    constexpr std::string_view kDots = "...";
    std::vector<std::size_t> starts; // of characters
    for (std::size_t i = 0; i < name.size(); ++i)
        if ((static_cast<unsigned char>(name[i]) & 0xC0u) != 0x80u) starts.push_back(i);
    if (starts.size() <= most) return std::string(name);
    if (most <= kDots.size()) return std::string(kDots.substr(0, most));
    const std::size_t kept = most - kDots.size();
    const std::size_t behind = kept / 2, before = kept - behind;
    return std::string(name.substr(0, starts[before])) + std::string(kDots) +
           (behind ? std::string(name.substr(starts[starts.size() - behind])) : std::string());
}

} // namespace tuff::viewer
