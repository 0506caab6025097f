#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/frame_runner.hpp"
#include "apps/shared/installed_modules.hpp"
#include "apps/tuff/report/shared_libraries.hpp"
#include "core/text_table.hpp"

#include <tuff/assets.hpp>
#include <tuff/pass.hpp>

#include <fmt/format.h>
#include <tuff_cli_files.hpp>
#include <tuff_config.hpp>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

struct BundleOptions {
    std::string out = "tuff-bundle";
    bool no_assets = false;
};

constexpr fs::perms kProgram = fs::perms::owner_all | fs::perms::group_read |
                               fs::perms::group_exec | fs::perms::others_read |
                               fs::perms::others_exec;

std::unexpected<Failure> io_failure(const fs::path& path, const std::error_code& error) {
    return run_failure(fail("cli/unwritable",
                            fmt::format("cannot write '{}': {}", path.string(), error.message()),
                            "choose a writable folder on a disk with space")
                           .error());
}

/// A folder under construction, gone again unless it is kept.
class Draft {
  public:
    explicit Draft(const fs::path& wanted) : wanted_(wanted), path_(wanted) {
        path_ += fmt::format(".{}.part", getpid());
    }
    ~Draft() {
        std::error_code ignored;
        if (!kept_) fs::remove_all(path_, ignored);
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    /// Copies a file to `to` in the folder, links resolved. A file that is there already stays.
    Outcome<void> add(const fs::path& from, const fs::path& to) {
        std::error_code error;
        const fs::path target = path_ / to;
        fs::create_directories(target.parent_path(), error);
        if (error) return io_failure(target.parent_path(), error);
        const bool copied = fs::copy_file(from, target, fs::copy_options::skip_existing, error);
        if (error) return io_failure(target, error);
        if (copied) bytes_ += fs::file_size(target, error);
        return {};
    }

    Outcome<void> add_text(const fs::path& to, std::string_view text) {
        std::error_code error;
        const fs::path target = path_ / to;
        fs::create_directories(target.parent_path(), error);
        if (error) return io_failure(target.parent_path(), error);
        return write_text_file(target, text);
    }

    Outcome<void> make_program(const fs::path& file) {
        std::error_code error;
        fs::permissions(path_ / file, kProgram, error);
        if (error) return io_failure(path_ / file, error);
        return {};
    }

    /// Gives the folder its name. An empty folder of that name is replaced.
    Outcome<void> keep() {
        std::error_code error;
        fs::rename(path_, wanted_, error);
        if (error) return io_failure(wanted_, error);
        kept_ = true;
        return {};
    }

    const fs::path& path() const { return path_; }
    std::uint64_t bytes() const { return bytes_; }

  private:
    fs::path wanted_;
    fs::path path_;
    std::uint64_t bytes_ = 0;
    bool kept_ = false;
};

Outcome<void> check_free(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) &&
        !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
        return usage_failure(fail("bundle/exists",
                                  fmt::format("'{}' exists already", folder.string()),
                                  "remove it, or choose another folder with --out")
                                 .error());
    return check_writable(fs::path(folder) += ".part");
}

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes a bundle and tells about it.
class Bundle {
  public:
    Bundle(const BundleOptions& options, Terminal& terminal)
        : options_(options), terminal_(terminal), draft_(options.out) {}

    Outcome<void> write() {
        if (auto ok = add_program(); !ok) return ok;
        if (auto ok = add_graphs(); !ok) return ok;
        if (auto ok = draft_.add_text("README.txt", readme()); !ok) return ok;
        if (auto ok = draft_.keep(); !ok) return ok;
        terminal_.print(
            fmt::format("wrote {}: {}, {} shared libraries, {}\nruns on x86-64 Linux with {} and a "
                        "Vulkan 1.3 driver\n",
                        options_.out, human_bytes(draft_.bytes()), libraries_,
                        counted(graphs_, "graph"), needed()));
        terminal_.print(
            fmt::format("start it with {}\n", (fs::path(options_.out) / "tuff").string()));
        return {};
    }

  private:
    Outcome<void> add_program() {
        // Loaded, they and what they need are among the libraries of this process.
        auto modules = find_modules({});
        if (!modules) return pass_on(std::move(modules));
        static_cast<void>(PassRegistry(*modules).names());
        std::error_code error;
        const fs::path program = fs::read_symlink("/proc/self/exe", error);
        if (error)
            return run_failure(fail("bundle/unsupported",
                                    "this system does not list the files of the program",
                                    "bundles are made on Linux")
                                   .error());
        if (auto ok = add_binary(program, fs::path("bin") / "tuff"); !ok) return ok;
        if (auto ok = draft_.make_program(fs::path("bin") / "tuff"); !ok) return ok;
        std::vector<fs::path> libraries = loaded_libraries();
        for (const std::string name : {"tuff-bench", "tuff-view"}) {
            const fs::path other = fs::path(program).replace_filename(name);
            if (!fs::exists(other, error)) continue; // not built here
            if (auto ok = add_binary(other, fs::path("bin") / name); !ok) return ok;
            if (auto ok = draft_.make_program(fs::path("bin") / name); !ok) return ok;
            for (fs::path& library : libraries_of(other))
                if (std::ranges::find(libraries, library.filename(), &fs::path::filename) ==
                    libraries.end())
                    libraries.push_back(std::move(library));
        }
        for (const fs::path& library : libraries) {
            const LibraryKind kind = kind_of(library.filename().string());
            if (kind == LibraryKind::system) continue;
            const bool module = library.parent_path().filename() == "modules";
            const fs::path folder = module                         ? fs::path("lib/tuff/modules")
                                    : kind == LibraryKind::runtime ? fs::path("lib/runtime")
                                                                   : fs::path("lib");
            if (auto ok = add_binary(library, folder / library.filename()); !ok) return ok;
            ++libraries_;
        }
        // Where the program looks when the machine has none (engine/gpu/device/loader.cpp).
        if (const auto loader = vulkan_loader()) {
            if (auto ok = add_binary(*loader, fs::path("lib/vulkan/libvulkan.so.1")); !ok)
                return ok;
            ++libraries_;
        } else {
            terminal_.note("no Vulkan loader was found to take along: the other machine must have "
                           "one\n");
        }
        if (auto ok = draft_.add_text("tuff", files::bundle_launcher_sh()); !ok) return ok;
        return draft_.make_program("tuff");
    }

