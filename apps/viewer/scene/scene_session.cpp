#include "scene/scene_session.hpp"

#include "apps/shared/common.hpp"
#include "model/controls.hpp"
#include "model/volume_page.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace tuff::viewer {
namespace fs = std::filesystem;
namespace {

void append(Diagnostics& all, const Diagnostics& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// The nodes of the main config in the order in which they were added.
std::vector<std::string> config_nodes(const std::vector<ConfiguredNode>& added) {
    std::vector<std::string> nodes;
    std::set<std::string_view> known;
    for (const ConfiguredNode& node : added) {
        const std::string_view first = std::string_view(node.name).substr(0, node.name.find('/'));
        if (known.insert(first).second) nodes.emplace_back(first);
    }
    return nodes;
}

} // namespace

SceneSession::SceneSession(const SceneOptions& options, const PassRegistry& registry, Device device)
    : options_(options), registry_(&registry), device_(std::make_unique<Device>(std::move(device))),
      shaders_(std::make_shared<ShaderLibrary>(options_.modules)),
      runner_(*device_, {.compile = options.compile, .keep_until_replaced = true}) {
    if (!options_.shaders.empty()) shader_watch_.watch(cli::shader_files(options_.shaders));
}

Result<SceneSession> SceneSession::open(const SceneOptions& options, const PassRegistry& registry) {
    DeviceRequest request;
    request.select = options.device.empty() ? default_device_selection() : options.device;
    request.validation = options.validation;
    request.on_message = options.on_message;
    auto device = Device::open(request);
    if (!device && options.capture)
        return std::unexpected(cli::explain_capture(std::move(device.error())));
    if (!device) return propagate(std::move(device));
    return SceneSession(options, registry, std::move(*device));
}

Result<void> SceneSession::load(const SceneRequest& request) {
    // Watched even where it cannot be read: it is about to be mended.
    if (!panel_ || panel_->config != request.config) config_watch_.watch({request.config});
    auto config = Config::load(request.config, *registry_);
    config_broken_ = !config;
    if (!config) return propagate(std::move(config));
    for (const auto& [name, file] : options_.inputs)
        (void)config->set_file(name, file); // another config may not have it
    const bool other = !panel_ || panel_->config != request.config;
    if (other) {
        shown_.reset();
        assets_.clear(); // what runs keeps its own
        runner_.forget();
        grown_.clear();
        values_.reset();
    }
    auto panel = std::make_shared<Panel>();
    panel->config = request.config;
    panel->description = config->description();
    panel->controls = list_controls(read_config_json(request.config), *config);
    panel->files = config->files();
    panel_ = std::move(panel);
    warnings_ = config->warnings();
    config_.emplace(std::move(*config));
    watch_files();
    return {};
}

Result<Config> SceneSession::configured(const SceneRequest& request) const {
    Config config = *config_;
    Diagnostics problems;
    for (const auto& [key, text] : request.edits)
        if (auto set = config.set(full_name(key), text); !set) append(problems, set.error());
    if (!problems.empty()) return std::unexpected(std::move(problems));
    return config;
}

Result<void> SceneSession::update(const SceneRequest& request, const FrameTime& frame) {
    if (!config_) return {};
    auto config = configured(request);
    if (!config) return propagate(std::move(config));
    auto built = config->build(*shaders_, assets_, frame, device_->caps(), runner_.pools());
    outgrown_ = false;
    watch_files();
    if (!built) {
        keep_good_shaders();
        return propagate(std::move(built));
    }
    values_ = std::make_shared<const ParameterValues>(config->values(frame));
    std::vector<View> views = list_views(built->graph);
    std::vector<std::string> nodes = config_nodes(built->nodes);
    auto kept = keep_view(built->graph, request.view.key);
    if (!kept) kept = keep_view(built->graph, {}); // it is gone from the config
    KeptHistograms histograms = keep_histograms(built->graph);
    const std::uint32_t before = runner_.compilations();
    if (auto taken = runner_.take(std::move(built->graph), *shaders_); !taken) {
        keep_good_shaders();
        return taken;
    }
    kept_ = std::move(kept);
    kept_histograms_ = std::move(histograms);
    if (runner_.compilations() == before) return {};
    pass_warnings_.clear();
    restarted_ = runner_.take_restarted();
    running_shaders_ = shaders_;
    shaders_broken_ = false;
    structure_ =
        std::make_shared<const Structure>(runner_.plan(), std::move(views), std::move(nodes));
    return {};
}

Result<void> SceneSession::run_again(const SceneRequest& request, const FrameTime& frame) {
    if (has_graph()) runner_.executor()->step_back();
    return run(request, frame);
}

Result<void> SceneSession::run(const SceneRequest& request, const FrameTime& frame) {
    Executor* const executor = runner_.executor();
    if (!executor) return {};
    if (auto done = execute(frame); !done) return done;
    auto told = executor->warnings();
    if (!told) return propagate(std::move(told));
    pass_warnings_ = std::move(*told);
    auto grown = runner_.grow_pools();
    if (!grown) return propagate(std::move(grown));
    outgrown_ = !grown->empty();
    append(grown_, *grown);
    if (auto done = fetch_histograms(); !done) return done;
    return fetch(request, frame.frame);
}

Result<void> SceneSession::execute(const FrameTime& frame) {
    Executor& executor = *runner_.executor();
    const bool is_due =
        options_.capture && options_.captured_frame.value_or(frame.frame) == frame.frame;
    // What cannot be captured is not tried again with the next frame.
    const auto capture = is_due ? std::exchange(options_.capture, nullptr) : nullptr;
    if (capture)
        if (auto done = capture->begin(*device_); !done) return done;
    if (auto done = executor.execute(); !done) return done;
    if (auto done = executor.wait(); !done || !capture) return done;
    auto done = capture->end();
    if (done) captured_ = capture->file();
    return done;
}

SceneSession::KeptHistograms SceneSession::keep_histograms(GraphDesc& graph) const {
    KeptHistograms all;
    if (!panel_) return all;
    for (const VolumeNode& node : volume_nodes(panel_->controls)) {
        if (node.pass != "volume/cast") continue;
        std::array<std::string, 2> outputs;
        for (const int i : {0, 1}) {
            const std::string resource = node.name + (i == 0 ? "/range" : "/histogram");
            const auto key = last_version(graph, resource);
            if (!key) break;
            if (auto kept = keep_view(graph, *key, "viewer." + resource))
                outputs[static_cast<std::size_t>(i)] = std::move(kept->output);
        }
        if (!outputs[0].empty() && !outputs[1].empty()) all.emplace(node.name, std::move(outputs));
    }
    return all;
}

Result<void> SceneSession::fetch_histograms() {
    auto histograms = std::make_shared<VolumeHistograms>();
    for (const auto& [node, outputs] : kept_histograms_) {
        auto range = runner_.executor()->read_buffer(outputs[0]);
        if (!range) return propagate(std::move(range));
        auto counts = runner_.executor()->read_buffer(outputs[1]);
        if (!counts) return propagate(std::move(counts));
        VolumeHistogram& histogram = (*histograms)[node];
        if (range->size() < 2 * sizeof(float) || counts->size() < sizeof(histogram.counts))
            continue; // another pass's buffers of these names
        std::memcpy(&histogram.low, range->data(), sizeof(float));
        std::memcpy(&histogram.high, range->data() + sizeof(float), sizeof(float));
        std::memcpy(histogram.counts.data(), counts->data(), sizeof(histogram.counts));
    }
    histograms_ = std::move(histograms);
    return {};
}

Diagnostics SceneSession::warnings() const {
    Diagnostics all = warnings_;
    append(all, pass_warnings_);
    append(all, grown_);
    append(all, restarted_);
    return all;
}

Result<void> SceneSession::show(const SceneRequest& request, const FrameTime& frame) {
    return has_graph() ? fetch(request, frame.frame) : Result<void>{};
}

Result<void> SceneSession::fetch(const SceneRequest& request, std::int64_t frame) {
    if (!kept_) return {};
    auto shown = std::make_shared<Shown>();
    shown->view = kept_->view;
    shown->frame = frame;
    if (kept_->view.is_image()) {
        shown->mip = std::min(request.view.mip, kept_->view.image().mips - 1);
        shown->layer = std::min(request.view.layer, kept_->view.image().layers - 1);
        auto image = runner_.executor()->read_image(kept_->output, shown->mip, shown->layer);
        if (!image) return propagate(std::move(image));
        shown->image = std::move(*image);
    } else {
        auto bytes = runner_.executor()->read_buffer(kept_->output);
        if (!bytes) return propagate(std::move(bytes));
        shown->bytes = std::move(*bytes);
    }
    shown_ = std::move(shown);
    return {};
}

Result<void> SceneSession::reset_history() {
    return has_graph() ? runner_.executor()->reset_history() : Result<void>{};
}

Result<void> SceneSession::save_jpeg(const JpegOrder& order) {
    if (!cli::makes_jpegs(options_.jpeg_maker, device_->caps()))
        return save_image(order.file, order.picture);
    const auto file = cli::encode_jpeg(*device_, *registry_, *shaders_, order.picture);
    if (!file) return save_image(order.file, order.picture);
    auto written = cli::write_text_file(
        order.file, {reinterpret_cast<const char*>(file->data()), file->size()});
    if (!written) return std::unexpected(std::move(written.error().diagnostics));
    return {};
}

bool SceneSession::still() const {
    return config_ && !config_->animated() && !has_history();
}

bool SceneSession::has_history() const {
    return structure_ &&
           std::ranges::any_of(structure_->plan->graph.resources, [](const ResourceDesc& r) {
               return r.lifetime == Lifetime::history;
           });
}

void SceneSession::watch_files() {
    std::vector<fs::path> files = config_ ? config_->files() : std::vector<fs::path>{};
    if (panel_ && std::ranges::find(files, panel_->config) == files.end())
        files.push_back(panel_->config);
    config_watch_.watch(files);
    asset_watch_.watch(assets_.files());
}

/// The kernels that run now, for a graph under construction would only say that one is missing.
Result<void> SceneSession::check_kernels(const ShaderLibrary& library) const {
    Diagnostics problems;
    const auto check = [&](Result<const ShaderInterface*> loaded) {
        // Kernels that a pass has written itself are in no folder.
        if (!loaded && loaded.error().front().code != "shader/unknown")
            append(problems, loaded.error());
    };
    std::set<std::string> seen;
    if (structure_)
        for (const NodePayload& payload : structure_->plan->graph.payloads) {
            if (const auto* compute = std::get_if<ComputeNode>(&payload);
                compute && seen.insert(compute->kernel.shader->name).second)
                check(library.load_compute(compute->kernel.shader->name));
            if (const auto* raster = std::get_if<RasterNode>(&payload);
                raster && seen.insert(raster->kernel.shader->name).second)
                check(library.load_raster(raster->kernel.shader->name));
            if (const auto* rays = std::get_if<RayNode>(&payload);
                rays && seen.insert(rays->kernel.shader->name + " of rays").second)
                check(library.load_rays(rays->kernel.shader->name));
        }
    if (problems.empty()) return {};
    return std::unexpected(std::move(problems));
}

Result<void> SceneSession::use_edited_shaders() {
    auto library = std::make_shared<ShaderLibrary>(options_.modules);
    if (auto added = library->add_directory(options_.shaders); !added) return added;
    shaders_broken_ = true;
    if (auto sound = check_kernels(*library); !sound) return sound;
    shaders_broken_ = false;
    shaders_ = std::move(library);
    return {};
}

void SceneSession::keep_good_shaders() {
    if (!running_shaders_ || shaders_ == running_shaders_) return;
    shaders_ = running_shaders_;
    shaders_broken_ = true;
}

bool SceneSession::finds_changed_files() {
    changed_.shaders = !shader_watch_.changed().empty();
    changed_.assets = !asset_watch_.changed().empty();
    changed_.config = !config_watch_.changed().empty();
    return changed_.shaders || changed_.assets || changed_.config;
}

Result<void> SceneSession::reload(const SceneRequest& request) {
    Result<void> outcome;
    // What is still broken is told again, though it was another file that changed.
    if (changed_.shaders || shaders_broken_) outcome = use_edited_shaders();
    if (changed_.assets) (void)assets_.drop_changed();
    if ((changed_.config || config_broken_) && outcome) outcome = load(request);
    return outcome;
}

ExecutionTimings SceneSession::timings() const {
    return has_graph() ? runner_.executor()->timings() : ExecutionTimings{};
}

ExecutorMemory SceneSession::memory() const {
    return has_graph() ? runner_.executor()->memory() : ExecutorMemory{};
}

} // namespace tuff::viewer
