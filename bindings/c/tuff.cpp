#include "objects.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

namespace tuff::c {
namespace {

Result<void*> copied(const void* bytes, std::size_t size) {
    void* const copy = std::malloc(std::max<std::size_t>(size, 1));
    if (!copy) return fail("c/internal-error", "out of memory");
    std::memcpy(copy, bytes, size);
    return copy;
}

Result<tuff_config*> configured(std::unique_ptr<PassRegistry> registry, Result<Config> config) {
    if (!config) return propagate(std::move(config));
    return new tuff_config{std::move(registry), std::move(*config)};
}

Result<int> read_picture(tuff_graph& graph, const char* output, tuff_picture& picture) {
    auto executor = graph.executor();
    if (!executor) return propagate(std::move(executor));
    auto image = (*executor)->read_image(output);
    if (!image) return propagate(std::move(image));
    const Extent extent = image->extent;
    std::vector<float> texels;
    texels.reserve(std::size_t{4} * extent.width * extent.height * extent.depth);
    for (std::uint32_t z = 0; z < extent.depth; ++z)
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x)
                for (const float value : image->texel(x, y, z))
                    texels.push_back(value);
    auto copy = copied(texels.data(), texels.size() * sizeof(float));
    if (!copy) return propagate(std::move(copy));
    picture = {extent.width, extent.height, extent.depth, static_cast<float*>(*copy)};
    return 1;
}

Result<void> bind(Executor& executor, const std::string& input, const Import& import) {
    return std::visit(
        [&](const auto& resource) {
            return import.described ? bind_import(executor, input, resource)
                                    : bind_import(executor, input, resource.handle);
        },
        import.resource);
}

} // namespace

std::unexpected<Diagnostics> null_argument(const char* names) {
    return fail("c/null", std::string("\"") + names + "\" is null");
}

void tell(tuff_diagnostics** why, Diagnostics diagnostics) {
    if (!why) return;
    std::string text = to_string(diagnostics);
    *why = new tuff_diagnostics{std::move(diagnostics), std::move(text)};
}

} // namespace tuff::c

using namespace tuff;
using namespace tuff::c;

Result<void> tuff_graph::prepare(const tuff_frame& frame) {
    const bool same_frame = built_for && built_for->index == frame.index &&
                            built_for->time == frame.time && built_for->step == frame.step;
    if (auto larger = grow_pools(); !larger) return larger;
    const bool current = built_for && changes == config->changes && !has_new_contents &&
                         (same_frame || !config->config.animated());
    if (!current) {
        auto filled = filled_config();
        if (!filled) return propagate(std::move(filled));
        auto built = filled->build(device->shaders, assets, c::frame_time(frame),
                                   device->device.caps(), runner.pools());
        if (!built) return propagate(std::move(built));
        if (auto taken = runner.take(std::move(built->graph), device->shaders); !taken)
            return taken;
        std::ranges::move(runner.take_restarted(), std::back_inserter(news));
        built_for = frame;
        changes = config->changes;
        has_new_contents = false;
    }
    for (const auto& [input, import] : imports)
        if (auto bound = bind(*runner.executor(), input, import); !bound) return bound;
    return {};
}

Result<Config> tuff_graph::filled_config() const {
    Config filled = config->config;
    for (const auto& [input, given] : contents) {
        const auto* image = std::get_if<ImageDesc>(&given.desc);
        auto set = image
                       ? filled.set_contents(input, *image, given.bytes)
                       : filled.set_contents(input, std::get<BufferDesc>(given.desc), given.bytes);
        if (!set) return propagate(std::move(set));
    }
    return filled;
}

Result<void> tuff_graph::write(const char* input, std::variant<ImageDesc, BufferDesc> desc,
                               const void* bytes, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(bytes);
    ConfigContents given{std::move(desc),
                         std::make_shared<const std::vector<std::byte>>(from, from + size)};
    auto before = contents.extract(input);
    contents.insert_or_assign(input, std::move(given));
    if (auto filled = filled_config(); !filled) { // as if nothing had been written
        contents.erase(input);
        if (before) contents.insert(std::move(before));
        return propagate(std::move(filled));
    }
    has_new_contents = true;
    return {};
}

