#include "viewer.hpp"

#include "interface/stage.hpp"
#include "model/config_text.hpp"
#include "model/opened_file.hpp"
#include "panels/panels.hpp"
#include "scene/scene_thread.hpp"
#include "state_file.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

namespace tuff::viewer {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFrameSeconds = 1.0 / 60.0;
/// Without input and news the interface is drawn now and then only.
constexpr double kIdleSeconds = 0.1;
constexpr auto kStaysAwake = std::chrono::milliseconds(700);
constexpr auto kPatience = std::chrono::seconds(20); ///< for the scene to end

/// What the validation layer says to either device, until both have ended.
class ValidationLog {
  public:
    MessageSink sink() {
        return [this](std::string_view text) {
            const std::lock_guard lock(mutex_);
            texts_.emplace_back(text);
        };
    }
    Result<void> finish() const {
        const std::lock_guard lock(mutex_);
        Diagnostics problems;
        for (const std::string& text : texts_)
            problems.push_back(
                {.code = "device/validation",
                 .message = text,
                 .where = {},
                 .hint = "this is a bug in Tuff or in a custom node: please report it"});
        if (problems.empty()) return {};
        return std::unexpected(std::move(problems));
    }

  private:
    mutable std::mutex mutex_;
    std::vector<std::string> texts_;
};

class Viewer {
  public:
    Viewer(ViewerOptions& options, Window& window, ImguiContext& imgui, Stage& stage,
           SceneThread& scene, Settings settings)
        : options_(options), window_(window), imgui_(imgui), stage_(stage), scene_(scene),
          state_file_(options.state_file) {
        state_.settings = std::move(settings);
    }

    Result<void> run() {
        if (!options_.config.empty()) open(options_.config, std::move(options_.edits));
        while (!window_.wants_to_close() && !state_.actions.quit) {
            wait_for_events();
            for (const fs::path& file : window_.take_dropped())
                open(file);
            if (auto taken = take_report(); !taken) return taken;
            if (window_.minimised() || window_.framebuffer().width == 0 ||
                window_.framebuffer().height == 0) {
                state_file_.update(state_, 0, 0);
                continue;
            }
            if (auto shown = show_frame(); !shown) return shown;
            act();
        }
        const Extent size = window_.size();
        if (size.width > 0 && !window_.minimised()) {
            state_.settings.width = size.width;
            state_.settings.height = size.height;
        }
        return {};
    }

    const Settings& settings() const { return state_.settings; }

  private:
    /// Sleeps until the next frame is due, which is soon after input and while there is news.
    void wait_for_events() {
        const Clock::time_point now = Clock::now();
        const bool awake = now < awake_until_;
        const double since = std::chrono::duration<double>(now - last_frame_).count();
        const double wait = std::max((awake ? kFrameSeconds : kIdleSeconds) - since, 0.0);
        if (wait > 0.0 && !awake) {
            glfwWaitEventsTimeout(wait);
        } else {
            // Input that comes meanwhile is seen at the end; it is a 60th of a second at most.
            if (wait > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(wait));
            glfwPollEvents();
        }
        if (window_.take_active()) wake();
        const Clock::time_point begin = Clock::now();
        const double period = std::chrono::duration<double>(begin - last_frame_).count();
        last_frame_ = begin;
        if (period > 0.0 && awake)
            state_.interface_rate += (1.0 / period - state_.interface_rate) * 0.1;
    }

    void wake() { awake_until_ = Clock::now() + kStaysAwake; }

    void open(const fs::path& file, Edits edits = {}) {
        auto config = config_for(file, default_cache_directory() / "models");
        if (!config) return state_.say(config.error().front().message);
        state_.history.start(edits);
        is_own_config_ = *config == file;
        saved_.clear();
        state_.request = {.config = *config,
                          .edits = std::move(edits),
                          .view = {},
                          .opened = state_.request.opened + 1};
        state_.slice = 0;
        state_.place = {};
        state_.compare = {};
        state_.graph = {};
        state_.folded = {};
        state_.notices.clear();
        state_.last_frame = InterfaceState().last_frame;
        remember(state_.settings, file);
        title_ = file.filename().string();
        show_title();
        scene_.post(state_.request);
        wake();
    }

    Result<void> take_report() {
        const std::shared_ptr<const SceneReport> report = scene_.report();
        if (!report || (state_.report && report->number == state_.report->number)) return {};
        state_.report = report;
        if (report->timings) state_.times.add(*report->timings, report->compilations);
        forget_saved();
        state_.recording = report->recording;
        state_.recorded = report->recorded;
        if (report->finished_film != film_told_) state_.say(film_told_ = report->finished_film);
        if (report->saved != jpegs_told_) {
            jpegs_told_ = report->saved;
            state_.say(report->saved_file);
        }
        wake();
        return {};
    }

