#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/frame_runner.hpp"
#include "apps/tuff/report/golden.hpp"
#include "apps/tuff/report/json_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>
#include <system_error>

namespace tuff::cli {
namespace {

namespace fs = std::filesystem;

struct GoldenOptions {
    std::vector<std::string> configs;
    std::vector<std::string> sets;
    std::vector<std::string> modules;
    ConfinementFlags confinement;
    DeviceFlags device;
    std::string dir;
    std::string report = "golden-report";
    std::int64_t frames = 1;
    double fps = 60.0;
    GoldenLimits limits;
    bool update = false;
    std::string junit;
    bool json = false;
};

Outcome<void> make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (fs::is_directory(folder, error)) return {};
    return run_failure(fail("cli/unwritable",
                            fmt::format("cannot make the folder '{}'", folder.string()),
                            "choose a writable folder")
                           .error());
}

/// With --confine: what configs come with may hold the folders, and links in their place.
Outcome<void> expect_plain(const fs::path& path, fs::file_type type) {
    std::error_code ignored;
    const fs::file_type there = fs::symlink_status(path, ignored).type();
    if (there == type || there == fs::file_type::not_found) return {};
    return usage_failure(
        fail("cli/unsafe-output",
             fmt::format("'{}' is {}, which --confine does not follow", path.string(),
                         there == fs::file_type::symlink ? "a link" : "not a plain file or folder"),
             "remove it, or name what it leads to")
            .error());
}

/// What is looked at: outputs that name a file, or where none does the first.
std::vector<std::string> chosen_outputs(const Config& config) {
    std::vector<std::string> names;
    for (const ConfiguredOutput& output : config.outputs())
        if (!output.file.empty()) names.push_back(output.name);
    if (names.empty() && !config.outputs().empty()) names.push_back(config.outputs().front().name);
    return names;
}

class Golden {
  public:
    Golden(const GoldenOptions& options, Terminal& terminal)
        : options_(options), terminal_(terminal) {}

    Outcome<void> operator()() {
        if (!options_.junit.empty())
            if (auto writable = check_writable(options_.junit); !writable) return writable;
        for (const std::string& folder : {options_.dir, options_.report}) {
            if (options_.confinement.confine)
                if (auto plain = expect_plain(folder, fs::file_type::directory); !plain)
                    return plain;
            if (auto made = make_folder(folder); !made) return made;
        }
        std::set<std::string> names;
        for (const std::string& config : options_.configs)
            if (!names.insert(fs::path(config).stem().string()).second)
                return usage_failure(fail("cli/same-name",
                                          fmt::format("two configs are named '{}'",
                                                      fs::path(config).stem().string()),
                                          "their stored results would have the same names: "
                                          "compare them one after the other")
                                         .error());
        for (const std::string& config : options_.configs)
            if (auto done = run(config); !done) return done;
        return report();
    }

    /// What was found so far, for programs.
    void tell(Json::Value& result) const {
        result["results"] = Json::Value(Json::arrayValue);
        for (const GoldenCase& one : cases_) {
            Json::Value& entry = result["results"].append({});
            entry["name"] = one.name;
            entry["verdict"] = std::string(name_of(one.verdict));
            entry["finding"] = one.finding;
            entry["golden"] = one.golden.string();
        }
        for (const std::string& name : skipped_)
            result["skipped"].append(name);
        result["report"] = (fs::path(options_.report) / "index.html").string();
    }

  private:
    Outcome<void> run(const std::string& name) {
        auto config = OpenedConfig::open({.config = name,
                                          .sets = options_.sets,
                                          .modules = options_.modules,
                                          .confinement = options_.confinement},
                                         terminal_);
        if (!config) return pass_on(std::move(config));
        if (const auto open = config->config().open_inputs(); !open.empty()) {
            skipped_.push_back(name);
            terminal_.print(fmt::format("skipped  {}: nothing is connected to its {}\n", name,
                                        fmt::join(open, ", ")));
            return {};
        }
        DeviceFlags device = options_.device;
        device.frames = static_cast<std::uint64_t>(options_.frames);
        auto runner =
            FrameRunner::start(*config, {}, device, frame_time(0, options_.fps), terminal_);
        if (!runner) return pass_on(std::move(runner));
        for (std::int64_t frame = 0; frame < options_.frames; ++frame)
            if (auto ran = runner->run(frame_time(frame, options_.fps)); !ran) return ran;
        for (const std::string& output : chosen_outputs(config->config())) {
            auto result = fetch_output(runner->executor(), output);
            if (!result) return pass_on(std::move(result));
            auto judged = judge(fs::path(name).stem().string(), output, *result);
            if (!judged) return judged;
        }
        return runner->finish();
    }

