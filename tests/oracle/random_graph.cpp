#include "tests/oracle/random_graph.hpp"

#include "tests/oracle/graph_author.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace tuff::oracle {
namespace {

using Step = std::span<const std::uint8_t, kStepBytes>;

template <typename T, std::size_t N>
T pick(const std::array<T, N>& choices, std::uint8_t byte) {
    return choices[byte % N];
}

constexpr std::array kColors = {Format::rgba8_unorm, Format::rgba16_sfloat, Format::r32_uint,
                                Format::rgba32_sfloat};

/// Bytes 1 to 5 of a step.
ImageDesc image_of(Step s) {
    ImageDesc desc{.format = s[1] % 5 == 4 ? Format::d32_sfloat : kColors[s[1] % 5 % 4],
                   .extent = {8u << (s[2] % 5), 8u << (s[3] % 5), 1}};
    const std::uint32_t mips = 1 + s[5] % 3;
    switch (s[4] % 8) {
    case 1: desc.mips = mips; break;
    case 2:
        desc.shape = ImageShape::d2_array;
        desc.layers = 1 + s[5] % 4;
        break;
    case 3:
        desc.shape = ImageShape::d2_array;
        desc.layers = 3;
        desc.mips = mips;
        break;
    case 4:
        desc.shape = ImageShape::cube;
        desc.layers = 6;
        desc.extent.height = desc.extent.width;
        desc.mips = mips;
        break;
    case 5:
        desc.shape = ImageShape::d3;
        desc.extent.depth = 1 + s[5] % 8;
        break;
    case 6: desc.samples = 4; break;
    default: break;
    }
    return desc;
}

BufferDesc buffer_of(Step s) {
    const std::uint64_t odd = s[3] % 4 == 1 ? std::uint64_t{s[4]} % 4 : 0;
    return {.size = 256 * (1 + std::uint64_t{s[1]} % 64) + odd};
}

/// Bytes 6 and 7. `image`: null for buffers.
ImportState import_of(Step s, const ImageDesc* image) {
    using namespace memory;
    static constexpr std::array<Scope, 10> kStates = {{
        {stage::kAllCommands, kMemoryRead | kMemoryWrite, Layout::general},
        {stage::kNone, kNone, Layout::undefined},
        {stage::kFragmentShader, kSampledRead, Layout::shader_read_only},
        {stage::kCompute, kStorageRead | kStorageWrite, Layout::general},
        {stage::kColorOutput, kColorWrite, Layout::color_attachment},
        {stage::kCopy, kTransferWrite, Layout::transfer_destination},
        {stage::kNone, kNone, Layout::present},
        {stage::kHost, kHostWrite, Layout::general},
        {stage::kAllCommands, kNone, Layout::general},
        {stage::kEarlyDepth | stage::kLateDepth, kDepthRead | kDepthWrite,
         Layout::depth_attachment},
    }};
    ImportState state{kStates[s[6] % 10], kStates[s[7] % 10]};
    for (Scope* scope : {&state.first, &state.last}) {
        if (!image) {
            scope->layout = Layout::undefined;
            continue;
        }
        const bool depth = info(image->format).depth;
        const bool plain =
            !depth && image->mips == 1 && image->samples == 1 && image->shape != ImageShape::d3;
        if ((scope->layout == Layout::depth_attachment && !depth) ||
            (scope->layout == Layout::color_attachment && depth) ||
            (scope->layout == Layout::present && !plain))
            scope->layout = Layout::general;
    }
    return state;
}

/// Bytes 3 and 4.
Range range_of(const GraphAuthor::Resource& r, Step s) {
    if (!r.image) {
        const std::uint32_t atoms = GraphAuthor::kBufferAtoms;
        if (s[3] % 2 == 0) return r.byte_range(0, atoms);
        const std::uint32_t first = s[3] / 2 % atoms;
        return r.byte_range(first, 1 + s[4] % (atoms - first));
    }
    const std::uint32_t mips = r.image_desc.mips;
    const std::uint32_t layers = r.image_desc.layers;
    if (s[3] % 3 == 0) return {0, mips, 0, layers, 0, 0};
    const std::uint32_t mip = s[3] / 3 % mips;
    if (s[3] % 3 == 1) return {mip, 1, 0, layers, 0, 0};
    const std::uint32_t layer = s[4] % layers;
    return {mip, 1 + s[4] / 8 % (mips - mip), layer, 1 + s[4] / 32 % (layers - layer), 0, 0};
}

// What a node may do with an image, a depth image or a buffer.
constexpr std::array kColorReads = {Access::sampled,   Access::sampled,   Access::storage_read,
                                    Access::copy_read, Access::blit_read, Access::sampled};
constexpr std::array kDepthReads = {Access::sampled, Access::depth_read, Access::copy_read};
constexpr std::array kBufferReads = {Access::storage_read, Access::uniform_read,
                                     Access::index_read,   Access::indirect_read,
                                     Access::copy_read,    Access::storage_read};
constexpr std::array kColorWrites = {
    Access::storage_write,    Access::storage_read_write, Access::color_write,
    Access::color_read_write, Access::resolve_write,      Access::copy_write,
    Access::blit_write,       Access::storage_write,      Access::clear_write};
constexpr std::array kDepthWrites = {Access::depth_write, Access::depth_read_write,
                                     Access::copy_write};
constexpr std::array kBufferWrites = {Access::storage_write, Access::storage_read_write,
                                      Access::copy_write, Access::storage_write,
                                      Access::clear_write};
constexpr std::array kShaderStages = {stage::kCompute, stage::kCompute, stage::kFragmentShader,
                                      stage::kVertexShader,
                                      stage::kVertexShader | stage::kFragmentShader};
// The same where nodes also trace rays, and build what these go through.
constexpr std::array kBufferReadsOfRays = {Access::storage_read,      Access::acceleration_input,
                                           Access::acceleration_read, Access::acceleration_trace,
                                           Access::ray_count_read,    Access::uniform_read,
                                           Access::indirect_read,     Access::copy_read};
constexpr std::array kBufferWritesOfRays = {
    Access::acceleration_write, Access::acceleration_scratch, Access::storage_write,
    Access::copy_write,         Access::storage_read_write,   Access::clear_write};
constexpr std::array kStagesOfRays = {stage::kCompute, stage::kRayTracing};
constexpr std::array kImageOutputs = {Access::copy_read, Access::copy_read, Access::present,
                                      Access::sampled};
constexpr std::array kBufferOutputs = {Access::copy_read, Access::host_read, Access::copy_read,
                                       Access::storage_read};

class Interpreter {
  public:
    Interpreter(Rays rays, HostNodes host_nodes)
        : rays_(rays == Rays::on), host_nodes_(host_nodes == HostNodes::on) {}

