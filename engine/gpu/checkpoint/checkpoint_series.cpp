#include "gpu/checkpoint/agreement.hpp"
#include "gpu/checkpoint/durable_file.hpp"
#include "gpu/checkpoint/folders.hpp"
#include "gpu/checkpoint/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace tuff {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFramePrefix = "frame_";

/// The frame that comes after the checkpoint in a folder of this name.
std::optional<std::int64_t> frame_of(const fs::path& folder) {
    const std::string name = folder.filename().string();
    if (!name.starts_with(kFramePrefix)) return std::nullopt;
    std::int64_t frame = 0;
    const char* const first = name.data() + kFramePrefix.size();
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(first, last, frame);
    if (error != std::errc() || end != last || first == last || frame < 0) return std::nullopt;
    return frame;
}

/// None of what cannot be looked into.
std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        entries.push_back(entry->path());
    return entries;
}

std::map<std::int64_t, fs::path> by_frame(const fs::path& series) {
    std::map<std::int64_t, fs::path> found;
    for (const fs::path& entry : entries_of(series)) {
        const auto frame = frame_of(entry);
        std::error_code ignored;
        // What a link leads to is not ours to remove.
        if (frame && !fs::is_symlink(entry, ignored) &&
            fs::is_regular_file(entry / kManifestName, ignored))
            found[*frame] = entry;
    }
    return found;
}

bool is_leftover(const fs::path& entry) {
    const std::string name = entry.filename().string();
    return name.starts_with(fmt::format(".{}", kFramePrefix)) &&
           (name.ends_with(kPartialEnding) || name.ends_with(kReplacedEnding));
}

/// The manifest goes first: without it, what is left is no checkpoint.
void remove_checkpoint(const fs::path& folder) {
    std::error_code ignored;
    fs::remove(folder / kManifestName, ignored);
    fs::remove_all(folder, ignored);
}

std::unexpected<Diagnostics> cannot_use(const fs::path& series, std::string_view why) {
    return fail({.code = "checkpoint/unwritable",
                 .message = fmt::format("checkpoints cannot be written here: {}", why),
                 .where = {.file = series.string()},
                 .hint = "--checkpoint DIR names another folder"});
}

Result<void> make_series(const fs::path& series) {
    std::error_code error;
    fs::create_directories(series, error);
    if (error) return cannot_use(series, error.message());
    for (const fs::path& entry : entries_of(series))
        if (is_leftover(entry)) fs::remove_all(entry, error);
    // Permissions say little about shares and full disks: tried, it is known.
    const fs::path trial = series / fmt::format(".{}trial{}", kFramePrefix, kPartialEnding);
    fs::remove_all(trial, error);
    if (error = write_durably(trial, std::as_bytes(std::span("trial"))); error)
        return cannot_use(series, error.message());
    fs::remove(trial, error);
    return {};
}

} // namespace

Result<void> prepare_series(const fs::path& series, const Ranks& ranks) {
    const Agreement agreement(ranks);
    return agreement.on(agreement.leads() ? make_series(series) : Result<void>());
}

std::vector<fs::path> checkpoints_of(const fs::path& series) {
    std::vector<fs::path> folders;
    for (auto& [frame, folder] : by_frame(series))
        folders.push_back(std::move(folder));
    return folders;
}

Result<fs::path> add_to_series(Executor& executor, const CheckpointRun& run, const fs::path& series,
                               std::uint32_t keep, const Ranks& ranks) {
    const std::int64_t next = run.frame + 1;
    const fs::path folder = series / fmt::format("{}{:010}", kFramePrefix, next);
    if (auto written = write_checkpoint(executor, run, folder, ranks); !written)
        return propagate(std::move(written));
    if (ranks.rank != 0) return folder;
    std::map<std::int64_t, fs::path> all = by_frame(series);
    std::uint32_t older = 0;
    for (auto entry = all.rbegin(); entry != all.rend(); ++entry) {
        const bool replaced = entry->first > next;
        if (replaced || ++older > std::max(keep, 1u)) remove_checkpoint(entry->second);
    }
    return folder;
}

Result<Checkpoint> newest_checkpoint(const fs::path& folder) {
    const std::vector<fs::path> all = checkpoints_of(folder);
    std::error_code ignored;
    const bool itself = fs::exists(folder / kManifestName, ignored);
    return read_checkpoint(itself || all.empty() ? folder : all.back());
}

} // namespace tuff
