#include "tests/oracle/graph_author.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::oracle {
namespace {

struct NoComplaint {
    static NoComplaint read(std::span<const std::uint32_t>) { return {}; }
    Diagnostics warnings() const { return {}; }
};

class NoTask final : public HostTask {
  public:
    Result<void> run(const HostBuffers&) override { return {}; }
};

Atoms ones(std::uint32_t count) {
    return count >= 64 ? ~Atoms{0} : (Atoms{1} << count) - 1;
}

std::uint64_t texel_bytes(const ImageDesc& desc) {
    std::uint64_t texels = 0;
    for (std::uint32_t mip = 0; mip < desc.mips; ++mip) {
        const Extent e = mip_extent(desc.extent, mip);
        texels += std::uint64_t{e.width} * e.height * e.depth * desc.layers;
    }
    return texels * info(desc.format).texel_bytes * desc.samples;
}

std::shared_ptr<const std::vector<std::byte>> zeros(std::uint64_t size) {
    return std::make_shared<const std::vector<std::byte>>(size);
}

} // namespace

// --- resources -----------------------------------------------------------------------------------

Atoms GraphAuthor::Resource::all() const {
    return ones(image ? image_desc.mips * image_desc.layers : kBufferAtoms);
}

Atoms GraphAuthor::Resource::atoms(const Range& range) const {
    Atoms result = 0;
    if (!image) {
        for (std::uint32_t i = 0; i < kBufferAtoms; ++i) {
            const Range atom = byte_range(i, 1);
            if (atom.offset >= range.offset && atom.offset < range.offset + range.size)
                result |= Atoms{1} << i;
        }
        return result;
    }
    for (std::uint32_t mip = range.mip; mip < range.mip + range.mips; ++mip)
        for (std::uint32_t layer = range.layer; layer < range.layer + range.layers; ++layer)
            result |= Atoms{1} << (mip * image_desc.layers + layer);
    return result;
}

/// Eighths of words; the last has what is left over.
Range GraphAuthor::Resource::byte_range(std::uint32_t first, std::uint32_t count) const {
    const std::uint64_t eighth = buffer_desc.size / kBufferAtoms / 4 * 4;
    const std::uint64_t end =
        first + count == kBufferAtoms ? buffer_desc.size : (first + count) * eighth;
    return {0, 0, 0, 0, first * eighth, end - first * eighth};
}

GraphAuthor::Resource& GraphAuthor::add(bool image, VersionId first, Atoms defined) {
    resources_.push_back({.image = image});
    resources_.back().versions.push_back({.id = first, .defined = defined});
    const ResourceDesc& desc = graph_.peek().resource_of(first);
    if (image)
        resources_.back().image_desc = desc.image();
    else
        resources_.back().buffer_desc = desc.buffer();
    return resources_.back();
}

void GraphAuthor::add_image(const ImageDesc& desc) {
    add(true, graph_.image(fmt::format("i{}", resources_.size()), desc).version, 0);
}
void GraphAuthor::add_buffer(const BufferDesc& desc) {
    add(false, graph_.buffer(fmt::format("b{}", resources_.size()), desc).version, 0);
}

void GraphAuthor::add_history(const ImageDesc& desc, std::uint32_t depth) {
    const ImageHistory h = graph_.history_image(fmt::format("h{}", resources_.size()), desc, depth);
    Resource& current = add(true, h.current.version, 0);
    current.must_write = true;
    current.may_output = false;
    for (const Image previous : h.previous) {
        Resource& age = add(true, previous.version, ~Atoms{0});
        age.writable = age.may_output = false;
    }
}
void GraphAuthor::add_history(const BufferDesc& desc, std::uint32_t depth) {
    const BufferHistory h =
        graph_.history_buffer(fmt::format("h{}", resources_.size()), desc, depth);
    Resource& current = add(false, h.current.version, 0);
    current.must_write = true;
    current.may_output = false;
    for (const Buffer previous : h.previous) {
        Resource& age = add(false, previous.version, ~Atoms{0});
        age.writable = age.may_output = false;
    }
}

void GraphAuthor::add_import(const ImageDesc& desc, const ImportState& state) {
    const Image image = graph_.import_image(fmt::format("m{}", resources_.size()), desc, state);
    const bool defined = state.first.layout != Layout::undefined;
    add(true, image.version, defined ? ~Atoms{0} : 0).may_output = false;
}
void GraphAuthor::add_import(const BufferDesc& desc, const ImportState& state) {
    const Buffer buffer = graph_.import_buffer(fmt::format("m{}", resources_.size()), desc, state);
    add(false, buffer.version, ~Atoms{0}).may_output = false;
}