    GraphDesc run(std::span<const std::uint8_t> program) {
        for (; program.size() >= kStepBytes; program = program.subspan(kStepBytes))
            step(program.first<kStepBytes>());
        return std::move(author_).finish();
    }

  private:
    void step(Step s);
    void add_resource(Step s);
    void read(Step s);
    void write(Step s);
    void add_pass(Step s);
    void add_queue_pass(Step s);
    void add_host_pass(Step s);
    void read_on_host(std::uint8_t back);
    static bool is_transient_buffer(const GraphAuthor::Resource& r) {
        return !r.image && r.writable && !r.must_write && r.may_output;
    }
    void repeat(Step s);
    void read_on_queue(std::uint8_t back, Access of_image, Access of_buffer);
    void read_any(std::uint8_t back, std::uint8_t choice);
    /// Byte `i` counts back from the newest resource.
    Access read_of(const GraphAuthor::Resource& r, std::uint8_t choice) const {
        if (r.image) return r.depth() ? pick(kDepthReads, choice) : pick(kColorReads, choice);
        return rays_ ? pick(kBufferReadsOfRays, choice) : pick(kBufferReads, choice);
    }
    Access write_of(const GraphAuthor::Resource& r, std::uint8_t choice) const {
        if (r.image) return r.depth() ? pick(kDepthWrites, choice) : pick(kColorWrites, choice);
        return rays_ ? pick(kBufferWritesOfRays, choice) : pick(kBufferWrites, choice);
    }
    StageMask stages_of(Access access, std::uint8_t choice) const {
        const bool rays = access == Access::acceleration_trace || (rays_ && choice % 2 == 0);
        return rays ? pick(kStagesOfRays, choice / 2) : pick(kShaderStages, choice);
    }
    std::uint32_t resource(Step s, std::size_t i) const {
        const std::size_t count = author_.resources().size();
        return static_cast<std::uint32_t>(count - 1 - s[i] % count);
    }

