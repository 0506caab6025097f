#include "graph/build/iterations.hpp"
#include "graph/compile/ranges.hpp"

#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

/// Loops whose end the device decides.
///
/// All `max` iterations are in the graph. In front of each runs its gate, one invocation: it looks
/// at the flag of the iteration before, and writes the group counts of this iteration's kernels, or
/// zeroes once some flag was set. So the kernels of later iterations do nothing, and whatever they
/// would have updated in place keeps its contents. That is what makes the state right:
///  - what the body updates in place is already where the next iteration looks for it;
///  - what it returns in another resource goes to one resource of the loop, by a gated kernel.
/// Nothing else that an iteration makes can be seen from outside it: Graph::has_ended.
///
/// A loop in a body starts with the `stopped` word of the iteration around it, so that its own
/// gates are closed where that iteration does not run.
namespace tuff::detail {
namespace {

constexpr std::uint32_t kMaxCounts = 64; ///< as in shaders/graph/gate.comp
constexpr std::uint32_t kCountBytes = 12;
constexpr std::uint64_t kFewBytes = 1024; ///< a copy of which nobody notices

bool is_storable(const ImageDesc& image) {
    const FormatInfo& format = info(image.format);
    const bool whole_numbers = format.kind == NumericKind::uint || format.kind == NumericKind::sint;
    return !format.depth && !format.stencil && format.kind != NumericKind::srgb &&
           format.kind != NumericKind::none && image.samples == 1 &&
           !(whole_numbers && image.shape == ImageShape::d3);
}

std::string_view carry_kernel(const ImageDesc& image) {
    if (image.shape == ImageShape::d3) return "graph/carry_volume";
    switch (info(image.format).kind) {
    case NumericKind::uint: return "graph/carry_image_uint";
    case NumericKind::sint: return "graph/carry_image_sint";
    default: return "graph/carry_image";
    }
}

bool writes(const GraphDesc& graph, NodeId node, Buffer buffer) {
    const NodeDesc& desc = graph.nodes[node.index];
    for (std::uint32_t a = 0; a < desc.access_count; ++a) {
        const VersionId written = graph.accesses[desc.first_access + a].written;
        if (written &&
            graph.versions[written.index].resource == graph.versions[buffer.version.index].resource)
            return true;
    }
    return false;
}

bool copies_much(const GraphDesc& graph, const NodeDesc& node) {
    const auto* copy = std::get_if<CopyNode>(&graph.payloads[node.payload]);
    if (!copy) return false;
    const AccessDesc& source = graph.accesses[node.first_access + copy->source];
    const ResourceDesc& from = graph.resource_of(source.read);
    return (from.is_image() ? packed_bytes(from.image())
                            : std::min(source.range.size, from.buffer().size)) > kFewBytes;
}

} // namespace

GatedLoop::GatedLoop(Graph& graph, std::string_view name, std::vector<VersionId> state,
                     std::optional<BufferView> done)
    : graph_(graph), name_(name), state_(std::move(state)), held_(state_.size(), false) {
    graph_.push_scope(name);
    const BufferDesc word{.size = 4, .stride = 4};
    const Buffer stopped = graph_.buffer("stopped", word);
    stopped_ = graph_.open_iterations_.empty()
                   ? graph_.fill(stopped, 0, "start")
                   : graph_.copy(graph_.open_iterations_.back().stopped, stopped, "start");
    iterations_ = graph_.fill(graph_.buffer("iterations", word), 0, "count");
    done_ = done ? *done : BufferView(graph_.fill(graph_.buffer("done", word), 0, "not_done"));
    for (const VersionId version : state_)
        if (version.index >= graph_.desc_.versions.size()) {
            graph_.report_unconnected(
                version,
                fmt::format("loop '{}' begins with a resource that is not connected", name_));
            sound_ = false;
        }
    graph_.pop_scope();
}

bool GatedLoop::begin(std::uint32_t i) {
    if (!sound_ || !graph_.begin_iteration(name_, i)) return false;
    // The group counts do not belong to the former iteration; what that one made is readable until
    // this one's gate has looked at its flag.
    std::optional<Graph::OpenIteration> former;
    if (open_) {
        former = graph_.open_iterations_.back();
        graph_.open_iterations_.pop_back();
    }
    counts_ = graph_.buffer("counts", {.size = kMaxCounts * kCountBytes, .stride = 4});
    if (former) graph_.open_iterations_.push_back(*former);
    sound_ = add_gate();
    if (former) graph_.open_iterations_.pop_back();
    open_ = sound_;
    if (!sound_) {
        graph_.pop_scope();
        return false;
    }
    graph_.open_iterations_.push_back({++graph_.gated_iterations_, stopped_});
    groups_.clear();
    first_node_ = static_cast<std::uint32_t>(graph_.desc_.nodes.size());
    first_made_ = static_cast<std::uint32_t>(graph_.desc_.resources.size());
    return true;
}

bool GatedLoop::add_gate() {
    ComputeNodeBuilder gate = graph_.compute("graph/gate");
    if (!graph_.kernel_of(gate.id())->shader) return false; // reported
    gate.read("flag", done_);
    stopped_ = gate.write("stopped", stopped_);
    iterations_ = gate.write("iterations", iterations_);
    counts_ = gate.write("counts", counts_);
    gate.dispatch(1);
    graph_.gated_.resize(graph_.desc_.nodes.size(), false);
    graph_.gated_[gate.id().index] = true;
    gate_ = gate;
    return true;
}

void GatedLoop::end(std::vector<VersionId> returned, BufferView done) {
    const auto mistakes_so_far = [&] {
        return std::ranges::count(graph_.desc_.diagnostics, Severity::error, &Diagnostic::severity);
    };
    const auto mistakes = mistakes_so_far();
    carry(std::move(returned));
    if (done.buffer.version.index < graph_.desc_.versions.size()) {
        done_ = done;
    } else {
        graph_.report_unconnected(
            done.buffer.version, fmt::format("loop '{}' is not given the flag that ends it", name_),
            "return Step{state, done} from its body");
        sound_ = false;
    }
    // The nodes that gate indirect dispatches are added on the way, and run always.
    const auto end = static_cast<std::uint32_t>(graph_.desc_.nodes.size());
    graph_.gated_.resize(end, false);
    for (std::uint32_t n = first_node_; n < end; ++n)
        if (!graph_.gated_[n]) gate_node({n});
    graph_.gated_.resize(first_node_);
    graph_.gated_.resize(graph_.desc_.nodes.size(), true);
    // The other iterations would repeat them.
    if (mistakes_so_far() != mistakes) sound_ = false;
    if (!groups_.empty()) gate_->set("groups", std::span<const glm::uvec4>(groups_));
    graph_.pop_scope();
}

Buffer GatedLoop::finish() {
    if (open_) graph_.open_iterations_.pop_back();
    open_ = false;
    return iterations_;
}

// --- the state -----------------------------------------------------------------------------------

void GatedLoop::carry(std::vector<VersionId> returned) {
    const auto resource = [&](VersionId version) {
        return graph_.desc_.versions[version.index].resource;
    };
    if (returned.size() != state_.size()) {
        graph_.error("graph/loop-state",
                     fmt::format("loop '{}' carries {} resources, but its body returns {}", name_,
                                 state_.size(), returned.size()));
        sound_ = false;
        return;
    }
    for (std::size_t part = 0; part < state_.size(); ++part)
        sound_ = check_carried(part, returned[part]) && sound_;
    if (!sound_) return;
    // Where parts change places, each is taken out of the other's resource before that is written.
    for (std::size_t part = 0; part < state_.size(); ++part)
        for (std::size_t other = 0; other < state_.size(); ++other)
            if (resource(returned[part]) == resource(state_[other]) &&
                resource(returned[part]) != resource(state_[part])) {
                returned[part] = duplicate(returned[part], "taken_out");
                break;
            }
    for (std::size_t part = 0; part < state_.size(); ++part)
        if (resource(returned[part]) == resource(state_[part]))
            state_[part] = returned[part]; // in place
        else
            carry_part(part, returned[part]);
}

bool GatedLoop::check_carried(std::size_t part, VersionId returned) {
    const auto wrong = [&](std::string_view why, std::string_view hint) {
        graph_.error("graph/loop-state",
                     fmt::format("part {} of the state of loop '{}' {}", part, name_, why),
                     std::string(hint));
        return false;
    };
    if (returned == kInvalidVersion) return false; // reported
    if (returned.index >= graph_.desc_.versions.size())
        return wrong("is not connected in what the body returns", "return every part");
    const VersionId given = state_[part];
    if (graph_.desc_.versions[returned.index].resource ==
        graph_.desc_.versions[given.index].resource)
        return true;
    const ResourceDesc& before = graph_.desc_.resource_of(given);
    const ResourceDesc& after = graph_.desc_.resource_of(returned);
    if (before.is_image() != after.is_image())
        return wrong("is an image before the body or after it, and a buffer on the other side",
                     "return what the body was given");
    if (before.is_image() ? before.image() != after.image()
                          : before.buffer().size != after.buffer().size)
        return wrong("has another size or format after the body than before it",
                     "make the result like the state that the body was given");
    if (before.is_image() ? !is_storable(before.image()) : before.buffer().size % 4 != 0)
        return wrong("cannot be carried over by a kernel: its format cannot be stored to, or it "
                     "does not consist of whole words",
                     "update it in place");
    return true;
}

VersionId GatedLoop::duplicate(VersionId version, std::string_view name) {
    own_copies_.push_back({static_cast<std::uint32_t>(graph_.desc_.nodes.size())});
    const ResourceDesc& like = graph_.desc_.resource_of(version);
    if (like.is_image()) {
        const ImageDesc desc = like.image();
        return graph_.copy(Image{version}, graph_.image(name, desc), name).version;
    }
    const BufferDesc desc = like.buffer();
    return graph_.copy(Buffer{version}, graph_.buffer(name, desc), name).version;
}

/// Moves a part to a resource of the loop, which outlives the iteration and which nobody else
/// writes.
void GatedLoop::hold(std::size_t part) {
    const Graph::OpenIteration open = graph_.open_iterations_.back();
    graph_.open_iterations_.pop_back();
    state_[part] = duplicate(state_[part], "state");
    graph_.open_iterations_.push_back(open);
    held_[part] = true;
}

void GatedLoop::carry_part(std::size_t part, VersionId from) {
    if (!held_[part]) hold(part);
    VersionId& to = state_[part];
    if (!graph_.desc_.resource_of(to).is_image()) {
        constexpr std::uint64_t kGroupSize = 256;
        constexpr std::uint64_t kMaxGroups = 65535; // the least that devices take
        const std::uint64_t words = graph_.desc_.resource_of(to).buffer().size / 4;
        ComputeNodeBuilder node = graph_.compute("graph/carry_buffer", "carry");
        node.read("source", Buffer{from});
        to = node.write("target", Buffer{to}).version;
        node.dispatch(static_cast<std::uint32_t>(
            std::min((words + kGroupSize - 1) / kGroupSize, kMaxGroups)));
        return;
    }
    const ImageDesc image = graph_.desc_.resource_of(to).image();
    for (std::uint32_t mip = 0; mip < image.mips; ++mip)
        for (std::uint32_t layer = 0; layer < image.layers; ++layer) {
            ComputeNodeBuilder node = graph_.compute(carry_kernel(image), "carry");
            node.read("source", ImageView(Image{from}).mip(mip).layer(layer), Sampler::nearest());
            to = node.write("target", ImageView(Image{to}).mip(mip).layer(layer)).version;
            node.dispatch_over(mip_extent(image.extent, mip));
        }
}

// --- the gate ------------------------------------------------------------------------------------

void GatedLoop::gate_node(NodeId node) {
    const std::uint32_t payload = graph_.desc_.nodes[node.index].payload;
    if (payload == ~0u) return; // no work
    const NodePayload& work = graph_.desc_.payloads[payload];
    if (const auto* compute = std::get_if<ComputeNode>(&work)) {
        check_written(node);
        if (compute->indirect_access == ~0u)
            gate_dispatch(node);
        else
            gate_indirect(node);
        return;
    }
    // Messages travel in skipped iterations as well, so that all ranks send and receive the same.
    const bool is_message = std::holds_alternative<HostNode>(work) && graph_.last_exchange_ &&
                            writes(graph_.desc_, node, graph_.last_exchange_);
    if (is_message ||
        !(std::holds_alternative<RasterNode>(work) ||
          std::holds_alternative<BuildAccelerationNode>(work) ||
          std::holds_alternative<RayNode>(work) || std::holds_alternative<CustomNode>(work) ||
          std::holds_alternative<HostNode>(work))) {
        check_transfer(node);
        return;
    }
    graph_.error("graph/ungated-node",
                 fmt::format("node '{}' cannot be skipped, so it cannot be in the body of a "
                             "repeat_until",
                             graph_.desc_.name_of(node)),
                 "use compute nodes, or repeat a fixed number of times");
}

void GatedLoop::gate_dispatch(NodeId node) {
    const std::uint32_t slot = slot_of(graph_.payload_of<ComputeNode>(node).groups);
    // The words that are read and no others: a wait for this reader says nothing of the rest.
    const Range words{.offset = std::uint64_t{slot} * kCountBytes, .size = kCountBytes};
    const std::uint32_t access =
        graph_.add_read(node, counts_.version, words, Access::indirect_read, stage::kDrawIndirect);
    ComputeNode& compute = graph_.payload_of<ComputeNode>(node);
    compute.indirect_access = access;
    compute.indirect_offset = 0;
}

void GatedLoop::gate_indirect(NodeId node) {
    const ComputeNode compute = graph_.payload_of<ComputeNode>(node);
    const auto access_of = [&]() -> AccessDesc& {
        return graph_.desc_
            .accesses[graph_.desc_.nodes[node.index].first_access + compute.indirect_access];
    };
    const AccessDesc asked = access_of();
    graph_.push_scope(std::string(graph_.desc_.name_of(node).substr(graph_.scope_.size())));
    const BufferDesc three_words{.size = kCountBytes, .stride = 4};
    Buffer counts = graph_.copy(
        BufferView(Buffer{asked.read}, asked.range.offset + compute.indirect_offset, kCountBytes),
        graph_.buffer("counts", three_words), "copy_counts");
    ComputeNodeBuilder gate = graph_.compute("graph/gate_counts");
    gate.read("stopped", stopped_);
    counts = gate.write("counts", counts);
    gate.dispatch(1);
    graph_.pop_scope();
    access_of().read = counts.version;
    access_of().range.offset = 0;
    access_of().range.size = kCountBytes;
    graph_.payload_of<ComputeNode>(node).indirect_offset = 0;
}

std::uint32_t GatedLoop::slot_of(const std::array<std::uint32_t, 3>& groups) {
    const glm::uvec4 wanted(groups[0], groups[1], groups[2], 0);
    const auto found = std::ranges::find(groups_, wanted);
    const auto slot = static_cast<std::uint32_t>(found - groups_.begin());
    if (found != groups_.end()) return slot;
    if (slot == kMaxCounts) {
        if (sound_)
            graph_.error("graph/loop-counts",
                         fmt::format("an iteration of loop '{}' dispatches with more than {} "
                                     "different group counts",
                                     name_, kMaxCounts),
                         "split the loop's body, or let dispatches share their counts");
        sound_ = false;
        return 0;
    }
    groups_.push_back(wanted);
    return slot;
}

/// Transfers run also where the iteration does not. That is harmless as long as what they write
/// ends with the iteration.
void GatedLoop::check_transfer(NodeId node) {
    const NodeDesc& desc = graph_.desc_.nodes[node.index];
    ResourceId exchanges; // what gives messages their order has no contents
    if (graph_.last_exchange_)
        exchanges = graph_.desc_.versions[graph_.last_exchange_.version.index].resource;
    for (std::uint32_t a = 0; a < desc.access_count; ++a) {
        const AccessDesc& access = graph_.desc_.accesses[desc.first_access + a];
        if (!access.written) continue;
        const ResourceId resource = graph_.desc_.versions[access.written.index].resource;
        if (resource.index >= first_made_ || resource == exchanges) continue;
        graph_.error("graph/ungated-node",
                     fmt::format("'{}' cannot be skipped, so in the body of a repeat_until "
                                 "it cannot write '{}', which is made outside",
                                 graph_.desc_.name_of(node), graph_.desc_.name_of(resource)),
                     "write it by a compute node, or transfer into a resource that the body makes");
        return;
    }
    // Of the loop's own copies nobody can do without; the other iterations would repeat the
    // warning.
    if (std::ranges::find(own_copies_, node) != own_copies_.end()) return;
    if (is_first_iteration(graph_.scope()) && copies_much(graph_.desc_, desc))
        graph_.report(
            {.code = "graph/copy-in-loop",
             .severity = Severity::warning,
             .message = fmt::format("copy '{}' is in the body of a repeat_until: it runs in every "
                                    "iteration, and in those that are skipped as well",
                                    graph_.desc_.name_of(node)),
             .where = {},
             .hint = "let a kernel read or write the original, or copy outside the loop"});
}

/// A skipped node must leave something defined behind.
void GatedLoop::check_written(NodeId node) {
    const NodeDesc& desc = graph_.desc_.nodes[node.index];
    for (std::uint32_t a = 0; a < desc.access_count; ++a) {
        const AccessDesc& access = graph_.desc_.accesses[desc.first_access + a];
        if (!access.written || graph_.desc_.versions[access.read.index].previous) continue;
        const ResourceId resource = graph_.desc_.versions[access.read.index].resource;
        const Lifetime lifetime = graph_.desc_.resources[resource.index].lifetime;
        const bool ends_here = lifetime == Lifetime::transient && resource.index >= first_made_;
        if (ends_here || lifetime == Lifetime::imported) continue;
        graph_.error("graph/gated-undefined",
                     fmt::format("node '{}' is the first to write '{}', but may be skipped",
                                 graph_.desc_.name_of(node), graph_.desc_.name_of(resource)),
                     "make it in the body, or write it once before the loop");
    }
}

} // namespace tuff::detail