    /// Brings what is shown to the interface's device, where it or its slice is a new one.
    Result<void> bring_picture() {
        const Shown* shown = state_.shown();
        if (!shown || shown->image.empty()) return {};
        const CompareState& compare = state_.compare;
        const PicturedComparison now{compare.is_on() ? compare.kept : nullptr, compare.how,
                                     compare.how == Comparison::split ? compare.line : 0.0f};
        if (shown == pictured_.get() && pictured_slice_ == state_.slice && pictured_with_ == now)
            return {};
        const Extent extent = shown->image.extent;
        state_.slice = std::min(state_.slice, extent.depth - 1);
        const std::uint32_t most = stage_.caps().max_image_2d;
        if (extent.width > most || extent.height > most) {
            state_.say("the picture is too large for the interface's device");
            return {};
        }
        const bool single = info(shown->image.format).channels == 1;
        if (!pictured_ || pictured_->view.key != shown->view.key) {
            state_.display.channels = single ? 1 : 0;
            state_.display.range = {0.0f, 1.0f};
        }
        pictured_ = state_.report->shown;
        pictured_slice_ = state_.slice;
        pictured_with_ = now;
        const NumericKind kind = info(shown->image.format).kind;
        // As `save_image` writes them: fixed point as it is, floats as linear light.
        state_.display.encoded = kind == NumericKind::unorm && !info(shown->image.format).depth;
        state_.compare.both.reset();
        if (now.kept) return bring_comparison(*shown);
        if (extent.depth == 1) return stage_.set_picture(shown->image);
        return stage_.set_picture(slice_of(shown->image, state_.slice));
    }

    /// A and B as one picture.
    Result<void> bring_comparison(const Shown& shown) {
        CompareState& compare = state_.compare;
        const HostImage& kept = compare.kept->image;
        auto both = std::make_shared<HostImage>(
            compared(slice_of(kept, std::min(state_.slice, kept.extent.depth - 1)),
                     slice_of(shown.image, state_.slice), compare.how, compare.line));
        if (compare.how == Comparison::difference) compare.summary = difference_summary(*both);
        const FormatInfo& format = info(both->format);
        state_.display.encoded = format.kind == NumericKind::unorm && !format.depth;
        compare.both = both;
        return stage_.set_picture(*both);
    }

    Result<void> show_frame() {
        if (auto brought = bring_picture(); !brought) return brought;
        imgui_.begin_frame();
        state_.widgets.begin_frame();
        state_.actions = {};
        shortcuts();
        draw_interface(state_);
        state_.display.gain = std::exp2(state_.exposure);
        state_.display.mark_faults = state_.settings.mark_faults;
        list_ = flatten(imgui_.end_frame());
        const ImGuiIO& io = ImGui::GetIO();
        if (io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f || io.WantTextInput ||
            ImGui::IsAnyMouseDown() || !window_.input().empty())
            wake();
        const Extent size = window_.framebuffer();
        ++state_.interface_frames;
        state_.drawn_frames = stage_.drawn();
        state_file_.update(state_, size.width, size.height);
        return stage_.show(window_, list_, state_.display);
    }

    void shortcuts() {
        const std::vector<Window::Press> presses = window_.take_presses();
        if (ImGui::GetIO().WantTextInput) return;
        for (const Window::Press& press : presses)
            act_on(press);
    }

    void act_on(const Window::Press& press) {
        Actions& actions = state_.actions;
        const bool paused = state_.report && state_.report->paused;
        if (press.control && press.key == GLFW_KEY_Z)
            (press.shift ? actions.redo : actions.undo) = true;
        switch (press.key) {
        case GLFW_KEY_SPACE:
            actions.transport.push_back(paused ? Transport::play : Transport::pause);
            break;
        case GLFW_KEY_RIGHT: actions.transport.push_back(Transport::step); break;
        case GLFW_KEY_HOME: actions.transport.push_back(Transport::restart); break;
        case GLFW_KEY_F10: actions.toggle_recording = true; break;
        case GLFW_KEY_F11: (press.control ? actions.save_jpeg : actions.save_picture) = true; break;
        case GLFW_KEY_F12: actions.save_window = true; break;
        case GLFW_KEY_F1: state_.shows_keys = !state_.shows_keys; break;
        case GLFW_KEY_F: state_.picture_alone ^= !press.control; break;
        case GLFW_KEY_ESCAPE:
            if (!std::exchange(state_.shows_keys, false)) state_.picture_alone = false;
            break;
        case GLFW_KEY_S: actions.save_config |= press.control; break;
        case GLFW_KEY_Y: actions.redo |= press.control; break;
        case GLFW_KEY_O: state_.open_dialog.requested |= press.control; break;
        case GLFW_KEY_Q: actions.quit |= press.control; break;
        default: break;
        }
    }

