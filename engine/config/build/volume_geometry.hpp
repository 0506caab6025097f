#pragma once

#include <tuff/graph_desc.hpp>
#include <tuff/volume.hpp>

#include <map>
#include <optional>

namespace tuff {

/// Where the texels of a volume lie that a graph makes: where those of the volumes lie that it is
/// made from, of which those of its own size count. Nothing where there are none, or where they
/// disagree.
std::optional<VolumeGeometry>
geometry_of_version(const GraphDesc& graph, VersionId version,
                    const std::map<ResourceId, VolumeGeometry>& known);

} // namespace tuff
