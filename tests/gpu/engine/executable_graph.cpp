#include "executable_graph.hpp"

#include "executable_parts.hpp"
#include "tests/oracle/random_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tuff::testing_gpu {
namespace {

using oracle::kStepBytes;
using Step = std::span<const std::uint8_t, kStepBytes>;

std::shared_ptr<const std::vector<std::byte>> noise(std::uint64_t bytes, std::uint32_t seed) {
    std::vector<std::byte> result(bytes);
    for (std::byte& byte : result) {
        seed = seed * 1664525u + 1013904223u;
        byte = static_cast<std::byte>(seed >> 24);
    }
    return std::make_shared<const std::vector<std::byte>>(std::move(result));
}

class Interpreter {
  public:
    Interpreter(const ShaderInterfaces& shaders, std::uint32_t frame)
        : g_(shaders), frame_(frame) {}

    GraphDesc run(std::span<const std::uint8_t> program) {
        for (; program.size() >= kStepBytes; program = program.subspan(kStepBytes))
            step(program.first<kStepBytes>());
        return finish();
    }

  private:
    void step(Step s);
    void add_resource(Step s);
    GraphDesc finish();

    // Each does nothing where there is no fit place to read or write.
    void mix_images(Step s);
    void mix_buffers(Step s);
    void to_buffer(Step s);
    void to_image(Step s);
    void change(Step s);
    void gather(Step s);
    void paint(Step s);
    void copy(Step s);
    void copy_between_kinds(Step s);
    void blit(Step s);
    void fill(Step s);
    void upload(Step s);
    void copy_what_was(Step s);
    void mix_on_host(Step s);

    std::optional<Part> find(std::uint8_t back, std::uint8_t choice, bool image, bool to_write,
                             bool filled) const;
    std::optional<Part> source(std::uint8_t back, std::uint8_t choice, bool image) {
        const auto found = find(back, choice, image, false, true);
        if (found) resources_[found->resource].gathering = false;
        return found;
    }
    std::optional<Part> target(std::uint8_t back, std::uint8_t choice, bool image) {
        return find(back, choice, image, true, false);
    }
    static bool overlap(const Part& a, const Part& b) {
        return a.resource == b.resource && (a.parts & b.parts) != 0;
    }

    Extent extent(const Part& p) const {
        return mip_extent(resources_[p.resource].image_desc.extent, p.mip);
    }
    ImageView image(const Part& p) const {
        return ImageView(Image{resources_[p.resource].version}).mip(p.mip).layer(p.layer);
    }
    std::uint64_t eighth(const Part& p) const {
        return resources_[p.resource].buffer_desc.size / kEighths;
    }
    BufferView buffer(const Part& p) const {
        return {Buffer{resources_[p.resource].version}, p.first * eighth(p), p.count * eighth(p)};
    }
    Extent words(const Part& p) const {
        return {static_cast<std::uint32_t>(p.count * eighth(p) / 4), 1, 1};
    }
    void wrote(const Part& p, VersionId version);
    Resource& add(bool image, VersionId version, Parts defined);
    Part whole_of_new(const ImageDesc& desc);
    Part whole_of_new(const BufferDesc& desc);
    std::string name(std::string_view prefix) { return fmt::format("{}{}", prefix, count_++); }

    static constexpr std::size_t kMaxResources = 40;

