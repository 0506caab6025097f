#include "apps/shared/common.hpp"

#include "apps/shared/file_config.hpp"
#include "apps/shared/installed_modules.hpp"
#include "core/file_access.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

Result<void> apply_set(Config& config, const std::string& set) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0)
        return fail("cli/bad-set", fmt::format("--set takes NAME=VALUE, not '{}'", set),
                    "for instance --set exposure=1.5");
    return config.set(std::string_view(set).substr(0, equals),
                      std::string_view(set).substr(equals + 1));
}

Result<void> apply_input(Config& config, const std::string& input) {
    const auto [name, file] = split_input(input);
    if (name.empty() || file.empty())
        return fail("cli/bad-input", fmt::format("--input takes NAME=FILE, not '{}'", input),
                    "for instance --input picture=photo.png");
    return config.set_file(name, file);
}

std::unexpected<Failure> unwritable(const fs::path& path, std::string_view reason) {
    return run_failure(fail("cli/unwritable",
                            fmt::format("cannot write '{}': {}", path.string(), reason),
                            "choose a file in a folder that exists and is writable")
                           .error());
}

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

} // namespace

std::pair<std::string, fs::path> split_input(const std::string& input) {
    const std::size_t equals = input.find('=');
    if (equals == std::string::npos) return {};
    return {input.substr(0, equals), input.substr(equals + 1)};
}

OpenedConfig::OpenedConfig(std::shared_ptr<Modules> modules, std::unique_ptr<PassRegistry> registry,
                           Config config, Terminal& terminal)
    : registry_(std::move(registry)), shaders_(std::make_unique<ShaderLibrary>(std::move(modules))),
      config_(std::move(config)), terminal_(&terminal) {}

Outcome<OpenedConfig> OpenedConfig::open(const ConfigFlags& flags, Terminal& terminal) {
    auto path = find_config(flags.config);
    if (!path) return pass_on(std::move(path));
    if (flags.files_read) flags.files_read->push_back(*path);
    auto modules = find_modules(flags.modules);
    if (!modules) return pass_on(std::move(modules));
    auto registry = std::make_unique<PassRegistry>(*modules);
    ConfigOptions options;
    if (flags.confinement.confine) options.confined_to = asset_folders(folder_of(*path));
    const auto built_in = config_of_file(*path, options.confined_to);
    auto config = built_in ? Config::parse(built_in->text, *path, *registry, options)
                           : Config::load(*path, *registry, options);
    if (!config) return usage_failure(std::move(config.error()));
    if (flags.files_read) std::ranges::move(config->files(), std::back_inserter(*flags.files_read));
    OpenedConfig opened(std::move(*modules), std::move(registry), std::move(*config), terminal);
    if (built_in) opened.subject_ = built_in->subject;
    std::vector<Given> sets;
    for (const std::string& set : flags.sets)
        sets.push_back({.setting = set});
    if (auto set = opened.replace_settings(std::move(sets)); !set) return pass_on(std::move(set));
    Diagnostics problems;
    for (const std::string& input : flags.inputs)
        if (auto applied = apply_input(opened.config_, input); !applied)
            std::ranges::move(applied.error(), std::back_inserter(problems));
    if (!problems.empty()) return usage_failure(std::move(problems));
    terminal.report(opened.config().warnings());
    opened.files_read_ = flags.files_read;
    opened.memory_limit_ = flags.confinement.memory_limit();
    return opened;
}

Outcome<void> OpenedConfig::replace_settings(std::vector<Given> settings) {
    config_.unset();
    Diagnostics problems;
    for (const Given& given : settings)
        if (auto applied = apply_set(config_, given.setting); !applied)
            std::ranges::move(applied.error(), std::back_inserter(problems));
    sets_ = std::move(settings);
    if (!problems.empty()) return usage_failure(std::move(problems));
    return {};
}

