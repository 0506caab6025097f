#include "gpu/checkpoint/checksum.hpp"
#include "gpu/checkpoint/durable_file.hpp"
#include "gpu/checkpoint/folders.hpp"
#include "gpu/checkpoint/manifest.hpp"
#include "gpu/execute/executor_impl.hpp"

#include <fmt/format.h>
#include <tuff_config.hpp>

#include <algorithm>

namespace tuff {
namespace {

namespace fs = std::filesystem;

std::unexpected<Diagnostics> cannot_write(const fs::path& path, std::string_view why) {
    return fail({.code = "checkpoint/unwritable",
                 .message = fmt::format("the checkpoint cannot be written: {}", why),
                 .where = {.file = path.string()},
                 .hint = "earlier checkpoints are as they were"});
}

/// "003_jet_state.bin": in the graph's order, and told from others of its name.
std::string file_name(std::size_t index, std::string_view history) {
    constexpr std::size_t kMaxLetters = 80;
    std::string letters(history.substr(0, kMaxLetters));
    for (char& c : letters) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
        if (!plain) c = '_';
    }
    return fmt::format("{:03}_{}.bin", index, letters);
}

/// The files of a checkpoint in a folder that nobody looks at yet.
Result<void> fill(Executor& executor, Checkpoint& checkpoint, const fs::path& folder) {
    const std::vector<HistoryInfo>& histories = executor.histories();
    for (std::size_t i = 0; i < histories.size(); ++i) {
        const auto contents = executor.read_history(i);
        if (!contents) return std::unexpected(contents.error());
        Checksum checksum;
        checksum.add(*contents);
        checkpoint.histories.push_back({.info = histories[i],
                                        .file = file_name(i, histories[i].name),
                                        .bytes = contents->size(),
                                        .checksum = checksum.text()});
        const fs::path file = folder / checkpoint.histories.back().file;
        if (const auto error = write_durably(file, *contents))
            return cannot_write(file, error.message());
    }
    const std::string manifest = manifest_text(checkpoint, executor.plan().graph);
    if (const auto error =
            write_durably(folder / kManifestName, std::as_bytes(std::span(manifest))))
        return cannot_write(folder / kManifestName, error.message());
    if (const auto error = sync_folder(folder)) return cannot_write(folder, error.message());
    return {};
}

/// Whether nothing is lost where `folder` is replaced but a checkpoint.
bool may_replace(const fs::path& folder) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(folder, error);
    if (!fs::exists(status)) return true;
    if (!fs::is_directory(status)) return false;
    return fs::exists(folder / kManifestName, error) || fs::is_empty(folder, error);
}

/// Gives a folder its name. One that has it already goes aside first, and is removed last.
std::error_code take_name(const fs::path& from, const fs::path& folder) {
    std::error_code error;
    const fs::path aside = beside(folder, kReplacedEnding);
    fs::remove_all(aside, error);
    if (fs::exists(fs::symlink_status(folder, error))) fs::rename(folder, aside, error);
    if (!error || error == std::errc::no_such_file_or_directory) {
        error.clear();
        fs::rename(from, folder, error);
    }
    if (error) return error;
    error = sync_folder(parent_of(folder));
    std::error_code ignored;
    fs::remove_all(aside, ignored);
    return error;
}

} // namespace

Result<void> write_checkpoint(Executor& executor, const CheckpointRun& run,
                              const fs::path& folder) {
    if (executor.histories().empty())
        return fail("checkpoint/nothing-to-keep",
                    "the graph keeps nothing from one execution to the next",
                    "every frame can be computed by itself");
    if (!may_replace(without_slash(folder)))
        return cannot_write(folder, "there is something of that name that is no checkpoint");
    const DeviceCaps& caps = executor.impl().device->caps;
    Checkpoint checkpoint{.folder = folder,
                          .version = std::string(build_config::kVersion),
                          .device = caps.name,
                          .driver = caps.driver,
                          .run = run};
    const fs::path partial = beside(folder, kPartialEnding);
    std::error_code error;
    fs::remove_all(partial, error);
    if (!error) fs::create_directories(partial, error);
    if (error) return cannot_write(partial, error.message());
    auto done = fill(executor, checkpoint, partial);
    if (done) {
        error = take_name(partial, without_slash(folder));
        if (!error) return {};
        done = cannot_write(folder, error.message());
    }
    fs::remove_all(partial, error);
    return done;
}

} // namespace tuff
