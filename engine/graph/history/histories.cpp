#include "graph/compile/ranges.hpp"
#include "graph/explain/describe.hpp"
#include "graph/history/histories_read.hpp"

#include <tuff/history.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string_view>

namespace tuff {
namespace {

std::array<std::uint32_t, 4> bits_of(const ClearValue& value) {
    if (const auto* words = std::get_if<std::array<std::uint32_t, 4>>(&value)) return *words;
    return std::bit_cast<std::array<std::uint32_t, 4>>(std::get<std::array<float, 4>>(value));
}

/// The path of the pass that has made it; empty: none has.
std::string_view pass_of(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

/// Names need not be unique: the nth of a name is the nth of that name elsewhere.
using HistoryKey = std::pair<std::string_view, std::uint32_t>;

std::vector<HistoryKey> keys_of(std::span<const HistoryInfo> histories) {
    std::vector<HistoryKey> keys;
    std::map<std::string_view, std::uint32_t> seen;
    for (const HistoryInfo& history : histories)
        keys.emplace_back(history.name, seen[history.name]++);
    return keys;
}

/// What keeps `now` from going on where `before` has ended; empty: nothing.
std::string obstacle(const HistoryInfo& before, const HistoryInfo& now) {
    if (before != now) {
        const std::string was = describe(before);
        const std::string is = describe(now);
        if (was != is) return fmt::format("was {} and is {} now", was, is);
        return before.clear == now.clear ? "has another shape now" : "has another first value now";
    }
    const auto* image = std::get_if<ImageDesc>(&now.desc);
    if (image && image->samples > 1) return "is multisampled, and cannot be copied";
    return {};
}

Diagnostic restarted(const HistoryInfo& history, std::string_view why) {
    const std::string_view pass = pass_of(history.name);
    std::string hint = "a history goes on while its description stays the same";
    if (!pass.empty())
        hint = fmt::format("all histories of '{}' begin again with it; {}", pass, hint);
    return {.code = "graph/history-restarted",
            .severity = Severity::warning,
            .message = fmt::format("history '{}' begins again: it {}", history.name, why),
            .where = {},
            .hint = std::move(hint)};
}

} // namespace

std::vector<ResourceId> histories_read(const Plan& plan) {
    const std::vector<ResourceDesc>& resources = plan.graph.resources;
    std::set<std::uint32_t> groups; // of which executions read an earlier age
    for (const NodeId node : plan.order) {
        const NodeDesc& desc = plan.graph.nodes[node.index];
        for (std::uint32_t a = 0; a < desc.access_count; ++a) {
            const AccessDesc& access = plan.graph.accesses[desc.first_access + a];
            if (!access.read) continue;
            const ResourceDesc& resource = plan.graph.resource_of(access.read);
            if (resource.lifetime == Lifetime::history && resource.history_age > 0)
                groups.insert(resource.history_group);
        }
    }
    std::vector<ResourceId> read;
    for (std::uint32_t r = 0; r < resources.size(); ++r)
        if (resources[r].lifetime == Lifetime::history && resources[r].history_age == 0 &&
            groups.contains(resources[r].history_group))
            read.push_back({r});
    return read;
}

std::vector<HistoryInfo> histories_of(const Plan& plan) {
    std::vector<HistoryInfo> histories;
    for (const ResourceId id : histories_read(plan)) {
        const ResourceDesc& resource = plan.graph.resources[id.index];
        histories.push_back({.name = std::string(plan.graph.name(resource.name)),
                             .desc = resource.desc,
                             .depth = resource.history_depth,
                             .clear = bits_of(resource.history_clear),
                             .part = resource.part});
    }
    return histories;
}

std::uint64_t packed_bytes(const HistoryInfo& history) {
    const auto* image = std::get_if<ImageDesc>(&history.desc);
    std::uint64_t copy = 0;
    if (!image) {
        copy = std::get<BufferDesc>(history.desc).size;
    } else {
        copy = packed_bytes(*image);
        // Devices copy depth and stencil apart: four bytes and one, whatever a texel takes.
        const FormatInfo& format = info(image->format);
        if (format.depth && format.stencil) copy = copy / format.texel_bytes * 5;
    }
    return copy * (history.depth + 1);
}

std::string describe(const HistoryInfo& history) {
    ResourceDesc resource;
    resource.desc = history.desc;
    std::string text = resource_text(resource);
    if (const auto* buffer = std::get_if<BufferDesc>(&history.desc))
        text = buffer->stride == 0 ? fmt::format("a buffer of {} bytes", buffer->size)
                                   : fmt::format("a buffer of {} bytes in elements of {}",
                                                 buffer->size, buffer->stride);
    return fmt::format("{}, {} execution{} back", text, history.depth,
                       history.depth == 1 ? "" : "s");
}

HistoryMatch match_histories(std::span<const HistoryInfo> before,
                             std::span<const HistoryInfo> now) {
    const std::vector<HistoryKey> old_keys = keys_of(before);
    const std::vector<HistoryKey> keys = keys_of(now);
    std::map<HistoryKey, std::uint32_t> old;
    for (std::uint32_t i = 0; i < before.size(); ++i)
        old.emplace(old_keys[i], i);

    HistoryMatch match;
    std::set<std::string_view> broken; // passes
    for (std::uint32_t i = 0; i < now.size(); ++i) {
        const auto found = old.find(keys[i]);
        if (found == old.end()) continue;
        if (const std::string why = obstacle(before[found->second], now[i]); !why.empty()) {
            match.restarted.push_back(restarted(now[i], why));
            broken.insert(pass_of(now[i].name));
        } else {
            match.same.emplace_back(found->second, i);
        }
    }
    broken.erase(std::string_view());
    std::erase_if(match.same, [&](const auto& pair) {
        return broken.contains(pass_of(now[pair.second].name));
    });
    return match;
}

} // namespace tuff
