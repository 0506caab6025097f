#include "graph/compile/ranges.hpp"

#include <tuff/graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace tuff {
namespace {

/// What nearly all resources begin as: to copy it costs less than to clear memory for a new one.
constinit const ResourceDesc kTransient;

bool is_empty(const ResourceDesc& resource) {
    if (!resource.is_image()) return resource.buffer().size == 0;
    const ImageDesc& image = resource.image();
    const Extent e = image.extent;
    return e.width == 0 || e.height == 0 || e.depth == 0 || image.mips == 0 || image.layers == 0 ||
           image.samples == 0;
}

void make_smallest(ResourceDesc& resource) {
    if (resource.is_image())
        resource.desc =
            ImageDesc{.format = resource.image().format, .shape = resource.image().shape};
    else
        resource.desc = BufferDesc{.size = 4};
}

/// For the next node, and several times as many as there are: to move all these arrays costs more
/// than to add to them. Not of the names: the one that is being added may be a part of them.
void make_room(GraphDesc& graph) {
    const std::size_t nodes = std::max<std::size_t>(64, 4 * graph.nodes.size());
    graph.resources.reserve(nodes);
    graph.versions.reserve(2 * nodes);
    graph.nodes.reserve(nodes);
    graph.accesses.reserve(4 * nodes);
}

/// Tables that passes make for each graph are compared by their bytes; of larger contents, which
/// hosts keep, the pointer tells.
bool same_contents(const ResourceDesc& a, const ResourceDesc& b) {
    constexpr std::size_t kMaxCompared = std::size_t{1} << 20; // bytes
    if (a.contents == b.contents) return true;
    return a.contents && b.contents && a.contents->size() <= kMaxCompared &&
           *a.contents == *b.contents;
}

bool same_resource(const ResourceDesc& a, const ResourceDesc& b) {
    return a.name == b.name && a.lifetime == b.lifetime && a.desc == b.desc &&
           a.history_group == b.history_group && a.history_age == b.history_age &&
           a.history_depth == b.history_depth && a.history_clear == b.history_clear &&
           a.import == b.import && same_contents(a, b);
}

void move_accesses_to_end(GraphDesc& graph, NodeDesc& node) {
    const auto first = graph.accesses.begin() + node.first_access;
    const std::vector<AccessDesc> moved(first, first + node.access_count);
    node.first_access = static_cast<std::uint32_t>(graph.accesses.size());
    graph.accesses.insert(graph.accesses.end(), moved.begin(), moved.end());
}

} // namespace

// --- resources -----------------------------------------------------------------------------------

VersionId Graph::add_resource(std::string_view name, ResourceDesc&& resource) {
    const ResourceId id{static_cast<std::uint32_t>(desc_.resources.size())};
    if (is_empty(resource)) {
        error("graph/zero-size", fmt::format("'{}' has a size of zero", name),
              "every extent, mip, layer, sample and byte count must be at least 1");
        make_smallest(resource); // so that only this mistake is reported
    }
    resource.name = intern(name);
    desc_.resources.push_back(std::move(resource));
    // Constants hold what they hold, whether or not the iteration runs.
    if (!open_iterations_.empty() && desc_.resources.back().lifetime != Lifetime::constant) {
        made_in_.resize(desc_.resources.size(), 0);
        made_in_.back() = open_iterations_.back().number;
    }
    const VersionId version{static_cast<std::uint32_t>(desc_.versions.size())};
    desc_.versions.push_back({.resource = id});
    return version;
}

Image Graph::image(std::string_view name, const ImageDesc& desc) {
    ResourceDesc resource = kTransient;
    resource.desc = desc;
    return {add_resource(name, std::move(resource))};
}

Buffer Graph::buffer(std::string_view name, const BufferDesc& desc) {
    ResourceDesc resource = kTransient;
    resource.desc = desc;
    return {add_resource(name, std::move(resource))};
}

Image Graph::constant_image(std::string_view name, const ImageDesc& desc,
                            std::shared_ptr<const std::vector<std::byte>> texels) {
    const std::uint64_t expected = packed_bytes(desc);
    const std::uint64_t given = texels ? texels->size() : 0;
    if (given != expected)
        error("graph/contents-size",
              fmt::format("constant image '{}' needs {} bytes of texels but was given {}", name,
                          expected, given));
    return {add_resource(
        name, {.lifetime = Lifetime::constant, .desc = desc, .contents = std::move(texels)})};
}

Buffer Graph::constant_buffer(std::string_view name, const BufferDesc& desc,
                              std::shared_ptr<const std::vector<std::byte>> bytes) {
    const std::uint64_t given = bytes ? bytes->size() : 0;
    if (given != desc.size)
        error("graph/contents-size",
              fmt::format("constant buffer '{}' of {} bytes was given {}", name, desc.size, given));
    return {add_resource(
        name, {.lifetime = Lifetime::constant, .desc = desc, .contents = std::move(bytes)})};
}

