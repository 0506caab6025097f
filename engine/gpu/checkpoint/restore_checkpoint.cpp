#include "gpu/checkpoint/agreement.hpp"
#include "gpu/checkpoint/checksum.hpp"
#include "gpu/checkpoint/durable_file.hpp"
#include "gpu/checkpoint/field_history.hpp"
#include "gpu/checkpoint/manifest.hpp"
#include "gpu/execute/executor_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace tuff {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{64} << 20;

/// For each history of the graph the one of the checkpoint, or all differences.
class HistoryPairs {
  public:
    HistoryPairs(std::span<const HistoryInfo> graph, const Checkpoint& checkpoint)
        : checkpoint_(&checkpoint) {
        std::map<Key, std::size_t> kept;
        std::map<std::string_view, std::uint32_t> seen;
        for (std::size_t i = 0; i < checkpoint.histories.size(); ++i) {
            const std::string& name = checkpoint.histories[i].info.name;
            kept.emplace(Key(name, seen[name]++), i);
        }
        seen.clear();
        for (const HistoryInfo& history : graph) {
            const auto found = kept.find(Key(history.name, seen[history.name]++));
            pairs.push_back(found == kept.end() ? 0 : found->second);
            if (found == kept.end())
                differ(fmt::format("the checkpoint has no history '{}' ({})", history.name,
                                   describe(history)));
            else
                compare(history, checkpoint.histories[found->second].info);
            if (found != kept.end()) kept.erase(found);
        }
        for (const auto& [key, index] : kept)
            differ(fmt::format("the graph has no history '{}' ({}), which the checkpoint keeps",
                               key.first, describe(checkpoint.histories[index].info)));
    }

    std::vector<std::size_t> pairs;
    Diagnostics differences;

  private:
    using Key = std::pair<std::string_view, std::uint32_t>; ///< the nth of a name

    void compare(const HistoryInfo& history, const HistoryInfo& kept) {
        if (history == kept) return;
        const std::string is = describe(history);
        const std::string was = describe(kept);
        if (is != was)
            differ(
                fmt::format("history '{}' is {}, and in the checkpoint {}", history.name, is, was));
        else
            differ(fmt::format("history '{}' has another {} than in the checkpoint", history.name,
                               history.clear == kept.clear ? "shape" : "first value"));
    }
    void differ(std::string message) {
        const std::string& config = checkpoint_->run.config;
        differences.push_back(
            {.code = "checkpoint/other-graph",
             .message = std::move(message),
             .where = {.file = (checkpoint_->folder / kManifestName).string()},
             .hint = config.empty()
                         ? "resume with the graph that was run"
                         : fmt::format("it was written by '{}'; run that with the same settings",
                                       config)});
    }

    const Checkpoint* checkpoint_;
};

std::unexpected<Diagnostics> damaged(const fs::path& file, std::string message) {
    return fail({.code = "checkpoint/damaged",
                 .message = std::move(message),
                 .where = {.file = file.string()},
                 .hint = "resume from the checkpoint before it, if there is one"});
}

/// Hands a history's file to `take`; it has the length and the sum that the manifest says.
Result<void> read_file(const Checkpoint& checkpoint, const CheckpointHistory& history,
                       const std::function<void(std::span<const std::byte>)>& take) {
    const fs::path file = checkpoint.folder / history.file;
    Checksum checksum;
    std::uint64_t bytes = 0;
    const auto error = read_pieces(file, [&](std::span<const std::byte> piece) {
        bytes += piece.size();
        if (bytes > history.bytes) return; // it has grown: no memory for that
        checksum.add(piece);
        take(piece);
    });
    if (error == std::errc::no_such_file_or_directory)
        return damaged(file, fmt::format("the file of history '{}' is missing", history.info.name));
    if (error)
        return damaged(file, fmt::format("the file of history '{}' cannot be read: {}",
                                         history.info.name, error.message()));
    if (bytes != history.bytes)
        return damaged(file,
                       fmt::format("the file of history '{}' is too {}: {} bytes, not {}",
                                   history.info.name, bytes < history.bytes ? "short" : "long",
                                   bytes, history.bytes));
    if (checksum.text() != history.checksum)
        return damaged(file, fmt::format("the file of history '{}' is damaged: its "
                                         "checksum is {}, not {}",
                                         history.info.name, checksum.text(), history.checksum));
    return {};
}

