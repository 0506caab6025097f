#include "apps/tuff/batch/run_record.hpp"

#include "apps/shared/installed_modules.hpp"

#include <fmt/format.h>
#include <tuff_config.hpp>

#include <algorithm>
#include <array>
#include <ctime>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

/// The time now, in UTC as ISO 8601 writes it.
std::string now_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), size};
}

Outcome<HashedFile> hash_written(const fs::path& file) {
    if (auto hashed = hash_file(file)) return std::move(*hashed);
    return run_failure(fail("cli/unreadable",
                            fmt::format("'{}' was written but cannot be read", file.string()),
                            "do not change the outputs while the run makes them")
                           .error());
}

} // namespace

RunIdentity identity_of(const PlannedRun& run, const ConfigFlags& given, double fps) {
    RunIdentity identity{.version = std::string(build_config::kVersion),
                         .config = fs::path(given.config).filename().string(),
                         .settings = {},
                         .files = {},
                         .frames = run.frames,
                         .fps = fps};
    for (const std::string& set : given.sets) {
        const std::size_t equals = set.find('='); // the config was opened with them
        identity.settings.push_back({set.substr(0, equals), set.substr(equals + 1)});
    }
    for (const std::string& input : given.inputs) {
        const auto [name, file] = split_input(input);
        identity.files.push_back({name, file.string()});
    }
    identity.settings.insert(identity.settings.end(), run.swept.begin(), run.swept.end());
    return identity;
}

std::vector<OpenedConfig::Given> settings_of(const PlannedRun& run, const ConfigFlags& given) {
    std::vector<OpenedConfig::Given> settings;
    for (const std::string& set : given.sets)
        settings.push_back({.setting = set});
    for (const auto& [parameter, value] : run.swept)
        settings.push_back({.setting = parameter + "=" + value, .option = "--sweep"});
    return settings;
}

std::vector<fs::path> sources_of(const OpenedConfig& config, const ConfigFlags& given) {
    std::vector<fs::path> files = config.config().files();
    for (const std::string& module : users_modules(given.modules))
        files.emplace_back(module);
    for (fs::path& file : files)
        file = whole_path(file);
    return files;
}

RunRecord::RunRecord(const PlannedRun& run, RunIdentity identity, const OpenedConfig& config,
                     FileHashes* hashes)
    : hashes_(hashes) {
    run_.name = run.name;
    run_.identity = std::move(identity);
    run_.parameters = config.config().parameters();
    run_.started = now_text();
    texts_ = picture_texts(run_.identity, run_.parameters);
}

void RunRecord::add_input(const fs::path& file) {
    const fs::path whole = whole_path(file);
    if (auto hashed = hashes_->of(whole)) run_.inputs.push_back(std::move(*hashed));
}

std::vector<ImageText> RunRecord::texts(std::int64_t frame) const {
    std::vector<ImageText> texts = texts_;
    texts.push_back({"tuff.frame", fmt::format("{}", frame)});
    return texts;
}

void RunRecord::add_output(const std::string& output, const fs::path& file,
                           const std::vector<fs::path>& pieces) {
    written_.emplace_back(output, whole_path(file));
    if (pieces.empty()) return;
    std::vector<fs::path>& own = pieces_[whole_path(file)];
    own.clear();
    for (const fs::path& piece : pieces)
        own.push_back(whole_path(piece));
}

Outcome<ManifestRun> RunRecord::finish(const FrameRunner& runner, std::uint32_t compilations_before,
                                       const Diagnostics& warnings) {
    for (const auto& [output, file] : written_) {
        auto hashed = hash_written(file);
        if (!hashed) return pass_on(std::move(hashed));
        WrittenFile written{.output = output, .file = std::move(*hashed)};
        for (const fs::path& piece : pieces_[file]) {
            auto hashed_piece = hash_written(piece);
            if (!hashed_piece) return pass_on(std::move(hashed_piece));
            written.pieces.push_back(std::move(*hashed_piece));
        }
        run_.outputs.push_back(std::move(written));
    }
    run_.device = runner.device().caps().name;
    run_.driver = runner.device().caps().driver;
    run_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    run_.compilations = runner.compilations() - compilations_before;
    run_.warnings = warnings;
    return run_;
}

} // namespace tuff::cli
