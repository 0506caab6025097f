#pragma once

#include <tuff/graph_desc.hpp>

#include <vector>

namespace tuff::oracle {

/// Which nodes make the contents of a version, part by part.
class VersionBook {
  public:
    explicit VersionBook(const GraphDesc& graph);

    struct Use {
        NodeId node;
        std::uint32_t access; ///< index into GraphDesc::accesses
    };
    /// The accesses that produce `version`.
    const std::vector<Use>& writers(VersionId version) const { return writers_[version.index]; }
    /// The newest version, `version` or older, in which something writes into `part`; none: `part`
    /// holds what the resource began with.
    VersionId last_change(VersionId version, const Range& part) const;
    /// Everything whose work is in `part` of `version`: back to whatever replaced all of it.
    std::vector<NodeId> makers(VersionId version, const Range& part) const;
    /// `older` comes before `newer` in the chain of one resource. None is oldest of all.
    bool is_older(VersionId older, VersionId newer) const;
    VersionId newest(ResourceId resource) const { return newest_[resource.index]; }

  private:
    bool changes(VersionId version, const Range& part) const;

    const GraphDesc& graph_;
    std::vector<std::vector<Use>> writers_;
    std::vector<std::uint32_t> position_; ///< in the chain of the resource
    std::vector<VersionId> newest_;       ///< per resource
};

} // namespace tuff::oracle
