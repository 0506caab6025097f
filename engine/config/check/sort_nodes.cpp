#include "config/check/flat_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

namespace tuff {
namespace {

constexpr std::size_t kMaxNamed = 12; ///< nodes of a cycle that a message names

/// Kahn's algorithm over the flat nodes; ties go to the smaller path, so that the order depends on
/// the wires and the names alone. Iterative: chains may be as long as the config.
class NodeSorter {
  public:
    NodeSorter(const FlatConfig& flat, Problems& problems)
        : flat_(flat), problems_(problems), count_(flat.nodes.size()), rank_(count_),
          waiting_for_(count_, 0), readers_(count_), done_(count_, false) {}

    std::vector<std::uint32_t> sort() {
        std::vector<std::uint32_t> by_path(count_);
        std::iota(by_path.begin(), by_path.end(), 0u);
        std::ranges::sort(by_path, {}, [&](std::uint32_t i) -> const std::string& {
            return flat_.nodes[i].path;
        });
        for (std::uint32_t r = 0; r < count_; ++r)
            rank_[by_path[r]] = r;
        for (std::uint32_t i = 0; i < count_; ++i)
            for_each_source(i, [&](const FlatInput& input) {
                readers_[input.wire.index].push_back(i);
                ++waiting_for_[i];
            });
        for (std::uint32_t i : by_path)
            if (waiting_for_[i] == 0) ready_.push(rank_[i]);

        std::vector<std::uint32_t> order;
        // Every cycle leaves nodes behind; cutting one open lets the others come to light.
        std::size_t next_unsorted = 0;
        while (order.size() < count_) {
            drain(by_path, order);
            while (next_unsorted < count_ && done_[by_path[next_unsorted]])
                ++next_unsorted;
            if (next_unsorted < count_) cut_cycle(by_path[next_unsorted]);
        }
        return order;
    }

  private:
    template <typename Visit>
    void for_each_source(std::uint32_t node, Visit visit) const {
        for (const auto* inputs : {&flat_.nodes[node].inputs, &flat_.nodes[node].otherwise})
            for (const FlatInput& input : *inputs)
                if (input.wire.kind == Wire::Kind::node) visit(input);
    }

    void drain(const std::vector<std::uint32_t>& by_path, std::vector<std::uint32_t>& order) {
        while (!ready_.empty()) {
            const std::uint32_t node = by_path[ready_.top()];
            ready_.pop();
            if (done_[node]) continue;
            done_[node] = true;
            order.push_back(node);
            for (std::uint32_t reader : readers_[node])
                if (waiting_for_[reader] > 0 && --waiting_for_[reader] == 0)
                    ready_.push(rank_[reader]);
        }
    }

    /// Walks from an unsorted node to what it waits for until a node comes again: that is a cycle.
    void cut_cycle(std::uint32_t start) {
        std::vector<std::uint32_t> walk;
        std::vector<const FlatInput*> through;
        std::set<std::uint32_t> seen;
        std::uint32_t node = start;
        while (seen.insert(node).second) {
            walk.push_back(node);
            const FlatInput* blocking = nullptr;
            for_each_source(node, [&](const FlatInput& input) {
                if (!blocking && !done_[input.wire.index]) blocking = &input;
            });
            through.push_back(blocking);
            node = blocking->wire.index;
        }
        const auto first = static_cast<std::size_t>(std::ranges::find(walk, node) - walk.begin());
        std::vector<std::uint32_t> cycle(walk.begin() + static_cast<std::ptrdiff_t>(first),
                                         walk.end());
        std::vector<const FlatInput*> wires(through.begin() + static_cast<std::ptrdiff_t>(first),
                                            through.end());
        report(std::move(cycle), std::move(wires));
        // Taken as sorted from here on: it waits for nothing any more.
        waiting_for_[node] = 0;
        ready_.push(rank_[node]);
    }

