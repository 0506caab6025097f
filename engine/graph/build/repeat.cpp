#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>

/// What all loops of Graph share. repeat_until.cpp has those that the device ends.
namespace tuff {

bool Graph::begin_iteration(std::string_view name, std::uint32_t i) {
    if (too_large_) return false;
    if (repeated_ >= kMaxRepeatedNodes || desc_.nodes.size() >= kMaxRepeatedNodes) {
        too_large_ = true;
        error("graph/too-many-nodes",
              fmt::format("loop '{}' makes the graph larger than {} nodes at iteration {}", name,
                          kMaxRepeatedNodes, i),
              "repeat less often");
        return false;
    }
    ++repeated_;
    push_scope(fmt::format("{}[{}]", name, i));
    return true;
}

bool Graph::is_open(std::uint32_t iteration) const {
    return std::ranges::find(open_iterations_, iteration, &OpenIteration::number) !=
           open_iterations_.end();
}

void Graph::report_ended(std::string_view user, VersionId version) {
    error("graph/loop-escape",
          fmt::format("{} uses '{}', which an iteration of a repeat_until made and which is "
                      "undefined where the loop ends before it",
                      user, desc_.name(desc_.resource_of(version).name)),
          "return it as part of the loop's state, and use the state");
}

} // namespace tuff