Outcome<ConfiguredGraph> OpenedConfig::build(const FrameTime& frame, const PoolSizes& pools) {
    auto built = config_.build(*shaders_, assets_, frame, target_, pools);
    if (!warned_ || !built) note_assets_read();
    if (!built) {
        Diagnostics problems = blame_sets(frame, pools);
        std::ranges::move(built.error(), std::back_inserter(problems));
        return usage_failure(std::move(problems));
    }
    if (makes_jpegs(jpeg_maker_, target_))
        *built = with_jpegs(std::move(*built), jpegs_, *registry_, *shaders_, target_, pools);
    if (!has_errors(built->graph.diagnostics) && !warned_)
        terminal_->report(built->graph.diagnostics);
    warned_ = true;
    return std::move(*built);
}

void OpenedConfig::note_assets_read() {
    if (files_read_) std::ranges::move(asset_files(), std::back_inserter(*files_read_));
}

Diagnostics OpenedConfig::blame_sets(const FrameTime& frame, const PoolSizes& pools) {
    if (sets_.empty()) return {};
    const auto is_sound_without = [&](std::size_t left_out) {
        Config config = config_;
        config.unset();
        for (std::size_t i = 0; i < sets_.size(); ++i)
            if (i != left_out && left_out < sets_.size())
                if (auto applied = apply_set(config, sets_[i].setting); !applied) return false;
        return config.build(*shaders_, assets_, frame, target_, pools).has_value();
    };
    if (!is_sound_without(sets_.size())) return {}; // so it is wrong by itself
    std::vector<std::string> given;
    std::vector<std::string> at_fault;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
        given.push_back(sets_[i].option + " " + sets_[i].setting);
        if (is_sound_without(i)) at_fault.push_back(given.back());
    }
    if (at_fault.empty()) at_fault = given; // only together
    const std::string place = fmt::format("{}", fmt::join(at_fault, " "));
    return {{.code = "cli/set-at-fault",
             .message = fmt::format("the config is sound without {}", place),
             .where = {.file = place, .line_text = {}},
             .hint = "give another value; the errors that this one causes follow"}};
}

Outcome<Device> open_device(const DeviceFlags& flags, Terminal& terminal) {
    DeviceRequest request;
    request.select = flags.select.empty() ? default_device_selection() : flags.select;
    request.validation = flags.validation;
    request.executions = flags.frames;
    if (flags.prints)
        request.on_print = [&terminal](std::string_view text) {
            terminal.note(fmt::format("{}\n", text));
        };
    auto device = Device::open(request);
    if (device) return std::move(*device);
    // A name that fits no device is a slip of the command line; everything else is the machine's.
    Diagnostics problems = std::move(device.error());
    const bool misnamed = !problems.empty() && problems.front().code == "device/unknown";
    return misnamed ? usage_failure(std::move(problems)) : run_failure(std::move(problems));
}

Outcome<void> check_validation(const Device& device) {
    Diagnostics problems;
    for (std::string& message : device.validation_messages())
        problems.push_back({.code = "device/validation",
                            .message = std::move(message),
                            .hint = "this is a bug in Tuff or in a custom node: please report it"});
    if (problems.empty()) return {};
    return run_failure(std::move(problems));
}

Outcome<void> check_writable(const fs::path& path) {
    std::error_code error;
    const fs::path folder = folder_of(path);
    if (!fs::is_directory(folder, error))
        return unwritable(path, fmt::format("there is no folder '{}'", folder.string()));
    if (fs::is_directory(path, error)) return unwritable(path, "it is a folder");
    if (access(folder.c_str(), W_OK) != 0) return unwritable(path, std::strerror(errno));
    return {};
}

Outcome<void> write_text_file(const fs::path& path, std::string_view text) {
    if (auto writable = check_writable(path); !writable) return writable;
    const auto made = new_file_beside(path, ".part");
    if (!made) return unwritable(path, made.error().message());
    const fs::path& temporary = *made;
    errno = 0;
    std::ofstream file(temporary, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    std::error_code error;
    if (!file) {
        const int reason = errno;
        fs::remove(temporary, error);
        return unwritable(path, reason ? std::strerror(reason) : "the write failed");
    }
    fs::rename(temporary, path, error);
    if (!error) return {};
    const std::string reason = error.message();
    fs::remove(temporary, error);
    return unwritable(path, reason);
}

} // namespace tuff::cli