    Outcome<void> add_binary(const fs::path& from, const fs::path& to) {
        if (auto ok = draft_.add(from, to); !ok) return ok;
        const bool always = kind_of(from.filename().string()) != LibraryKind::runtime;
        std::string& version = always ? glibc_ : runtime_glibc_;
        version = newer_version(std::move(version), needed_glibc(contents(from)));
        return {};
    }

    /// Of the machine.
    std::string needed() const {
        const std::string newest = newer_version(glibc_, runtime_glibc_);
        if (newest == glibc_) return fmt::format("glibc {} or newer", glibc_);
        return fmt::format("glibc {} or newer ({} where there is no C++ runtime)", glibc_, newest);
    }

    Outcome<void> add_graphs() {
        for (const std::string& name : shipped_graphs()) {
            const auto config = find_config(name);
            if (!config) continue;
            if (auto ok = draft_.add(*config, kGraphs / config->filename()); !ok) return ok;
            ++graphs_;
            if (options_.no_assets) continue;
            if (auto ok = add_assets(name, *config); !ok) return ok;
        }
        return {};
    }

    /// The files that a graph reads, found by building it.
    Outcome<void> add_assets(const std::string& name, const fs::path& config) {
        auto opened = OpenedConfig::open({.config = config.string(), .sets = {}}, terminal_);
        if (!opened) return pass_on(std::move(opened));
        if (auto built = opened->build(frame_time(0, 60.0)); !built) {
            terminal_.report(built.error().diagnostics);
            terminal_.note(fmt::format("the graph '{}' is bundled without its assets\n", name));
            return {};
        }
        for (const fs::path& file : opened->asset_files()) {
            // A .gltf names further files beside it.
            std::vector<fs::path> all = {file};
            std::error_code ignored;
            if (file.extension() == ".gltf")
                for (const auto& entry : fs::directory_iterator(file.parent_path(), ignored))
                    if (entry.is_regular_file(ignored)) all.push_back(entry.path());
            for (const fs::path& one : all)
                if (auto ok = add_asset(one, config.parent_path()); !ok) return ok;
        }
        return {};
    }

    /// To where the bundled program finds it under the same name.
    Outcome<void> add_asset(const fs::path& file, const fs::path& base) {
        std::error_code ignored;
        const fs::path whole = fs::absolute(file, ignored).lexically_normal();
        for (const fs::path& folder : asset_folders(base)) {
            const fs::path name =
                whole.lexically_relative(fs::absolute(folder, ignored).lexically_normal());
            if (name.empty() || *name.begin() == "..") continue;
            return draft_.add(file, (folder == base ? kGraphs : fs::path("share")) / name);
        }
        terminal_.note(fmt::format(
            "'{}' is left out: graphs name it by its place on this machine\n", file.string()));
        return {};
    }

    std::string readme() const {
        return fmt::format(
            "Tuff {}\n\n"
            "Start ./tuff; ./tuff --help lists its commands. It runs on x86-64 Linux with\n{}\nand "
            "a Vulkan 1.3 driver; nothing is installed. The folder may be moved.\n\n"
            "bin/          the programs\n"
            "lib/          its libraries; runtime/ and vulkan/ are used only "
            "where the\n              machine has none that will do\n"
            "share/        the shipped graphs and what they read\n",
            build_config::kVersion, needed());
    }

    const fs::path kGraphs = fs::path("share") / "tuff" / "graphs";

    const BundleOptions& options_;
    Terminal& terminal_;
    Draft draft_;
    std::string glibc_;         ///< version that the program cannot do without
    std::string runtime_glibc_; ///< and the libraries of lib/runtime
    std::uint64_t libraries_ = 0;
    std::uint64_t graphs_ = 0;
};

Outcome<void> bundle(const BundleOptions& options, Terminal& terminal) {
    BundleOptions cleaned = options;
    if (cleaned.out.empty())
        return usage_failure(
            fail("cli/usage", "--out is empty", "give the name of a folder").error());
    while (cleaned.out.size() > 1 && cleaned.out.ends_with('/')) // "bundle/" names "bundle"
        cleaned.out.pop_back();
    if (auto ok = check_free(cleaned.out); !ok) return ok;
    return Bundle(cleaned, terminal).write();
}

} // namespace

void add_bundle_command(Command& app, Action& action) {
    auto options = std::make_shared<BundleOptions>();
    Command* command = app.add_subcommand(
        "bundle", "Write a folder that runs on another machine: program, libraries, graphs");
    command->add_option("--out", options->out, "The folder; default: tuff-bundle")
        ->type_name(std::string(kFolderType));
    command->add_flag("--no-assets", options->no_assets,
                      "Leave out the models and images that the shipped graphs read");
    command->footer("Example:\n"
                    "  tuff bundle --out tuff-bundle\n"
                    "  tuff-bundle/tuff devices              there, or on another machine");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) { return bundle(*options, terminal); };
    });
}

} // namespace tuff::cli