Diagnostics other_device(const DeviceCaps& caps, const Checkpoint& checkpoint) {
    if (caps.name == checkpoint.device && caps.driver == checkpoint.driver) return {};
    return {{.code = "checkpoint/other-device",
             .severity = Severity::note,
             .message = fmt::format("the checkpoint was written on {} ({}), and this is {} ({}): "
                                    "results may differ in their last bits",
                                    checkpoint.device, checkpoint.driver, caps.name, caps.driver),
             .where = {},
             .hint = {}}};
}

} // namespace

Result<Checkpoint> read_checkpoint(const fs::path& folder) {
    const fs::path file = folder / kManifestName;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        return fail({.code = "checkpoint/none",
                     .message = "there is no such folder",
                     .where = {.file = folder.string()},
                     .hint = "`tuff run --checkpoint-every` writes checkpoints"});
    if (fs::is_empty(folder, ignored))
        return fail({.code = "checkpoint/none",
                     .message = "the folder is empty: there is no checkpoint in it",
                     .where = {.file = folder.string()},
                     .hint = "`tuff run --checkpoint-every` writes checkpoints"});
    std::string text;
    const auto error = read_pieces(file, [&](std::span<const std::byte> piece) {
        if (text.size() <= kMaxManifestBytes)
            text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    if (error == std::errc::no_such_file_or_directory)
        return fail({.code = "checkpoint/no-manifest",
                     .message = "the folder is no checkpoint: it has no manifest.json",
                     .where = {.file = folder.string()},
                     .hint = "name the folder of a checkpoint, or that of all of a run"});
    if (error) return damaged(file, fmt::format("cannot be read: {}", error.message()));
    return parse_manifest(text, folder);
}

namespace {

/// Whether the file of a history is whole.
Result<void> check_file(const Checkpoint& checkpoint, const CheckpointHistory& history) {
    if (history.bytes != packed_bytes(history.info))
        return damaged(checkpoint.folder / kManifestName,
                       fmt::format("history '{}' takes {} bytes, and the manifest says {}",
                                   history.info.name, packed_bytes(history.info), history.bytes));
    return read_file(checkpoint, history, [](auto) {});
}

Result<std::vector<std::byte>> read_contents(const Checkpoint& checkpoint,
                                             const CheckpointHistory& kept,
                                             const HistoryInfo& history, const Ranks& ranks) {
    std::vector<std::byte> contents;
    if (history.part && ranks.size() > 1) {
        contents.resize(packed_bytes(history));
        const fs::path file = checkpoint.folder / kept.file;
        if (const auto error = read_part(file, history, ranks, contents))
            return damaged(file, fmt::format("the file of history '{}' cannot be read: {}",
                                             history.name, error.message()));
        return contents;
    }
    contents.reserve(kept.bytes);
    auto read = read_file(checkpoint, kept, [&](std::span<const std::byte> piece) {
        contents.insert(contents.end(), piece.begin(), piece.end());
    });
    if (!read) return propagate(std::move(read));
    return contents;
}

} // namespace

Result<Diagnostics> restore_checkpoint(Executor& executor, const Checkpoint& checkpoint,
                                       const Ranks& ranks) {
    const Agreement agreement(ranks);
    const std::vector<HistoryInfo>& histories = executor.histories();
    std::vector<HistoryInfo> wholes;
    for (const HistoryInfo& history : histories)
        wholes.push_back(whole_history(history, ranks));
    const HistoryPairs found(wholes, checkpoint);
    const auto kept = [&](std::size_t i) -> const CheckpointHistory& {
        return checkpoint.histories[found.pairs[i]];
    };
    Result<void> sound;
    if (!found.differences.empty()) sound = std::unexpected(found.differences);
    for (std::size_t i = 0; i < histories.size() && sound && agreement.leads(); ++i)
        sound = check_file(checkpoint, kept(i));
    if (auto ok = agreement.on(std::move(sound)); !ok) return propagate(std::move(ok));
    for (std::size_t i = 0; i < histories.size(); ++i) {
        auto contents = read_contents(checkpoint, kept(i), histories[i], ranks);
        Result<void> own;
        if (!contents) own = std::unexpected(contents.error());
        if (own) own = executor.write_history(i, *contents);
        if (auto ok = agreement.on(std::move(own)); !ok) return propagate(std::move(ok));
    }
    return other_device(executor.impl().device->caps, checkpoint);
}

} // namespace tuff