Result<Executor*> tuff_graph::executor() {
    if (Executor* const made = runner.executor()) return made;
    return fail("c/not-executed", "the graph has not been executed yet, for it has open inputs",
                "write or bind what they hold, and execute it");
}

Result<void> tuff_graph::grow_pools() {
    auto larger = runner.grow_pools();
    if (!larger) return propagate(std::move(larger));
    if (!larger->empty()) built_for.reset();
    std::ranges::move(*larger, std::back_inserter(news));
    return {};
}

extern "C" {

size_t tuff_diagnostics_count(const tuff_diagnostics* diagnostics) {
    return diagnostics ? diagnostics->all.size() : 0;
}
const char* tuff_diagnostics_code(const tuff_diagnostics* diagnostics, size_t index) {
    return index < tuff_diagnostics_count(diagnostics) ? diagnostics->all[index].code.c_str() : "";
}
const char* tuff_diagnostics_message(const tuff_diagnostics* diagnostics, size_t index) {
    return index < tuff_diagnostics_count(diagnostics) ? diagnostics->all[index].message.c_str()
                                                       : "";
}
const char* tuff_diagnostics_hint(const tuff_diagnostics* diagnostics, size_t index) {
    return index < tuff_diagnostics_count(diagnostics) ? diagnostics->all[index].hint.c_str() : "";
}
int tuff_diagnostics_is_error(const tuff_diagnostics* diagnostics, size_t index) {
    return index < tuff_diagnostics_count(diagnostics) &&
           diagnostics->all[index].severity == Severity::error;
}
const char* tuff_diagnostics_text(const tuff_diagnostics* diagnostics) {
    return diagnostics ? diagnostics->text.c_str() : "";
}
void tuff_diagnostics_free(tuff_diagnostics* diagnostics) {
    delete diagnostics;
}

#define TUFF_TEXT(number) #number
#define TUFF_DOTTED(major, minor, patch) TUFF_TEXT(major) "." TUFF_TEXT(minor) "." TUFF_TEXT(patch)
const char* tuff_version(void) {
    return TUFF_DOTTED(TUFF_VERSION_MAJOR, TUFF_VERSION_MINOR, TUFF_VERSION_PATCH);
}

tuff_device* tuff_device_open(const char* select, int validation, tuff_diagnostics** why) {
    return guarded<tuff_device*>(why, nullptr, [&]() -> Result<tuff_device*> {
        auto device =
            Device::open({.select = select ? select : "auto", .validation = validation != 0});
        if (!device) return propagate(std::move(device));
        return new tuff_device{.device = std::move(*device)};
    });
}
const char* tuff_device_name(const tuff_device* device) {
    return device ? device->device.caps().name.c_str() : "";
}
size_t tuff_device_message_count(const tuff_device* device) {
    if (!device) return 0;
    device->messages = device->device.validation_messages();
    return device->messages.size();
}
const char* tuff_device_message(const tuff_device* device, size_t index) {
    return device && index < device->messages.size() ? device->messages[index].c_str() : "";
}
void tuff_device_close(tuff_device* device) {
    delete device;
}

tuff_config* tuff_config_load(const char* path, tuff_diagnostics** why) {
    return guarded<tuff_config*>(why, nullptr, [&]() -> Result<tuff_config*> {
        if (!path) return null_argument("path");
        auto registry = std::make_unique<PassRegistry>(modules());
        auto config = Config::load(path, *registry);
        return configured(std::move(registry), std::move(config));
    });
}
tuff_config* tuff_config_parse(const char* text, const char* file_name, tuff_diagnostics** why) {
    return guarded<tuff_config*>(why, nullptr, [&]() -> Result<tuff_config*> {
        if (!text) return null_argument("text");
        auto registry = std::make_unique<PassRegistry>(modules());
        auto config = Config::parse(text, file_name ? file_name : "config.json", *registry);
        return configured(std::move(registry), std::move(config));
    });
}
int tuff_config_set(tuff_config* config, const char* name, const char* value,
                    tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!config || !name || !value) return null_argument("config, name or value");
        if (auto set = config->config.set(name, value); !set) return propagate(std::move(set));
        ++config->changes;
        return 1;
    });
}
void tuff_config_free(tuff_config* config) {
    delete config;
}