    void act() {
        for (const Transport command : state_.actions.transport)
            scene_.post(command);
        if (state_.actions.seek) scene_.seek(*state_.actions.seek);
        step_through_history();
        if (state_.actions.save_config) save_config();
        if (state_.request_changed) {
            state_.request_changed = false;
            scene_.post(state_.request);
            wake();
        }
        if (state_.actions.open) open(*state_.actions.open);
        if (state_.actions.save_picture) save_picture();
        if (state_.actions.save_jpeg) save_jpeg();
        if (state_.actions.save_window) save_window();
        if (state_.actions.toggle_recording) toggle_recording();
    }

    /// Takes down what has changed, and goes back or forth where that was asked for.
    void step_through_history() {
        const bool flies = ImGui::IsKeyDown(GLFW_KEY_W) || ImGui::IsKeyDown(GLFW_KEY_A) ||
                           ImGui::IsKeyDown(GLFW_KEY_S) || ImGui::IsKeyDown(GLFW_KEY_D) ||
                           ImGui::IsKeyDown(GLFW_KEY_Q) || ImGui::IsKeyDown(GLFW_KEY_E);
        state_.history.note(state_.request.edits, ImGui::IsAnyMouseDown() || flies);
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) ++state_.releases;
        std::optional<Edits> other;
        if (state_.actions.undo) other = state_.history.undo();
        if (state_.actions.redo) other = state_.history.redo();
        if (other) {
            state_.request.edits = std::move(*other);
            state_.edited();
        }
        if (state_.request_changed) show_title();
    }

    /// A star stands for changes that are in no file.
    void show_title() {
        window_.set_title(
            fmt::format("{}{} - Tuff", title_, state_.request.edits.empty() ? "" : " *"));
    }

    void save_config() {
        const Edits& edits = state_.request.edits;
        state_.notices.clear();
        if (edits.empty() || !state_.report || !state_.report->panel)
            return state_.say("nothing has been changed");
        const fs::path& file = state_.request.config;
        if (!is_own_config_) {
            state_.notices = fail("viewer/not-in-file",
                                  fmt::format("'{}' is no config: the one that shows it was made "
                                              "for the viewer",
                                              title_),
                                  "'tuff new' writes a config, whose parameters can be saved")
                                 .error();
            return;
        }
        for (const Diagnostic& problem : state_.report->problems)
            if (problem.code.starts_with("config/") || problem.code.starts_with("pass/"))
                return state_.say(fmt::format("nothing was saved: {}", problem.code));
        const auto written = save_changes(file, edits);
        if (!written) {
            state_.notices = written.error();
            return;
        }
        state_.say(fmt::format("saved {} change{} into {}", edits.size(),
                               edits.size() == 1 ? "" : "s", file.filename().string()));
        saved_ = edits;
        saved_over_.clear();
        for (const Control& control : state_.report->panel->controls)
            if (edits.contains(control.key)) saved_over_[control.key] = json_text(control.base);
        saved_panel_ = *written ? state_.report->panel : nullptr;
        forget_saved();
    }

    /// Once the file has been read again, what was saved is a change no longer.
    void forget_saved() {
        if (saved_.empty() || !state_.report || state_.report->panel == saved_panel_) return;
        for (const auto& [key, value] : saved_) {
            const auto edit = state_.request.edits.find(key);
            if (edit != state_.request.edits.end() && edit->second == value)
                state_.request.edits.erase(edit);
        }
        state_.history.saved(saved_, saved_over_);
        saved_.clear();
        saved_panel_.reset();
        state_.edited();
        show_title();
    }

    std::string stem() const {
        return state_.request.config.empty() ? "tuff" : state_.request.config.stem().string();
    }

    void tell(const Result<void>& saved, const fs::path& file) {
        state_.say(saved ? fmt::format("wrote {}", file.string())
                         : fmt::format("{}: {}", saved.error().front().code,
                                       saved.error().front().message));
    }

    void save_picture() {
        const Shown* shown = state_.shown();
        if (!shown || shown->image.empty()) {
            state_.say("only pictures are saved");
            return;
        }
        const FormatInfo& format = info(shown->image.format);
        const bool whole_numbers =
            format.kind == NumericKind::uint || format.kind == NumericKind::sint;
        const bool floats =
            format.kind == NumericKind::sfloat || format.kind == NumericKind::ufloat;
        const fs::path file = free_name(options_.folder, stem(),
                                        whole_numbers ? ".npy"
                                        : floats      ? ".exr"
                                                      : ".png");
        tell(save_image(file, slice_of(shown->image, state_.slice)), file);
    }