    /// `cycle` runs against the wires; `wires[i]` is where `cycle[i]` reads `cycle[i + 1]`.
    void report(std::vector<std::uint32_t> cycle, std::vector<const FlatInput*> wires) {
        std::ranges::reverse(cycle);
        std::ranges::reverse(wires);
        const auto smallest =
            std::ranges::min_element(cycle, {}, [&](std::uint32_t i) { return rank_[i]; });
        const auto turn = smallest - cycle.begin();
        std::ranges::rotate(cycle, smallest);
        std::ranges::rotate(wires, wires.begin() + turn);

        std::string names;
        std::string places;
        for (std::size_t i = 0; i < cycle.size() && i < kMaxNamed; ++i) {
            const SourcePlace place = wires[i]->span.place();
            names += flat_.nodes[cycle[i]].path + " -> ";
            places += fmt::format("\n{} reads {} at {}:{}:{}", flat_.nodes[cycle[i]].path,
                                  flat_.nodes[wires[i]->wire.index].path, place.file, place.line,
                                  place.column);
        }
        if (cycle.size() > kMaxNamed)
            names += fmt::format("({} more) -> ", cycle.size() - kMaxNamed);
        names += flat_.nodes[cycle.front()].path;
        problems_.error("config/cycle", wires.front()->span,
                        fmt::format("the nodes wait for each other: {}", names),
                        "read what an earlier frame left through \"history\", or remove one of "
                        "the wires:" +
                            places);
    }

    const FlatConfig& flat_;
    Problems& problems_;
    std::size_t count_;
    std::vector<std::uint32_t> rank_;
    std::vector<std::uint32_t> waiting_for_;
    std::vector<std::vector<std::uint32_t>> readers_;
    std::vector<bool> done_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
};

void renumber(Wire& wire, const std::vector<std::uint32_t>& new_index) {
    if (wire.kind == Wire::Kind::node) wire.index = new_index[wire.index];
}

/// Names of parameters that some value of the file refers to.
std::set<std::string> referenced_names(const ConfigFile& file) {
    std::set<std::string> names;
    const auto note = [&](const std::string& name, Span) { names.insert(name); };
    for_each_value(file, [&](const ValueExpr& value) { for_each_reference(value, note); });
    return names;
}

} // namespace

void sort_nodes(FlatConfig& flat, Problems& problems) {
    const std::vector<std::uint32_t> order = NodeSorter(flat, problems).sort();
    std::vector<std::uint32_t> new_index(order.size());
    std::vector<FlatNode> sorted;
    sorted.reserve(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        new_index[order[i]] = i;
        sorted.push_back(std::move(flat.nodes[order[i]]));
    }
    flat.nodes = std::move(sorted);
    for (FlatNode& node : flat.nodes)
        for (auto* inputs : {&node.inputs, &node.otherwise})
            for (FlatInput& input : *inputs)
                renumber(input.wire, new_index);
    for (FlatHistory& history : flat.histories)
        renumber(history.from, new_index);
    for (FlatOutput& output : flat.outputs)
        renumber(output.wire, new_index);
    for (FlatScope& scope : flat.scopes)
        for (std::size_t i = 0; i < scope.nodes.size(); ++i)
            if (!scope.file->config.nodes[i].is_plain_use() && scope.nodes[i] != kNoIndex)
                scope.nodes[i] = new_index[scope.nodes[i]];
}

void warn_unused(const FlatConfig& flat, Problems& problems) {
    for (const FlatAsset& asset : flat.assets)
        if (!asset.used)
            problems.warning("config/unused-asset", asset.decl->name.span,
                             fmt::format("nothing uses asset \"{}\"", asset.path));
    for (const FlatHistory& history : flat.histories)
        if (!history.used)
            problems.warning("config/unused-history", history.decl->name.span,
                             fmt::format("nothing reads history \"{}\"", history.path));
    for (const auto& file : flat.files) {
        const std::set<std::string> used = referenced_names(file->config);
        for (const ParameterDecl& parameter : file->config.parameters)
            if (!used.contains(parameter.name.text))
                problems.warning("config/unused-parameter", parameter.name.span,
                                 fmt::format("nothing refers to \"${}\"", parameter.name.text));
    }
}

} // namespace tuff