    GraphAuthor author_;
    const bool rays_;
    const bool host_nodes_;
    static constexpr std::size_t kMaxResources = 96;
};

void Interpreter::add_resource(Step s) {
    if (author_.resources().size() >= kMaxResources) return;
    const ImageDesc image = image_of(s);
    const BufferDesc buffer = buffer_of(s);
    ImageDesc plain = image; // contents come from the host, which knows no samples
    if (plain.samples > 1) plain.samples = 1;
    switch (s[0] / 16 % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: author_.add_image(image); return;
    case 5: author_.add_history(plain, 1 + s[6] % 3); return;
    case 6: author_.add_import(image, import_of(s, &image)); return;
    case 7: author_.add_constant(plain); return;
    case 8: author_.add_history(buffer, 1 + s[6] % 3); return;
    case 9: author_.add_import(buffer, import_of(s, nullptr)); return;
    case 10: author_.add_constant(buffer); return;
    default: author_.add_buffer(buffer); return;
    }
}

void Interpreter::read(Step s) {
    const std::uint32_t index = resource(s, 1);
    const GraphAuthor::Resource& r = author_.resources()[index];
    const Access access = read_of(r, s[5]);
    const std::uint32_t back = s[2] < 192 ? 0 : s[2] - 191u;
    author_.read(index, back, range_of(r, s), access, stages_of(access, s[6]));
}

void Interpreter::write(Step s) {
    const std::uint32_t index = resource(s, 1);
    const GraphAuthor::Resource& r = author_.resources()[index];
    const Access access = write_of(r, s[5]);
    author_.write(index, range_of(r, s), access, stages_of(access, s[6]));
}

/// Reads all of the first resource that holds something, going back from `back`.
void Interpreter::read_any(std::uint8_t back, std::uint8_t choice) {
    const std::size_t count = author_.resources().size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t index = count - 1 - (back + i) % count;
        const GraphAuthor::Resource& r = author_.resources()[index];
        if ((r.all() & ~r.versions.back().defined) != 0) continue;
        const Access access = read_of(r, choice);
        const Range all = r.image ? Range{0, r.image_desc.mips, 0, r.image_desc.layers, 0, 0}
                                  : r.byte_range(0, GraphAuthor::kBufferAtoms);
        author_.read(static_cast<std::uint32_t>(index), 0, all, access,
                     stages_of(access, static_cast<std::uint8_t>(choice / 8)));
        return;
    }
}

/// What most graphs consist of: a node that reads one or two resources and makes a new one.
void Interpreter::add_pass(Step s) {
    author_.begin_node();
    read_any(s[1] % 4, s[5]);
    if (s[2] % 2 == 1) read_any(s[2] / 2 % 16, s[6]);
    if (author_.resources().size() >= kMaxResources) return;
    const bool image = s[7] % 3 != 0;
    if (image)
        author_.add_image({.format = pick(kColors, s[3]), .extent = {8u << (s[4] % 5), 16, 1}});
    else
        author_.add_buffer({.size = 256 * (1 + std::uint64_t{s[3]} % 32)});
    const auto made = static_cast<std::uint32_t>(author_.resources().size() - 1);
    const Access access =
        image   ? pick(std::array{Access::storage_write, Access::color_write, Access::copy_write,
                                Access::blit_write},
                       s[6] / 8)
        : rays_ ? pick(kBufferWritesOfRays, s[6] / 8)
                : pick(std::array{Access::storage_write, Access::copy_write}, s[6] / 8);
    const Range all = image ? Range{0, 1, 0, 1, 0, 0}
                            : author_.resources()[made].byte_range(0, GraphAuthor::kBufferAtoms);
    author_.write(made, all, access, stages_of(access, static_cast<std::uint8_t>(s[5] / 8)));
}

/// Reads all of something defined, going back from `back`, as a compute kernel or a copy does.
void Interpreter::read_on_queue(std::uint8_t back, Access of_image, Access of_buffer) {
    const std::size_t count = author_.resources().size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto index = static_cast<std::uint32_t>(count - 1 - (back + i) % count);
        const GraphAuthor::Resource& r = author_.resources()[index];
        if (!author_.is_defined(index) || r.depth() || r.image_desc.samples > 1) continue;
        author_.read(index, 0, author_.whole(index), r.image ? of_image : of_buffer,
                     stage::kCompute);
        return;
    }
}

/// A node that the compute or the transfer queue can run, which may ask for one or the other.
void Interpreter::add_queue_pass(Step s) {
    const bool copies = s[2] % 4 == 0;
    author_.begin_node();
    const Access of_image =
        copies ? Access::copy_read : pick(std::array{Access::sampled, Access::storage_read}, s[5]);
    read_on_queue(s[1] % 8, of_image, copies ? Access::copy_read : Access::storage_read);
    if (!copies && s[3] % 2 == 1) read_on_queue(s[3] / 2 % 16, of_image, Access::uniform_read);
    if (author_.resources().size() >= kMaxResources) return;
    if (s[7] % 2 == 0)
        author_.add_image({.format = pick(kColors, s[4]), .extent = {8u << (s[4] / 4 % 3), 16, 1}});
    else
        author_.add_buffer({.size = 256 * (1 + std::uint64_t{s[4]} % 16)});
    const auto made = static_cast<std::uint32_t>(author_.resources().size() - 1);
    author_.write(made, author_.whole(made), copies ? Access::copy_write : Access::storage_write,
                  stage::kCompute);
    author_.prefer(pick(std::array{copies ? QueueHint::transfer : QueueHint::compute,
                                   QueueHint::automatic, QueueHint::compute, QueueHint::graphics},
                        s[6]));
}