    /// By the scene's thread, whose device may encode.
    void save_jpeg() {
        const Shown* shown = state_.shown();
        const NumericKind kind = shown ? info(shown->image.format).kind : NumericKind::none;
        if (!shown || shown->image.empty() || kind == NumericKind::uint ||
            kind == NumericKind::sint) {
            state_.say("only pictures are saved as JPEG");
            return;
        }
        scene_.save_jpeg({.picture = slice_of(shown->image, state_.slice),
                          .file = free_name(options_.folder, stem(), ".jpg")});
    }

    void save_window() {
        const fs::path file = free_name(options_.folder, stem() + "-window", ".png");
        auto image = stage_.renderer().capture(list_, state_.display, window_.framebuffer());
        if (!image) return tell(propagate(std::move(image)), file);
        // The window is opaque.
        for (std::size_t i = 3; i < image->texels.size(); i += 4)
            image->texels[i] = std::byte{255};
        tell(save_image(file, *image), file);
    }

    void toggle_recording() {
        if (state_.recording) {
            scene_.stop_recording();
            return;
        }
        if (!options_.make_film) {
            state_.say("films are not to be had here");
            return;
        }
        const fs::path file = free_name(options_.folder, stem(), ".mp4");
        auto film = options_.make_film(file, options_.scene.frames_per_second);
        if (!film) {
            tell(propagate(std::move(film)), file);
            return;
        }
        scene_.record(std::move(*film), file);
        state_.say(fmt::format("recording {}", file.string()));
    }

    ViewerOptions& options_;
    Window& window_;
    ImguiContext& imgui_;
    Stage& stage_;
    SceneThread& scene_;
    StateFile state_file_;
    InterfaceState state_;
    DrawList list_;
    std::shared_ptr<const Shown> pictured_;
    std::uint32_t pictured_slice_ = 0;
    /// With which A, and how, the picture was brought that is shown.
    struct PicturedComparison {
        std::shared_ptr<const Shown> kept;
        Comparison how = Comparison::off;
        float line = 0.0f;
        friend bool operator==(const PicturedComparison&, const PicturedComparison&) = default;
    };
    PicturedComparison pictured_with_;
    std::string title_;
    bool is_own_config_ = false; ///< else it was made to show a model, a picture or a volume
    Edits saved_, saved_over_;   ///< what was saved, and the values before, until they are read
    std::shared_ptr<const Panel> saved_panel_; ///< of the file as it was before
    std::string film_told_;
    std::uint64_t jpegs_told_ = 0;
    Clock::time_point last_frame_ = Clock::now(), awake_until_ = Clock::now() + kStaysAwake;
};

/// The scene's own device first; software devices show windows everywhere.
std::vector<std::string> candidates_of(const ViewerOptions& options) {
    if (!options.interface_device.empty()) return {options.interface_device};
    const std::string scene =
        options.scene.device.empty() ? default_device_selection() : options.scene.device;
    return {scene, "auto", "lavapipe", "swiftshader"};
}

Result<void> show(ViewerOptions& options, ValidationLog& log) {
    Settings settings = load_settings(options.settings);
    if (options.config.empty() && !settings.recent.empty())
        options.config = settings.recent.front();
    auto window = Window::open(settings.width, settings.height, "Tuff");
    if (!window) return propagate(std::move(window));
    ImguiContext imgui(*window);
    DeviceRequest base;
    base.validation = options.scene.validation;
    base.on_message = log.sink();
    auto stage = Stage::open(*window, candidates_of(options), base, imgui.font());
    if (!stage) return propagate(std::move(stage));
    options.scene.on_message = log.sink();
    auto scene = std::make_unique<SceneThread>(options.scene);
    Viewer viewer(options, *window, imgui, *stage, *scene, std::move(settings));
    Result<void> outcome = viewer.run();
    if (auto saved = save_settings(options.settings, viewer.settings()); !saved && options.report)
        options.report(saved.error());
    if (!scene->stop(kPatience)) {
        (void)scene.release(); // its thread still uses it
        return fail("viewer/stuck", "the scene does not end: the device or the shader compiler "
                                    "has not come back");
    }
    return outcome;
}

} // namespace

Result<void> run_viewer(ViewerOptions options) {
    // A stuck scene thread may go on writing to it.
    auto* log = new ValidationLog;
    Result<void> outcome = show(options, *log);
    if (!outcome && outcome.error().front().code == "viewer/stuck") return outcome;
    const std::unique_ptr<ValidationLog> owned(log);
    return outcome ? owned->finish() : outcome;
}

} // namespace tuff::viewer
