#pragma once

#include "apps/shared/confinement.hpp"
#include "apps/shared/device_jpeg.hpp"
#include "apps/shared/outcome.hpp"
#include "apps/shared/terminal.hpp"
#include "apps/shared/watch.hpp"

#include <tuff/asset_cache.hpp>
#include <tuff/config.hpp>
#include <tuff/device.hpp>
#include <tuff/executor.hpp>
#include <tuff/plan.hpp>
#include <tuff/shader_library.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the subcommands share: the options that mean the same everywhere, finding and opening
/// configs, opening the device, writing files.
namespace tuff::cli {

/// CONFIG, --set, --input, --passes and --confine.
struct ConfigFlags {
    std::string config;
    std::vector<std::string> sets = {};    ///< "name=value"
    std::vector<std::string> inputs = {};  ///< "name=file"
    std::vector<std::string> modules = {}; ///< files of users' modules
    ConfinementFlags confinement = {};
    FilesRead files_read = {}; ///< where there is one, what is read is added to it
};

/// --memory-budget, --alias, --order, --barriers, --queues, --poison; `memory`
/// stays null. Those who run graphs also have --watch-nan and --assertions.
struct CompileFlags : CompileOptions {
    bool watch_finite = false;
    bool trail = false;
    std::uint32_t frames_in_flight = ExecutorOptions{}.frames_in_flight;
    Timeline* timeline = nullptr; ///< null: nothing is noted
    bool assertions = true;
};

/// --device and --validation.
struct DeviceFlags {
    std::string select; ///< empty: TUFF_DEVICE, or auto
    bool validation = false;
    bool prints = false;      ///< what kernels print goes to the terminal
    std::uint64_t frames = 0; ///< that the command runs; 0: any number. `auto` looks at it
};

/// A directory that configs given by bare name are looked for in, nearest first; existing ones
/// only.
std::vector<std::filesystem::path> graph_folders();

/// Names of the configs that come with Tuff, sorted: what `tuff run NAME` takes.
std::vector<std::string> shipped_graphs();

/// The file that CONFIG means: a path, or the name of a shipped graph.
/// Errors: cli/unknown-graph; a path that does not exist is left to `Config::load`.
Outcome<std::filesystem::path> find_config(std::string_view name);

/// A config with all that building its graph takes.
class OpenedConfig {
  public:
    /// Finds, reads and checks the config, applies --set, prints warnings.
    static Outcome<OpenedConfig> open(const ConfigFlags& flags, Terminal& terminal);

    /// Takes back all that was set, and sets `settings` ("sigma=2") instead. They were given by
    /// the option of that name.
    struct Given {
        std::string setting;
        std::string option = "--set";
    };
    Outcome<void> replace_settings(std::vector<Given> settings);

    /// The files that building has read so far: models, images.
    std::vector<std::filesystem::path> asset_files() const { return assets_.files(); }

    /// The wire that is looked at of a model, picture or volume that stands for a config; empty of
    /// a config.
    const std::string& subject() const { return subject_; }

    Config& config() { return config_; }
    const Config& config() const { return config_; }
    const ShaderLibrary& shaders() const { return *shaders_; }

    /// Bytes that its graph may take; none: any number.
    std::optional<std::uint64_t> memory_limit() const { return memory_limit_; }

    /// The device that graphs are built for; until it is known, the core tier.
    void set_target(const DeviceCaps& target) { target_ = target; }

    /// Has the device make the JPEG files of these outputs, where `maker` says so.
    void make_jpegs(std::set<std::string> outputs, JpegMaker maker) {
        jpegs_ = std::move(outputs);
        jpeg_maker_ = maker;
    }

    /// The graph of one frame, with room for `pools`; the warnings of the first are printed.
    Outcome<ConfiguredGraph> build(const FrameTime& frame, const PoolSizes& pools = {});

  private:
    void note_assets_read();
    /// What --set has to do with a graph that cannot be built.
    Diagnostics blame_sets(const FrameTime& frame, const PoolSizes& pools);
    OpenedConfig(std::shared_ptr<Modules> modules, std::unique_ptr<PassRegistry> registry,
                 Config config, Terminal& terminal);

    std::unique_ptr<PassRegistry> registry_; ///< behind a pointer, for `config_` refers to it
    std::unique_ptr<ShaderLibrary> shaders_; ///< kept, for graphs refer to it
    Config config_;
    AssetCache assets_;
    DeviceCaps target_;
    std::set<std::string> jpegs_; ///< outputs
    JpegMaker jpeg_maker_ = JpegMaker::library;
    std::optional<std::uint64_t> memory_limit_;
    Terminal* terminal_;
    bool warned_ = false;
    std::vector<Given> sets_;
    std::string subject_;
    FilesRead files_read_;
};

/// The two sides of "name=file"; empty ones where it is not written so.
std::pair<std::string, std::filesystem::path> split_input(const std::string& input);

/// Opens the device that the flags choose; validation messages go to the terminal.
Outcome<Device> open_device(const DeviceFlags& flags, Terminal& terminal);

/// Fails with the messages of the validation layer's, if there were any. Error: device/validation.
Outcome<void> check_validation(const Device& device);

/// Writes `text` to `path` by way of a temporary file, so that `path` is whole or untouched.
/// Error: cli/unwritable.
Outcome<void> write_text_file(const std::filesystem::path& path, std::string_view text);

/// Tells before a long run that `path` cannot be written in the end. Error: cli/unwritable.
Outcome<void> check_writable(const std::filesystem::path& path);

} // namespace tuff::cli