/// Reads some or all of a transient buffer that holds something, going back from `back`.
void Interpreter::read_on_host(std::uint8_t back) {
    const std::size_t count = author_.resources().size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto index = static_cast<std::uint32_t>(count - 1 - (back + i) % count);
        const GraphAuthor::Resource& r = author_.resources()[index];
        if (!is_transient_buffer(r) || !author_.is_defined(index)) continue;
        author_.read(index, 0, author_.whole(index), Access::host_node_read, stage::kNone);
        return;
    }
}

/// A host node that reads up to two buffers and writes a new one, or an older one again.
void Interpreter::add_host_pass(Step s) {
    author_.begin_node();
    author_.on_host();
    read_on_host(s[1] % 8);
    if (s[3] % 2 == 1) read_on_host(s[3] / 2 % 16);
    const std::uint32_t older = resource(s, 5);
    if (s[6] % 3 == 0 && is_transient_buffer(author_.resources()[older])) {
        author_.write(older, range_of(author_.resources()[older], s), Access::host_node_write,
                      stage::kNone);
    } else if (author_.resources().size() < kMaxResources) {
        author_.add_buffer({.size = 256 * (1 + std::uint64_t{s[4]} % 16)});
        const auto made = static_cast<std::uint32_t>(author_.resources().size() - 1);
        author_.write(made, author_.whole(made), Access::host_node_write, stage::kNone);
    }
    if (s[7] % 4 == 0) author_.keep_node();
    author_.begin_node(); // others do not go on with it
}

void Interpreter::repeat(Step s) {
    const std::uint32_t count = 2 + s[3] % 6;
    if (author_.resources().size() + count > kMaxResources) return;
    author_.repeat(pick(std::array{GraphAuthor::Loop::anew, GraphAuthor::Loop::ping_pong,
                                   GraphAuthor::Loop::in_place},
                        s[2]),
                   resource(s, 1), resource(s, 4), count);
}

void Interpreter::step(Step s) {
    if (s[0] % 16 < 2 || author_.resources().empty()) return add_resource(s);
    const std::uint32_t index = resource(s, 1);
    const GraphAuthor::Resource& r = author_.resources()[index];
    switch (s[0] % 16) {
    case 2:
    case 3: return add_pass(s);
    case 4: return s[7] % 4 == 0 ? repeat(s) : add_pass(s);
    case 5: return host_nodes_ && s[2] % 2 == 1 ? add_host_pass(s) : add_queue_pass(s);
    case 6:
    case 7: return read(s);
    case 8: return author_.begin_node();
    case 9:
    case 10: return write(s);
    case 11: author_.begin_node(); return write(s);
    case 12:
        return author_.write(index, range_of(r, s), Access::accumulate, pick(kShaderStages, s[6]));
    case 13:
        if (s[2] % 2 == 0) return author_.clear(index, range_of(r, s));
        author_.copy(index, resource(s, 3));
        if (s[4] % 2 == 1) author_.prefer(QueueHint::transfer);
        return;
    case 14:
        if (s[2] % 8 == 0) return author_.keep_node();
        if (s[2] % 8 == 1) return author_.resume_node(s[3]);
        if (s[2] % 8 == 2)
            return author_.prefer(pick(std::array{QueueHint::compute, QueueHint::graphics,
                                                  QueueHint::transfer, QueueHint::compute},
                                       s[3]));
        [[fallthrough]];
    default:
        return author_.output(index,
                              r.image ? pick(kImageOutputs, s[5]) : pick(kBufferOutputs, s[5]));
    }
}

} // namespace

Program random_program(std::uint64_t seed, std::size_t most_steps) {
    std::mt19937_64 random(seed);
    Program program((8 + random() % most_steps) * kStepBytes);
    // Some programs keep to the newest resources, so that chains grow; others look far back.
    const std::uint64_t reach = 1 + random() % 12;
    for (std::size_t i = 0; i < program.size(); ++i) {
        program[i] = static_cast<std::uint8_t>(random());
        if (i % kStepBytes == 1) program[i] = static_cast<std::uint8_t>(program[i] % reach);
    }
    return program;
}

GraphDesc build_graph(std::span<const std::uint8_t> program, Rays rays, HostNodes host_nodes) {
    return Interpreter(rays, host_nodes).run(program);
}

} // namespace tuff::oracle