tuff_graph* tuff_graph_start(tuff_device* device, tuff_config* config, tuff_diagnostics** why) {
    return guarded<tuff_graph*>(why, nullptr, [&]() -> Result<tuff_graph*> {
        if (!device || !config) return null_argument("device or config");
        auto graph = std::make_unique<tuff_graph>(*device, *config);
        for (const ConfiguredOutput& output : config->config.outputs())
            graph->outputs.push_back(output.name);
        if (config->config.open_inputs().empty())
            if (auto ready = graph->prepare({}); !ready) return propagate(std::move(ready));
        return graph.release();
    });
}
int tuff_graph_execute(tuff_graph* graph, const tuff_frame* frame, tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !frame) return null_argument("graph or frame");
        if (auto ready = graph->prepare(*frame); !ready) return propagate(std::move(ready));
        if (auto done = graph->runner.executor()->execute(); !done)
            return propagate(std::move(done));
        graph->executed = *frame;
        return 1;
    });
}
int tuff_graph_write_image(tuff_graph* graph, const char* input, const tuff_texels* texels,
                           tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !input || !texels || !texels->bytes || !texels->format)
            return null_argument("graph, input, texels, their bytes or their format");
        const std::optional<Format> format = parse_format(texels->format);
        if (!format || *format == Format::undefined)
            return fail("config/bad-format",
                        std::string("there is no format \"") + texels->format + '"');
        ImageDesc desc;
        desc.format = *format;
        desc.extent = {texels->width, texels->height, std::max(texels->depth, 1u)};
        if (desc.extent.depth > 1) desc.shape = ImageShape::d3;
        const std::uint64_t size = byte_size(desc.format, desc.extent);
        if (auto done = graph->write(input, desc, texels->bytes, size); !done)
            return propagate(std::move(done));
        return 1;
    });
}
int tuff_graph_write_buffer(tuff_graph* graph, const char* input, const void* bytes, size_t size,
                            uint32_t element, tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !input || !bytes) return null_argument("graph, input or bytes");
        if (element == 0 || size % element != 0)
            return fail("config/wrong-size", "the bytes are no whole number of elements");
        if (auto done =
                graph->write(input, BufferDesc{.size = size, .stride = element}, bytes, size);
            !done)
            return propagate(std::move(done));
        return 1;
    });
}
int tuff_graph_wait(tuff_graph* graph, tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph) return null_argument("graph");
        if (!graph->runner.executor()) return 1;
        if (auto done = graph->runner.executor()->wait(); !done) return propagate(std::move(done));
        return 1;
    });
}

size_t tuff_graph_output_count(const tuff_graph* graph) {
    return graph ? graph->outputs.size() : 0;
}
const char* tuff_graph_output_name(const tuff_graph* graph, size_t index) {
    return index < tuff_graph_output_count(graph) ? graph->outputs[index].c_str() : "";
}
int tuff_graph_read_image(tuff_graph* graph, const char* output, tuff_picture* picture,
                          tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !output || !picture) return null_argument("graph, output or picture");
        return read_picture(*graph, output, *picture);
    });
}
int tuff_graph_read_buffer(tuff_graph* graph, const char* output, void** bytes, size_t* size,
                           tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !output || !bytes || !size)
            return null_argument("graph, output, bytes or size");
        auto executor = graph->executor();
        if (!executor) return propagate(std::move(executor));
        auto read = (*executor)->read_buffer(output);
        if (!read) return propagate(std::move(read));
        auto copy = copied(read->data(), read->size());
        if (!copy) return propagate(std::move(copy));
        *bytes = *copy;
        *size = read->size();
        return 1;
    });
}
tuff_diagnostics* tuff_graph_warnings(tuff_graph* graph, tuff_diagnostics** why) {
    return guarded<tuff_diagnostics*>(why, nullptr, [&]() -> Result<tuff_diagnostics*> {
        if (!graph) return null_argument("graph");
        auto executor = graph->executor();
        if (!executor) return propagate(std::move(executor));
        auto found = (*executor)->warnings();
        if (!found) return propagate(std::move(found));
        std::ranges::move(std::exchange(graph->news, {}), std::back_inserter(*found));
        tuff_diagnostics* all = nullptr;
        if (!found->empty()) tell(&all, std::move(*found));
        return all;
    });
}
void tuff_graph_free(tuff_graph* graph) {
    delete graph;
}

} // extern "C"