std::uint32_t Graph::checked_depth(std::string_view name, std::uint32_t depth) {
    if (depth >= 1 && depth <= kMaxHistoryDepth) return depth;
    error("graph/history-depth",
          fmt::format("history '{}' cannot go back {} executions", name, depth),
          fmt::format("1 to {} are possible", kMaxHistoryDepth));
    return 1;
}

ImageHistory Graph::history_image(std::string_view name, const ImageDesc& desc, std::uint32_t depth,
                                  ClearValue clear) {
    const auto group = static_cast<std::uint32_t>(desc_.resources.size());
    depth = checked_depth(name, depth);
    ImageHistory history;
    for (std::uint32_t age = 0; age <= depth; ++age) {
        const Image image{
            add_resource(age == 0 ? std::string(name) : fmt::format("{}@{}", name, age),
                         {.lifetime = Lifetime::history,
                          .desc = desc,
                          .history_group = group,
                          .history_age = age,
                          .history_depth = depth,
                          .history_clear = clear})};
        if (age == 0)
            history.current = image;
        else
            history.previous.push_back(image);
    }
    return history;
}

BufferHistory Graph::history_buffer(std::string_view name, const BufferDesc& desc,
                                    std::uint32_t depth, std::uint32_t clear_word) {
    const auto group = static_cast<std::uint32_t>(desc_.resources.size());
    depth = checked_depth(name, depth);
    BufferHistory history;
    for (std::uint32_t age = 0; age <= depth; ++age) {
        const Buffer buffer{
            add_resource(age == 0 ? std::string(name) : fmt::format("{}@{}", name, age),
                         {.lifetime = Lifetime::history,
                          .desc = desc,
                          .history_group = group,
                          .history_age = age,
                          .history_depth = depth,
                          .history_clear = std::array<std::uint32_t, 4>{clear_word}})};
        if (age == 0)
            history.current = buffer;
        else
            history.previous.push_back(buffer);
    }
    return history;
}

Image Graph::import_image(std::string_view name, const ImageDesc& desc, const ImportState& state) {
    return {add_resource(name, {.lifetime = Lifetime::imported, .desc = desc, .import = state})};
}

Buffer Graph::import_buffer(std::string_view name, const BufferDesc& desc,
                            const ImportState& state) {
    return {add_resource(name, {.lifetime = Lifetime::imported, .desc = desc, .import = state})};
}

ImageDesc Graph::desc(Image image) const {
    constexpr ImageDesc kNothing{.format = Format::undefined};
    if (image.version == kInvalidVersion) return {};
    if (image.version.index >= desc_.versions.size()) return kNothing;
    const ResourceDesc& resource = desc_.resource_of(image.version);
    return resource.is_image() ? resource.image() : kNothing;
}

BufferDesc Graph::desc(Buffer buffer) const {
    if (buffer.version == kInvalidVersion) return {.size = 4};
    if (buffer.version.index >= desc_.versions.size()) return {};
    const ResourceDesc& resource = desc_.resource_of(buffer.version);
    return resource.is_image() ? BufferDesc{} : resource.buffer();
}

BufferView Graph::narrowed(BufferView view, std::uint64_t offset, std::uint64_t size) const {
    const std::uint64_t whole = desc(view.buffer).size;
    const std::uint64_t first = std::min(view.range.offset, whole);
    const std::uint64_t room = std::min(view.range.size, whole - first);
    if (offset > room || size > room - offset) return view;
    return BufferView(view.buffer, first + offset, size);
}

// --- nodes and accesses --------------------------------------------------------------------------

NodeId Graph::add_node(std::string_view name) {
    if (desc_.nodes.size() == desc_.nodes.capacity()) make_room(desc_);
    const NodeId node{static_cast<std::uint32_t>(desc_.nodes.size())};
    desc_.nodes.push_back({.name = intern(name),
                           .first_access = static_cast<std::uint32_t>(desc_.accesses.size()),
                           .changing = changing_ != 0,
                           .queue = queues_.empty() ? QueueHint::automatic : queues_.back()});
    return node;
}

void Graph::report_no_room(const NodeDesc& node, bool moves) {
    if (std::exchange(too_large_, true)) return; // once is enough
    if (moves)
        error("graph/too-many-accesses",
              fmt::format("node '{}' adds accesses after later nodes began, once too often",
                          desc_.name(node.name)),
              "make all accesses of a node before the next node");
    else
        error("graph/too-many-accesses",
              fmt::format("the nodes have more than {} accesses", kMaxAccesses),
              "bind less, or larger parts");
}

