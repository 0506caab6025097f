#include "graph/compile/sync/shared_scopes.hpp"

#include "graph/compile/select.hpp"

namespace tuff {
namespace {

constexpr StageMask kShaders = stage::kVertexShader | stage::kFragmentShader | stage::kCompute;

/// A number below 8 for each combination of shaders; their bits lie four apart.
constexpr std::size_t combination_of(StageMask shaders) {
    return (shaders >> 3 | shaders >> 6 | shaders >> 9) & 7;
}
static_assert(combination_of(stage::kVertexShader) == 1);
static_assert(combination_of(stage::kFragmentShader) == 2);
static_assert(combination_of(stage::kCompute) == 4);

/// Whether an access may as well find an image in the general layout. Attachments stay in their
/// own, which is what drawing is optimised for.
constexpr bool suits_general(Layout layout) {
    return layout == Layout::shader_read_only || layout == Layout::transfer_source ||
           layout == Layout::transfer_destination;
}

/// The scopes of all kinds of accesses; those of shaders in each combination of stages.
class ScopeTable {
  public:
    explicit ScopeTable(bool general_layouts) : general_layouts_(general_layouts) {
        for (std::size_t a = 0; a < kAccesses; ++a)
            for (const bool is_image : {false, true})
                for (std::size_t s = 0; s < kCombinations; ++s)
                    scopes_[is_image][a][s] =
                        narrow_scope(static_cast<Access>(a), stages_of(s), is_image);
    }
    ScopeBits of(const AccessDesc& access, bool is_image) const {
        if ((access.shader_stages & ~kShaders) != 0) // by more than single shaders
            return narrow_scope(access.access, access.shader_stages, is_image);
        const std::size_t combination = combination_of(access.shader_stages);
        return scopes_[is_image][static_cast<std::size_t>(access.access)][combination];
    }