    Graph g_;
    std::uint32_t frame_;
    std::uint32_t count_ = 0;
    std::vector<Resource> resources_;
};

Resource& Interpreter::add(bool image, VersionId version, Parts defined) {
    Resource& r = resources_.emplace_back();
    r.image = image;
    r.version = version;
    const ResourceDesc& desc = g_.peek().resource_of(version);
    if (image)
        r.image_desc = desc.image();
    else
        r.buffer_desc = desc.buffer();
    r.defined = defined & r.all();
    return r;
}

void Interpreter::wrote(const Part& p, VersionId version) {
    Resource& r = resources_[p.resource];
    r.before = r.version;
    r.defined_before = r.defined;
    r.version = version;
    r.defined |= p.parts;
    r.gathering = false;
}

Part Interpreter::whole_of_new(const ImageDesc& desc) {
    add(true, g_.image(name("i"), desc).version, 0);
    return {.resource = static_cast<std::uint32_t>(resources_.size() - 1), .parts = 1};
}

Part Interpreter::whole_of_new(const BufferDesc& desc) {
    add(false, g_.buffer(name("b"), desc).version, 0);
    return {.resource = static_cast<std::uint32_t>(resources_.size() - 1), .parts = 0xff};
}

void Interpreter::add_resource(Step s) {
    if (resources_.size() >= kMaxResources) return;
    ImageDesc desc{.format = Format::r32_uint, .extent = {4u << (s[2] % 3), 4u << (s[3] % 3), 1}};
    desc.mips = 1 + s[4] % 3;
    if (s[5] % 3 == 0) {
        desc.shape = ImageShape::d2_array;
        desc.layers = 1 + s[5] / 3 % 3;
    }
    // Eighths that any device takes as the offset of a binding.
    const BufferDesc bytes{.size = 2048u * (1 + s[2] % 3), .stride = 4};
    const std::uint32_t depth = 1 + s[6] % 2;
    switch (s[1] % 10) {
    case 0: {
        const std::uint64_t size = std::uint64_t{desc.extent.width} * desc.extent.height * 4;
        desc.mips = 1;
        desc.layers = 1;
        desc.shape = ImageShape::d2;
        add(true, g_.constant_image(name("c"), desc, noise(size, s[6])).version, ~0u).writable =
            false;
        return;
    }
    case 1:
        add(false, g_.constant_buffer(name("c"), bytes, noise(bytes.size, s[6])).version, ~0u)
            .writable = false;
        return;
    case 2: {
        const ImageHistory h =
            g_.history_image(name("h"), desc, depth, std::array<std::uint32_t, 4>{s[7], 0, 0, 0});
        add(true, h.current.version, 0).history = true;
        for (const Image previous : h.previous)
            add(true, previous.version, ~0u).writable = false;
        return;
    }
    case 3: {
        const BufferHistory h = g_.history_buffer(name("h"), bytes, depth, s[7]);
        add(false, h.current.version, 0).history = true;
        for (const Buffer previous : h.previous)
            add(false, previous.version, ~0u).writable = false;
        return;
    }
    case 4:
    case 5:
    case 6: add(true, g_.image(name("i"), desc).version, 0); return;
    default: add(false, g_.buffer(name("b"), bytes).version, 0); return;
    }
}

/// Looks for a fit part from `back` before the newest resource on; `choice` tells which of its.
std::optional<Part> Interpreter::find(std::uint8_t back, std::uint8_t choice, bool image,
                                      bool to_write, bool filled) const {
    for (std::size_t i = 0; i < resources_.size(); ++i) {
        Part p;
        p.resource =
            static_cast<std::uint32_t>(resources_.size() - 1 - (back + i) % resources_.size());
        const Resource& r = resources_[p.resource];
        if (r.image != image || (to_write && !r.writable)) continue;
        if (image) {
            p.mip = choice % r.image_desc.mips;
            p.layer = choice / 4 % r.image_desc.layers;
            p.parts = Parts{1} << (p.mip * r.image_desc.layers + p.layer);
        } else {
            if (choice % 3 != 0) p.first = choice / 3 % kEighths;
            p.count = choice % 3 == 0 ? kEighths : 1 + choice / 24 % (kEighths - p.first);
            p.parts = ((Parts{1} << p.count) - 1) << p.first;
        }
        if (filled && (p.parts & ~r.defined) != 0) continue;
        return p;
    }
    return std::nullopt;
}

void Interpreter::mix_images(Step s) {
    const auto a = source(s[1], s[2], true);
    const auto b = source(s[3], s[4], true);
    const auto t = target(s[5], s[6], true);
    if (!a || !b || !t || overlap(*a, *t) || overlap(*b, *t)) return;
    auto node = g_.compute("test/random/mix_images", name("n"));
    node.read("a", image(*a), Sampler::nearest());
    node.read("b", image(*b), Sampler::nearest());
    const Image result = node.write("target", image(*t));
    node.set("salt", s[7] + frame_);
    node.dispatch_over(extent(*t));
    wrote(*t, result.version);
}

void Interpreter::mix_buffers(Step s) {
    const auto a = source(s[1], s[2], false);
    const auto b = source(s[3], s[4], false);
    const auto t = target(s[5], s[6], false);
    if (!a || !b || !t || overlap(*a, *t) || overlap(*b, *t)) return;
    auto node = g_.compute("test/random/mix_buffers", name("n"));
    node.read("a", buffer(*a));
    node.read("b", buffer(*b));
    const Buffer result = node.write("target", buffer(*t));
    node.set("salt", s[7] + frame_);
    node.dispatch_over(words(*t));
    wrote(*t, result.version);
}

void Interpreter::to_buffer(Step s) {
    const auto from = source(s[1], s[2], true);
    const auto t = target(s[3], s[4], false);
    if (!from || !t) return;
    auto node = g_.compute("test/random/to_buffer", name("n"));
    node.read("source", image(*from), Sampler::nearest());
    const Buffer result = node.write("target", buffer(*t));
    node.dispatch_over(words(*t));
    wrote(*t, result.version);
}

void Interpreter::to_image(Step s) {
    const auto from = source(s[1], s[2], false);
    const auto t = target(s[3], s[4], true);
    if (!from || !t) return;
    auto node = g_.compute("test/random/to_image", name("n"));
    node.read("source", buffer(*from));
    const Image result = node.write("target", image(*t));
    node.set("salt", s[7] + frame_);
    node.specialize("kSalt", std::uint32_t{s[6]} % 3);
    node.dispatch_over(extent(*t));
    wrote(*t, result.version);
}

void Interpreter::change(Step s) {
    const bool of_image = s[7] % 2 == 0;
    const auto t = find(s[1], s[2], of_image, true, true);
    if (!t) return;
    auto node =
        g_.compute(of_image ? "test/random/change_image" : "test/random/change_buffer", name("n"));
    if (of_image) {
        const Image result = node.write("target", image(*t));
        node.dispatch_over(extent(*t));
        wrote(*t, result.version);
    } else {
        const Buffer result = node.write("target", buffer(*t));
        node.dispatch_over(words(*t));
        wrote(*t, result.version);
    }
}

/// Adds into a part; nodes that do so one after the other share one version.
void Interpreter::gather(Step s) {
    const bool of_image = s[7] % 2 == 0;
    const auto t = find(s[3], s[4], of_image, true, true);
    if (!t) return;
    Resource& r = resources_[t->resource];
    const bool joins = r.gathering;
    // What is gathered is complete once someone reads it, so the source must be another resource.
    const auto from = source(s[1], s[2], false);
    if (!from || from->resource == t->resource) return;
    const VersionId start = joins ? r.before : r.version;
    auto node =
        g_.compute(of_image ? "test/random/add_to_image" : "test/random/add_to_buffer", name("n"));
    node.read("source", buffer(*from));
    VersionId result;
    if (of_image) {
        ImageView view = image(*t);
        view.image = Image{start};
        result = node.accumulate("target", view).version;
    } else {
        BufferView view = buffer(*t);
        view.buffer = Buffer{start};
        result = node.accumulate("target", view).version;
    }
    node.dispatch_over(words(*from));
    if (!joins) wrote(*t, result);
    r.gathering = true;
}

void Interpreter::paint(Step s) {
    const auto texels = source(s[1], s[2], true);
    const auto colors = source(s[3], s[4], false);
    const auto t = target(s[5], s[6], true);
    if (!texels || !colors || !t || overlap(*texels, *t)) return;
    const bool keeps = (t->parts & ~resources_[t->resource].defined) == 0 && s[7] % 2 == 0;
    auto node = g_.raster("test/random/paint", name("n"));
    node.read("source", image(*texels), Sampler::nearest());
    node.set("salt", s[7] + frame_);
    node.state().depth_test = false;
    const Image result = node.color(image(*t), keeps ? loaded() : cleared_uint(s[7]));
    node.begin_group();
    node.read("paint", buffer(*colors));
    node.draw({.count = 6});
    wrote(*t, result.version);
}

void Interpreter::copy(Step s) {
    const bool of_image = s[7] % 2 == 0;
    const auto from = source(s[1], s[2], of_image);
    const auto t = target(s[3], s[4], of_image);
    if (!from || !t || from->resource == t->resource) return;
    if (of_image) {
        if (extent(*from) != extent(*t)) return;
        wrote(*t, g_.copy(image(*from), image(*t), name("n")).version);
    } else {
        if (buffer(*from).range.size != buffer(*t).range.size) return;
        wrote(*t, g_.copy(buffer(*from), buffer(*t), name("n")).version);
    }
}

/// Between an image and the first eighths of a buffer that take its texels.
void Interpreter::copy_between_kinds(Step s) {
    const bool to_image = s[7] % 2 == 0;
    auto texels = to_image ? target(s[1], s[2], true) : source(s[1], s[2], true);
    auto bytes = to_image ? find(s[3], 0, false, false, true) : target(s[3], 0, false);
    if (!texels || !bytes) return;
    const Extent size = extent(*texels);
    const std::uint64_t wanted = std::uint64_t{size.width} * size.height * 4;
    if (wanted > resources_[bytes->resource].buffer_desc.size) return;
    BufferView view = buffer(*bytes);
    view.range.size = wanted;
    if (to_image) {
        resources_[bytes->resource].gathering = false;
        wrote(*texels, g_.copy_to_image(view, image(*texels), name("n")).version);
    } else {
        bytes->parts = (Parts{1} << (wanted / eighth(*bytes))) - 1;
        wrote(*bytes, g_.copy_to_buffer(image(*texels), view, name("n")).version);
    }
}

void Interpreter::blit(Step s) {
    const auto from = source(s[1], s[2], true);
    const auto t = target(s[3], s[4], true);
    if (!from || !t || overlap(*from, *t)) return;
    wrote(*t, g_.blit(image(*from), image(*t), Filter::nearest, {}, name("n")).version);
}

void Interpreter::fill(Step s) {
    const bool of_image = s[7] % 2 == 0;
    const auto t = target(s[1], s[2], of_image);
    if (!t) return;
    if (of_image)
        wrote(*t,
              g_.clear(image(*t), std::array<std::uint32_t, 4>{s[3], 0, 0, 0}, name("n")).version);
    else
        wrote(*t, g_.fill(buffer(*t), s[3], name("n")).version);
}

void Interpreter::upload(Step s) {
    const auto t = target(s[1], s[2], false);
    if (!t) return;
    const BufferView view = buffer(*t);
    wrote(*t, g_.upload(view, noise(view.range.size, s[3]), name("n")).version);
}

/// Copies out the version before the newest, whose writer must then come later.
void Interpreter::copy_what_was(Step s) {
    if (resources_.empty() || resources_.size() >= kMaxResources) return;
    const std::size_t index = resources_.size() - 1 - s[1] % resources_.size();
    const Resource r = resources_[index];
    if (!r.before || r.gathering) return;
    const Parts part = r.image ? 1 : r.all();
    if ((part & ~r.defined_before) != 0) return;
    if (r.image) {
        const Part fresh =
            whole_of_new(ImageDesc{.format = r.image_desc.format, .extent = r.image_desc.extent});
        wrote(fresh,
              g_.copy(ImageView(Image{r.before}).mip(0).layer(0), image(fresh), name("n")).version);
    } else {
        const Part fresh = whole_of_new(r.buffer_desc);
        wrote(fresh, g_.copy(BufferView(Buffer{r.before}), buffer(fresh), name("n")).version);
    }
}

/// Hashes some words of a transient buffer on the host.
void Interpreter::mix_on_host(Step s) {
    const auto from = source(s[1], s[2], false);
    const auto t = target(s[3], s[4], false);
    const auto is_transient = [&](const Part& p) {
        return resources_[p.resource].writable && !resources_[p.resource].history;
    };
    if (!from || !t || overlap(*from, *t) || !is_transient(*from) || !is_transient(*t)) return;
    HostNodeBuilder node = g_.host(name("n"), hash_words(s[7]));
    node.read(buffer(*from));
    wrote(*t, node.write(buffer(*t)).version);
}

void Interpreter::step(Step s) {
    if (s[0] % 32 < 4 || resources_.empty()) return add_resource(s);
    switch (s[0] % 32) {
    case 4:
    case 5:
    case 6:
    case 7: return mix_images(s);
    case 8:
    case 9:
    case 10: return mix_buffers(s);
    case 11:
    case 12: return to_buffer(s);
    case 13:
    case 14: return to_image(s);
    case 15:
    case 16:
    case 17: return change(s);
    case 18:
    case 19:
    case 20: return gather(s);
    case 21:
    case 22:
    case 23: return paint(s);
    case 24: return copy(s);
    case 25: return copy_between_kinds(s);
    case 26: return blit(s);
    case 27:
    case 28: return fill(s);
    case 29: return upload(s);
    case 30: return mix_on_host(s);
    default: return copy_what_was(s);
    }
}

GraphDesc Interpreter::finish() {
    const std::size_t count = resources_.size();
    for (std::uint32_t i = 0; i < count; ++i) {
        Resource& r = resources_[i];
        if (!r.history) continue;
        // A history must be written all over; an output is copied out of it.
        if (r.image) {
            if ((r.all() & ~r.defined) != 0)
                r.version =
                    g_.clear(Image{r.version}, std::array<std::uint32_t, 4>{7, 0, 0, 0}, name("n"))
                        .version;
            const Image copy = g_.image(name("i"), r.image_desc);
            g_.output(fmt::format("out{}", i), g_.copy(Image{r.version}, copy, name("n")));
        } else {
            if ((r.all() & ~r.defined) != 0)
                r.version = g_.fill(Buffer{r.version}, 7, name("n")).version;
            const Buffer copy = g_.buffer(name("b"), r.buffer_desc);
            g_.output(fmt::format("out{}", i), g_.copy(Buffer{r.version}, copy, name("n")));
        }
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const Resource& r = resources_[i];
        if (r.history || !r.writable || (r.all() & ~r.defined) != 0) continue;
        if (i % 3 == 1) continue; // left to others, or culled
        if (r.image)
            g_.output(fmt::format("out{}", i), Image{r.version});
        else
            g_.output(fmt::format("out{}", i), Buffer{r.version});
    }
    return std::move(g_).finish();
}

} // namespace

GraphDesc build_executable(const ShaderInterfaces& shaders, std::span<const std::uint8_t> program,
                           std::uint32_t frame) {
    return Interpreter(shaders, frame).run(program);
}

} // namespace tuff::testing_gpu