// Inline, so that what describes the access need not go through memory on its way.
inline std::uint32_t Graph::add_access(NodeId node, const AccessDesc& access) {
    NodeDesc& desc = desc_.nodes[node.index];
    // A node's accesses are contiguous. One that grows after a later node was begun moves to the
    // end; payloads count from the node's first access, so they need no change. Nodes that grow in
    // turn leave holes, which would fill memory.
    const bool moves = desc.first_access + desc.access_count != desc_.accesses.size();
    // Once there is no room nobody grows on: one mistake is not reported again by what follows.
    if (too_large_ || desc_.accesses.size() + (moves ? desc.access_count : 0) >= kMaxAccesses) {
        report_no_room(desc, moves);
        return ~0u;
    }
    if (moves) move_accesses_to_end(desc_, desc);
    desc_.accesses.push_back(access);
    return desc.access_count++;
}

std::uint32_t Graph::add_read(NodeId node, VersionId version, const Range& range, Access access,
                              StageMask shader_stages) {
    if (version.index >= desc_.versions.size()) {
        report_unconnected(version, fmt::format("node '{}' reads a resource that is not connected",
                                                desc_.name_of(node)));
        return ~0u;
    }
    if (has_ended(version)) {
        report_ended(fmt::format("node '{}'", desc_.name_of(node)), version);
        return ~0u;
    }
    const ResourceDesc& resource = desc_.resource_of(version);
    const auto whole = concrete_range(resource, range);
    if (!whole) {
        error("graph/view-out-of-range",
              fmt::format("node '{}' reads a part of '{}' that does not exist", desc_.name_of(node),
                          desc_.name(resource.name)));
        return ~0u;
    }
    return add_access(
        node, {.read = version, .range = *whole, .shader_stages = shader_stages, .access = access});
}

Graph::Written Graph::add_write(NodeId node, VersionId version, const Range& range, Access access,
                                StageMask shader_stages) {
    if (version.index >= desc_.versions.size()) {
        report_unconnected(version, fmt::format("node '{}' writes a resource that is not connected",
                                                desc_.name_of(node)));
        return {version, ~0u};
    }
    if (has_ended(version)) {
        report_ended(fmt::format("node '{}'", desc_.name_of(node)), version);
        return {version, ~0u};
    }
    const ResourceDesc& resource = desc_.resource_of(version);
    const auto whole = concrete_range(resource, range);
    if (!whole) {
        error("graph/view-out-of-range",
              fmt::format("node '{}' writes a part of '{}' that does not exist",
                          desc_.name_of(node), desc_.name(resource.name)));
        return {version, ~0u};
    }
    if (resource.lifetime == Lifetime::constant) {
        error("graph/write-constant",
              fmt::format("node '{}' writes '{}', whose contents are constant", desc_.name_of(node),
                          desc_.name(resource.name)),
              "copy it into a transient resource first");
        return {version, ~0u};
    }
    if (resource.lifetime == Lifetime::history && resource.history_age > 0) {
        error("graph/write-history",
              fmt::format("node '{}' writes '{}', which belongs to an earlier execution",
                          desc_.name_of(node), desc_.name(resource.name)),
              "write the history's `current` resource");
        return {version, ~0u};
    }

    const VersionId next = desc_.versions[version.index].next;
    const bool joins =
        next && access == Access::accumulate && desc_.versions[next.index].accumulated;
    VersionId written = next;
    if (!joins) {
        written = {static_cast<std::uint32_t>(desc_.versions.size())};
        desc_.versions.push_back({.resource = desc_.versions[version.index].resource,
                                  .previous = version,
                                  .writer = node,
                                  .accumulated = access == Access::accumulate});
        if (next) {
            const NodeId other = desc_.versions[next.index].writer;
            error("graph/two-writers",
                  fmt::format("nodes '{}' and '{}' both write the same version of '{}'",
                              desc_.name_of(other), desc_.name_of(node), desc_.name(resource.name)),
                  "write the version that the first of them returns, or give one of them a copy");
        } else {
            desc_.versions[version.index].next = written;
        }
    }
    return {written, add_access(node, {.read = version,
                                       .written = written,
                                       .range = *whole,
                                       .shader_stages = shader_stages,
                                       .access = access})};
}

// --- results, scopes, errors ---------------------------------------------------------------------