void GraphAuthor::add_constant(const ImageDesc& desc) {
    const Image image = graph_.constant_image(fmt::format("c{}", resources_.size()), desc,
                                              zeros(texel_bytes(desc)));
    Resource& resource = add(true, image.version, ~Atoms{0});
    resource.writable = resource.may_output = false;
}
void GraphAuthor::add_constant(const BufferDesc& desc) {
    const Buffer buffer =
        graph_.constant_buffer(fmt::format("c{}", resources_.size()), desc, zeros(desc.size));
    Resource& resource = add(false, buffer.version, ~Atoms{0});
    resource.writable = resource.may_output = false;
}

// --- nodes ---------------------------------------------------------------------------------------

std::uint32_t GraphAuthor::add_node(std::optional<CustomNodeBuilder> builder) {
    nodes_.push_back({.builder = builder});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void GraphAuthor::begin_node() {
    current_ = add_node(graph_.custom(fmt::format("n{}", nodes_.size())));
}

/// Goes on with an older node, so that its accesses no longer lie side by side.
void GraphAuthor::resume_node(std::uint32_t back) {
    if (nodes_.empty()) return;
    const std::size_t node = nodes_.size() - 1 - back % nodes_.size();
    if (nodes_[node].builder && !nodes_[node].on_host) current_ = node;
}

void GraphAuthor::keep_node() {
    if (has_node()) nodes_[current_].builder->keep();
}

void GraphAuthor::on_host() {
    if (has_node()) nodes_[current_].on_host = true;
}

void GraphAuthor::prefer(QueueHint queue) {
    if (!nodes_.empty()) nodes_.back().queue = queue;
}

bool GraphAuthor::conflicts_in_node(std::uint32_t node, std::uint32_t resource, Atoms atoms,
                                    bool writes) const {
    return std::ranges::any_of(nodes_[node].uses, [&](const Use& use) {
        return use.resource == resource && (use.atoms & atoms) != 0 && (use.writes || writes);
    });
}

bool GraphAuthor::reaches(std::uint32_t from, std::uint32_t to) const {
    std::vector<bool> seen(nodes_.size(), false);
    std::vector<std::uint32_t> pending{from};
    while (!pending.empty()) {
        const std::uint32_t node = pending.back();
        pending.pop_back();
        for (const std::uint32_t next : nodes_[node].after) {
            if (next == to) return true;
            if (seen[next]) continue;
            seen[next] = true;
            pending.push_back(next);
        }
    }
    return false;
}

/// Orders `node` among others, as if all accesses to a resource were to all of it, unless that
/// makes a cycle.
bool GraphAuthor::orders_well(std::uint32_t node,
                              const std::vector<const Version*>& earlier_writers,
                              const std::vector<const Version*>& earlier_readers,
                              const std::vector<const Version*>& later_writers,
                              const std::vector<const Version*>& later_readers) {
    std::vector<std::vector<std::uint32_t>> old(nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        old[n] = nodes_[n].after;
    const auto link = [&](std::uint32_t from, std::uint32_t to) {
        if (from != to) nodes_[from].after.push_back(to);
    };
    for (const Version* v : earlier_writers)
        for (const std::uint32_t other : v->writers)
            link(other, node);
    for (const Version* v : earlier_readers)
        for (const std::uint32_t other : v->readers)
            link(other, node);
    for (const Version* v : later_writers)
        for (const std::uint32_t other : v->writers)
            link(node, other);
    for (const Version* v : later_readers)
        for (const std::uint32_t other : v->readers)
            link(node, other);
    if (!reaches(node, node)) return true;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        nodes_[n].after = std::move(old[n]);
    return false;
}

void GraphAuthor::read(std::uint32_t resource, std::uint32_t back, const Range& range,
                       Access access, StageMask stages) {
    if (!has_node()) return;
    const auto node = static_cast<std::uint32_t>(current_);
    Resource& r = resources_[resource];
    const std::size_t newest = r.versions.size() - 1;
    const std::size_t index = newest - back % r.versions.size();
    Version& version = r.versions[index];
    const Atoms atoms = r.atoms(range);
    if ((atoms & ~version.defined) != 0 || conflicts_in_node(node, resource, atoms, false)) return;
    std::vector<const Version*> later;
    if (index < newest) later.push_back(&r.versions[index + 1]);
    if (!orders_well(node, {&version}, {}, later, {})) return;
    ImageView image{Image{version.id}};
    image.range = range;
    if (r.image)
        nodes_[node].builder->read(image, access, stages);
    else
        nodes_[node].builder->read(BufferView(Buffer{version.id}, range.offset, range.size), access,
                                   stages);
    nodes_[node].uses.push_back({resource, atoms, false});
    version.readers.push_back(node);
}

void GraphAuthor::write(std::uint32_t resource, const Range& range, Access access,
                        StageMask stages) {
    if (!has_node()) return;
    const auto node = static_cast<std::uint32_t>(current_);
    Resource& r = resources_[resource];
    const Atoms atoms = r.atoms(range);
    if (!r.writable || conflicts_in_node(node, resource, atoms, true)) return;
    // Several may accumulate into the newest version.
    const GraphDesc& desc = graph_.peek();
    const bool joins = access == Access::accumulate && r.versions.size() > 1 &&
                       desc.versions[r.versions.back().id.index].accumulated;
    const Version& base = r.versions[r.versions.size() - (joins ? 2 : 1)];
    const bool needs_contents = tuff::reads(access);
    if (needs_contents && (atoms & ~base.defined) != 0) return;
    std::vector<const Version*> later;
    if (joins) later.push_back(&r.versions.back());
    if (!orders_well(node, {&base}, {&base}, {}, later)) return;
    const VersionId from = base.id;
    VersionId written;
    if (r.image) {
        ImageView view{Image{from}};
        view.range = range;
        written = nodes_[node].builder->write(view, access, stages).version;
    } else {
        written =
            nodes_[node]
                .builder->write(BufferView(Buffer{from}, range.offset, range.size), access, stages)
                .version;
    }
    note_write(node, resource, written, atoms);
}

void GraphAuthor::note_write(std::uint32_t node, std::uint32_t resource, VersionId version,
                             Atoms atoms) {
    Resource& r = resources_[resource];
    if (r.versions.back().id != version)
        r.versions.push_back({.id = version, .defined = r.versions.back().defined});
    r.versions.back().defined |= atoms;
    r.versions.back().writers.push_back(node);
    nodes_[node].uses.push_back({resource, atoms, true});
}

void GraphAuthor::clear(std::uint32_t resource, const Range& range) {
    Resource& r = resources_[resource];
    if (!r.writable || (!r.image && (range.offset % 4 != 0 || range.size % 4 != 0))) return;
    const std::uint32_t node = add_node(std::nullopt);
    const Version& newest = r.versions.back();
    (void)orders_well(node, {&newest}, {&newest}, {}, {}); // a new node cannot close a cycle
    const std::string name = fmt::format("n{}", node);
    VersionId written;
    if (r.image) {
        ImageView view{Image{newest.id}};
        view.range = range;
        written = graph_.clear(view, std::array<float, 4>{}, name).version;
    } else {
        written =
            graph_.fill(BufferView(Buffer{newest.id}, range.offset, range.size), 0, name).version;
    }
    note_write(node, resource, written, r.atoms(range));
}

/// Copies all of one resource into another of the same description.
void GraphAuthor::copy(std::uint32_t source, std::uint32_t destination) {
    Resource& from = resources_[source];
    Resource& to = resources_[destination];
    if (source == destination || !to.writable || from.image != to.image ||
        from.image_desc != to.image_desc || from.buffer_desc != to.buffer_desc ||
        (from.all() & ~from.versions.back().defined) != 0)
        return;
    const std::uint32_t node = add_node(std::nullopt);
    (void)orders_well(node, {&from.versions.back(), &to.versions.back()}, {&to.versions.back()}, {},
                      {});
    const std::string name = fmt::format("n{}", node);
    const VersionId source_id = from.versions.back().id;
    const VersionId destination_id = to.versions.back().id;
    const VersionId written =
        to.image ? graph_.copy(Image{source_id}, Image{destination_id}, name).version
                 : graph_.copy(Buffer{source_id}, Buffer{destination_id}, name).version;
    from.versions.back().readers.push_back(node);
    nodes_[node].uses.push_back({source, from.all(), false});
    note_write(node, destination, written, to.all());
}

// --- loops ---------------------------------------------------------------------------------------

Range GraphAuthor::whole(std::uint32_t resource) const {
    const Resource& r = resources_[resource];
    if (!r.image) return r.byte_range(0, kBufferAtoms);
    return {0, r.image_desc.mips, 0, r.image_desc.layers, 0, 0};
}

std::uint32_t GraphAuthor::add_like(std::uint32_t resource) {
    if (resources_[resource].image)
        add_image(ImageDesc(resources_[resource].image_desc));
    else
        add_buffer(BufferDesc(resources_[resource].buffer_desc));
    return static_cast<std::uint32_t>(resources_.size() - 1);
}

/// One iteration: returns what the next begins with. `spare` is the other of a pair.
std::uint32_t GraphAuthor::iterate(Loop loop, std::uint32_t from, std::uint32_t& spare,
                                   std::uint32_t beside) {
    begin_node();
    if (loop == Loop::in_place) {
        write(from, whole(from), Access::storage_read_write, stage::kCompute);
    } else {
        const bool sampled = resources_[from].image;
        read(from, 0, whole(from), sampled ? Access::sampled : Access::storage_read,
             stage::kCompute);
        const std::uint32_t to = loop == Loop::anew ? add_like(from) : spare;
        write(to, whole(to), Access::storage_write, stage::kCompute);
        spare = from;
        from = to;
    }
    if (beside != from && beside != spare && is_defined(beside))
        read(beside, 0, whole(beside),
             resources_[beside].image ? Access::sampled : Access::storage_read, stage::kCompute);
    return from;
}

void GraphAuthor::repeat(Loop loop, std::uint32_t resource, std::uint32_t beside,
                         std::uint32_t count) {
    const Resource& r = resources_[resource];
    if (r.depth() || r.image_desc.samples > 1 || !is_defined(resource)) return;
    if (loop != Loop::anew && !r.writable) return;
    std::uint32_t spare = loop == Loop::ping_pong ? add_like(resource) : resource;
    (void)graph_.repeat(
        fmt::format("r{}", nodes_.size()), count, resource,
        [&](std::uint32_t from, std::uint32_t) { return iterate(loop, from, spare, beside); });
}

void GraphAuthor::output(std::uint32_t resource, Access access) {
    Resource& r = resources_[resource];
    if (!r.may_output) return;
    r.output = true;
    r.output_access = access;
}

/// Whoever made it first made all of it, so that it is defined whatever is culled of the rest.
bool GraphAuthor::may_be_status(const Resource& r) {
    return !r.image && r.may_output && !r.output && r.versions.size() > 1 &&
           (r.all() & ~r.versions[1].defined) == 0;
}

GraphDesc GraphAuthor::finish() && {
    for (std::uint32_t i = 0; i < resources_.size(); ++i) {
        const Resource& r = resources_[i];
        const Range words = r.image ? Range{0, r.image_desc.mips, 0, r.image_desc.layers, 0, 0}
                                    : r.byte_range(0, kBufferAtoms - 1);
        if (r.must_write && r.versions.size() == 1) clear(i, words);
    }
    // Where nothing is asked for, the newest result is.
    const auto whole = [](const Resource& r) {
        return r.may_output && r.versions.size() > 1 && (r.all() & ~r.versions.back().defined) == 0;
    };
    if (const auto newest = std::ranges::find_if(resources_.rbegin(), resources_.rend(), whole);
        newest != resources_.rend() && std::ranges::none_of(resources_, &Resource::output))
        newest->output = true;
    for (std::uint32_t i = 0; i < resources_.size(); ++i) {
        const Resource& r = resources_[i];
        if (!r.output || r.versions.size() == 1 || (r.all() & ~r.versions.back().defined) != 0)
            continue;
        const VersionId version = r.versions.back().id;
        if (r.image)
            graph_.output(fmt::format("o{}", i), Image{version}, r.output_access);
        else
            graph_.output(fmt::format("o{}", i), Buffer{version}, r.output_access);
    }
    for (std::uint32_t i = 0; i < resources_.size(); i += 3)
        if (const Resource& r = resources_[i]; may_be_status(r))
            graph_.status<NoComplaint>(Buffer{r.versions.back().id});
    GraphDesc desc = std::move(graph_).finish();
    for (std::size_t n = 0; n < nodes_.size(); ++n)
        desc.nodes[n].queue = nodes_[n].queue;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        if (!nodes_[n].on_host) continue;
        desc.nodes[n].payload = static_cast<std::uint32_t>(desc.payloads.size());
        desc.payloads.push_back(HostNode{std::make_shared<NoTask>()});
    }
    return desc;
}

} // namespace tuff::oracle