  private:
    static constexpr std::size_t kAccesses = static_cast<std::size_t>(Access::present) + 1;
    static constexpr std::size_t kCombinations = 8;
    static constexpr StageMask stages_of(std::size_t combination) {
        return (combination & 1 ? stage::kVertexShader : 0) |
               (combination & 2 ? stage::kFragmentShader : 0) |
               (combination & 4 ? stage::kCompute : 0);
    }
    ScopeBits narrow_scope(Access access, StageMask stages, bool is_image) const {
        Scope scope = scope_of(access, stages, is_image);
        if (general_layouts_ && suits_general(scope.layout)) scope.layout = Layout::general;
        return narrow(scope);
    }
    bool general_layouts_;
    std::array<std::array<std::array<ScopeBits, kCombinations>, kAccesses>, 2> scopes_;
};

/// Where a write changes a part of a resource only, readers of the versions before and after meet
/// in the rest. Gives each version the oldest one whose readers its own must agree with.
std::vector<VersionId> find_shared_reads(const GraphDesc& graph, const AccessIndex& index) {
    const SegmentTable& segments = index.segments;
    std::vector<VersionId> leader(graph.versions.size());
    for (std::uint32_t v = 0; v < leader.size(); ++v)
        leader[v] = {v};
    const auto find = [&](VersionId v) {
        while (leader[v.index] != v)
            v = leader[v.index] = leader[leader[v.index].index];
        return v;
    };
    std::vector<VersionId> last_read(segments.starts.back()); // since the last write
    for (std::uint32_t r = 0; r < graph.resources.size(); ++r) {
        if (segments.cuts_of[r] == ~0u) continue;
        const auto read = [&](VersionId version, const Range& range) {
            segments.for_each({r}, range, [&](std::uint32_t s) {
                if (last_read[s]) leader[find(version).index] = find(last_read[s]);
                last_read[s] = version;
            });
        };
        for (const VersionId version : index.chains[r]) {
            for (const std::uint32_t a : index.writers[version.index])
                segments.for_each({r}, graph.accesses[a].range,
                                  [&](std::uint32_t s) { last_read[s] = VersionId{}; });
            for (const std::uint32_t a : index.readers[version.index])
                read(version, graph.accesses[a].range);
            for (const std::uint32_t o : index.outputs[version.index])
                if (graph.outputs[o].access != Access::present)
                    read(version, whole(graph.resources[r]));
        }
    }
    for (std::uint32_t v = 0; v < leader.size(); ++v)
        leader[v] = find({v});
    return leader;
}

void share_among_histories(const GraphDesc& graph, const AccessIndex& index, SharedScopes& scopes) {
    const auto for_each_age = [&](auto visit) {
        for (const ResourceId resource : index.lasting) {
            const ResourceDesc& desc = graph.resources[resource.index];
            if (desc.lifetime != Lifetime::history || desc.history_age == 0) continue;
            ScopeBits& own = scopes.readers[index.chains[resource.index][0].index];
            if (own.stages != 0) visit(desc.history_group, own, resource);
        }
    };
    for_each_age([&](std::uint32_t group, const ScopeBits& own, ResourceId resource) {
        if (scopes.history_readers.size() <= group) {
            scopes.history_readers.resize(graph.resources.size());
            scopes.history_read_whole.resize(graph.resources.size());
        }
        scopes.history_readers[group] = joined(scopes.history_readers[group], own);
        if (index.segments.count(resource) == 1) scopes.history_read_whole[group] = true;
    });
    for_each_age([&](std::uint32_t group, ScopeBits& own, ResourceId) {
        own.layout = scopes.history_readers[group].layout;
    });
}

} // namespace

ScopeBits output_scope(const GraphDesc& graph, const OutputDesc& output) {
    Scope scope =
        scope_of(output.access, stage::kAllCommands, graph.resource_of(output.version).is_image());
    if (output.access == Access::present) scope.stages = stage::kAllCommands;
    return narrow(scope);
}

SharedScopes share_scopes(const GraphDesc& graph, const AccessIndex& index, bool general_layouts) {
    static const ScopeTable kApart(false);
    static const ScopeTable kGeneral(true);
    const ScopeTable& table = general_layouts ? kGeneral : kApart;
    const bool parts = !index.segments.cuts.empty();
    const std::vector<VersionId> leader =
        parts ? find_shared_reads(graph, index) : std::vector<VersionId>();
    const auto leader_of = [&](VersionId v) { return parts ? leader[v.index] : v; };

    SharedScopes scopes;
    scopes.own.reserve(graph.accesses.size());
    // Reads and writes follow each other as they like: to count writes as nobody's reads costs less
    // than to guess.
    const auto nobody = static_cast<std::uint32_t>(graph.versions.size());
    scopes.readers.resize(graph.versions.size() + 1);
    const auto accesses = static_cast<std::uint32_t>(graph.accesses.size());
    for (std::uint32_t a = 0; a < accesses; ++a) {
        if (!index.node_of[a]) {
            scopes.own.emplace_back();
            continue;
        }
        const AccessDesc& access = graph.accesses[a];
        const bool is_image = graph.resources[index.resource_of[a].index].is_image();
        const ScopeBits own = table.of(access, is_image);
        scopes.own.push_back(own);
        ScopeBits& all =
            scopes.readers[select(bool(access.written), nobody, leader_of(access.read).index)];
        all = joined(all, own);
        if (access.access == Access::accumulate) {
            scopes.accumulators.resize(graph.versions.size());
            ScopeBits& together = scopes.accumulators[access.written.index];
            together = joined(together, own);
        }
    }
    scopes.readers.pop_back();
    for (const OutputDesc& output : graph.outputs) {
        // Presenting takes a layout that no reader can share; it comes after all of them.
        if (output.access == Access::present) continue;
        ScopeBits& all = scopes.readers[leader_of(output.version).index];
        all = joined(all, output_scope(graph, output));
    }
    for (std::uint32_t v = 0; v < leader.size(); ++v)
        scopes.readers[v] = scopes.readers[leader[v].index];
    share_among_histories(graph, index, scopes);
    return scopes;
}

} // namespace tuff
