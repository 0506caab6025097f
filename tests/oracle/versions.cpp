#include "tests/oracle/versions.hpp"

#include "tests/oracle/access_table.hpp"
#include "tests/oracle/parts.hpp"

#include <algorithm>

namespace tuff::oracle {

VersionBook::VersionBook(const GraphDesc& graph)
    : graph_(graph), writers_(graph.versions.size()), position_(graph.versions.size(), 0),
      newest_(graph.resources.size()) {
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
        for (std::uint32_t i = 0; i < graph.nodes[n].access_count; ++i) {
            const std::uint32_t access = graph.nodes[n].first_access + i;
            if (const VersionId written = graph.accesses[access].written)
                writers_[written.index].push_back({{n}, access});
        }
    for (std::uint32_t v = 0; v < graph.versions.size(); ++v) {
        if (graph.versions[v].previous) continue;
        std::uint32_t position = 0;
        for (VersionId i{v}; i; i = graph.versions[i.index].next) {
            position_[i.index] = position++;
            newest_[graph.versions[v].resource.index] = i;
        }
    }
}

bool VersionBook::changes(VersionId version, const Range& part) const {
    return std::ranges::any_of(writers_[version.index], [&](const Use& use) {
        return ranges_meet(part, graph_.accesses[use.access].range);
    });
}

VersionId VersionBook::last_change(VersionId version, const Range& part) const {
    while (version && !changes(version, part))
        version = graph_.versions[version.index].previous;
    return version;
}

std::vector<NodeId> VersionBook::makers(VersionId version, const Range& part) const {
    std::vector<NodeId> result;
    for (; version; version = graph_.versions[version.index].previous)
        for (const Use& use : writers_[version.index]) {
            const AccessDesc& access = graph_.accesses[use.access];
            if (!ranges_meet(part, access.range)) continue;
            result.push_back(use.node);
            if (rules_of(access, graph_.resource_of(access.read).is_image()).replaces_all)
                return result;
        }
    return result;
}

bool VersionBook::is_older(VersionId older, VersionId newer) const {
    if (!older || !newer) return bool(newer);
    return position_[older.index] < position_[newer.index];
}

} // namespace tuff::oracle