void Graph::add_output(std::string_view name, VersionId version, Access access,
                       const BufferElements& elements) {
    if (version.index >= desc_.versions.size()) {
        report_unconnected(version, fmt::format("output '{}' is not connected", name));
        return;
    }
    // Outputs are read when everything has ended.
    const std::uint32_t resource = desc_.versions[version.index].resource.index;
    if (resource < made_in_.size() && made_in_[resource] != 0) {
        report_ended(fmt::format("output '{}'", name), version);
        return;
    }
    if (writes(access) || !suits(version, access)) {
        error(
            "graph/output-access",
            fmt::format("output '{}' cannot be left for an access that {}", name, name_of(access)),
            "ask for one that reads and that such a resource has");
        return;
    }
    const NameRef ref{static_cast<std::uint32_t>(desc_.names.size()),
                      static_cast<std::uint32_t>(name.size())};
    desc_.names += name;
    desc_.outputs.push_back({ref, version, access, nullptr, nullptr, elements});
}

void Graph::add_status(VersionId version, StatusReader reader, PoolReader pools) {
    if (version.index >= desc_.versions.size() || has_ended(version)) return;
    if (!suits(version, Access::copy_read)) return;
    const NameRef name{static_cast<std::uint32_t>(desc_.names.size()),
                       static_cast<std::uint32_t>(scope().size())};
    desc_.names += scope();
    std::erase_if(desc_.statuses, [&](const OutputDesc& s) { return s.version == version; });
    desc_.statuses.push_back({name, version, Access::copy_read, reader, pools});
}

std::uint64_t Graph::pool(std::string_view name, std::uint64_t wanted,
                          std::uint64_t element_bytes) const {
    const auto found = pools_.find(fmt::format("{}/{}", scope(), name));
    if (found == pools_.end()) return wanted;
    const std::uint64_t most =
        std::min(target_.max_storage_buffer_bytes, target_.device_memory_bytes / 4) / element_bytes;
    return std::max(wanted, std::min(found->second, most));
}

void Graph::output(std::string_view name, Image image, Access access) {
    add_output(name, image.version, access);
}

void Graph::output(std::string_view name, Buffer buffer, Access access,
                   const BufferElements& elements) {
    add_output(name, buffer.version, access, elements);
}

void Graph::push_scope(std::string_view scope) {
    scope_lengths_.push_back(scope_.size());
    scope_ += scope;
    scope_ += '/';
}

void Graph::pop_scope() {
    scope_.resize(scope_lengths_.back());
    scope_lengths_.pop_back();
}

void Graph::report_unconnected(VersionId version, std::string message, std::string hint) {
    // An invalid version may come from another graph.
    if (version == kInvalidVersion && has_errors(desc_.diagnostics)) return;
    error("graph/unconnected", std::move(message), std::move(hint));
}

void Graph::report(Diagnostic diagnostic) {
    if (inner_failed_ && diagnostic.severity == Severity::error) return;
    if (!scope_.empty())
        diagnostic.message = fmt::format("in '{}': {}", scope(), diagnostic.message);
    desc_.diagnostics.push_back(std::move(diagnostic));
}

void Graph::error(std::string code, std::string message, std::string hint) {
    report({.code = std::move(code), .message = std::move(message), .hint = std::move(hint)});
}

NameRef Graph::intern(std::string_view name) {
    constexpr std::size_t kUsual = 1024; // bytes
    if (desc_.names.empty()) desc_.names.reserve(kUsual);
    const NameRef ref{static_cast<std::uint32_t>(desc_.names.size()),
                      static_cast<std::uint32_t>(scope_.size() + name.size())};
    if (!scope_.empty()) desc_.names += scope_;
    desc_.names += name;
    return ref;
}

bool same_structure(const GraphDesc& a, const GraphDesc& b) {
    // A mistake must reach compile, which reports it.
    if (has_errors(a.diagnostics) || has_errors(b.diagnostics)) return false;
    // Compiling has made outputs of some statuses.
    const auto asked_for = [](const OutputDesc& output) { return !output.reader; };
    const auto outputs = [&](const GraphDesc& graph) {
        return std::views::filter(graph.outputs, asked_for);
    };
    // The bytes of uploads may differ, as parameters may; not their number.
    const auto bytes_of = [](const UploadNode& upload) {
        return upload.bytes ? upload.bytes->size() : 0;
    };
    const auto same_payload = [&](const auto& one, const auto& other) {
        const auto* upload = std::get_if<UploadNode>(&one);
        const auto* other_upload = std::get_if<UploadNode>(&other);
        if (!upload || !other_upload) return one == other;
        return upload->destination == other_upload->destination &&
               bytes_of(*upload) == bytes_of(*other_upload);
    };
    return std::ranges::equal(a.resources, b.resources, same_resource) &&
           a.versions == b.versions && a.nodes == b.nodes && a.accesses == b.accesses &&
           std::ranges::equal(a.payloads, b.payloads, same_payload) &&
           std::ranges::equal(outputs(a), outputs(b)) && a.statuses == b.statuses &&
           a.names == b.names && a.parameters.size() == b.parameters.size();
}

} // namespace tuff