    Outcome<void> judge(const std::string& config, const std::string& output,
                        const FetchedOutput& result) {
        const fs::path golden = fs::path(options_.dir) / golden_file_name(config, output, result);
        if (options_.confinement.confine)
            if (auto plain = expect_plain(golden, fs::file_type::regular); !plain) return plain;
        const std::string name = fmt::format("{} {}", config, output);
        auto found = compare_with_golden(name, result, golden, options_.limits, options_.report);
        if (!found) return pass_on(std::move(found));
        const bool wrong = found->verdict != GoldenVerdict::same;
        if (wrong && options_.update) {
            if (auto stored = store_golden(result, golden); !stored) return stored;
            found->verdict = GoldenVerdict::stored;
            found->finding = golden.string();
        }
        wrong_ += wrong ? 1 : 0;
        terminal_.print(fmt::format("{:9}{}: {}\n", name_of(found->verdict), name, found->finding));
        terminal_.flush();
        cases_.push_back(std::move(*found));
        return {};
    }

    Outcome<void> report() {
        const fs::path page = fs::path(options_.report) / "index.html";
        if (auto written = write_text_file(page, golden_page(cases_)); !written) return written;
        if (!options_.junit.empty())
            if (auto written = write_text_file(options_.junit, golden_junit(cases_, skipped_));
                !written)
                return written;
        if (wrong_ == 0 || options_.update) return {};
        return run_failure(
            fail("cli/golden-differs",
                 fmt::format("{} of {} results differ from the stored ones", wrong_, cases_.size()),
                 fmt::format("look at {}; if the new results are right, --update stores them",
                             page.string()))
                .error());
    }

    const GoldenOptions& options_;
    Terminal& terminal_;
    std::vector<GoldenCase> cases_;
    std::vector<std::string> skipped_; ///< configs that wait for a host
    std::size_t wrong_ = 0;
};

} // namespace

void add_golden_command(Command& app, Action& action) {
    auto options = std::make_shared<GoldenOptions>();
    Command* command = app.add_subcommand("golden", "Compare results of configs with stored ones");
    command->add_option("configs", options->configs, "Configs to run")
        ->type_name(std::string(kConfigType))
        ->required();
    command->add_option("--dir", options->dir, "Folder of the stored results")
        ->type_name(std::string(kFolderType))
        ->required();
    command->add_flag("--update", options->update, "Store results that are missing or differ");
    command
        ->add_option("--report", options->report,
                     "Folder for index.html with pictures of the differences; default: "
                     "golden-report")
        ->type_name(std::string(kFolderType));
    command->add_option("--junit", options->junit, "Write the results as JUnit XML, for CI")
        ->type_name(std::string(kFileType));
    add_json_flag(*command, options->json);
    command->add_option("--frames", options->frames, "Frames to run; the last is compared")
        ->type_name("N")
        ->range(1, 1'000'000);
    command->add_option("--fps", options->fps, "Frames a second: $time is frame / fps")
        ->type_name("F")
        ->range(1e-3, 1e6);
    command
        ->add_option("--mean", options->limits.mean,
                     "Largest mean colour distance (CIE Lab); default: 1")
        ->type_name("E")
        ->range(0.0, 1e3);
    command
        ->add_option("--tile", options->limits.tile,
                     "Largest mean colour distance in a tile of 16x16 texels; default: 6")
        ->type_name("E")
        ->range(0.0, 1e3);
    add_set_flag(*command, options->sets);
    add_passes_flag(*command, options->modules);
    add_confinement_flags(*command, options->confinement);
    add_device_flags(*command, options->device);
    command->footer("Examples:\n  tuff golden scene.json --dir golden --update\n"
                    "  tuff golden scene.json menu.json --dir golden --device swiftshader");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->confinement, [&] {
                return answer(options->json, "golden", terminal, [&](Json::Value& result) {
                    Golden golden(*options, terminal);
                    const Outcome<void> done = golden();
                    golden.tell(result);
                    return done;
                });
            });
        };
    });
}

} // namespace tuff::cli
