#include "gpu/checkpoint/agreement.hpp"
#include "gpu/checkpoint/checksum.hpp"
#include "gpu/checkpoint/durable_file.hpp"
#include "gpu/checkpoint/field_history.hpp"
#include "gpu/checkpoint/folders.hpp"
#include "gpu/checkpoint/manifest.hpp"
#include "gpu/execute/executor_impl.hpp"

#include <fmt/format.h>
#include <tuff_config.hpp>

#include <utility>

namespace tuff {
namespace {

namespace fs = std::filesystem;

std::unexpected<Diagnostics> cannot_write(const fs::path& path, std::string_view why) {
    return fail({.code = "checkpoint/unwritable",
                 .message = fmt::format("the checkpoint cannot be written: {}", why),
                 .where = {.file = path.string()},
                 .hint = "earlier checkpoints are unchanged"});
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

/// What ranks compare of a history: what it is, and unless it is a part of a field, what it holds.
std::string statement_of(const HistoryInfo& history, const Ranks& ranks,
                         std::span<const std::byte> contents) {
    const HistoryInfo whole = whole_history(history, ranks);
    if (history.part) return fmt::format("{}, a part of a field", describe(whole));
    Checksum checksum;
    checksum.add(contents);
    return fmt::format("{}, contents {}", describe(whole), checksum.text());
}

std::unexpected<Diagnostics> ranks_differ(std::string message) {
    return fail("checkpoint/ranks-differ", std::move(message),
                "if it is a part of the domain's field, say so in the config: \"part\": "
                "{\"halo\": 1}; else compute the same on all ranks");
}

/// Rank 0 finds out whether all ranks state the same.
Result<void> compare_statements(const Agreement& agreement, std::string_view what,
                                const std::string& own) {
    const auto all = agreement.gather(own);
    if (!all) return std::unexpected(all.error());
    for (std::size_t rank = 1; rank < all->size(); ++rank)
        if ((*all)[rank] != own)
            return ranks_differ(fmt::format("{} on {} as on {}, and no part of a field", what,
                                            agreement.name(rank), agreement.name(0)));
    return {};
}

/// Writes the histories of one checkpoint into a folder that nobody looks at yet.
class CheckpointWriter {
  public:
    CheckpointWriter(Executor& executor, const Ranks& ranks, Checkpoint& checkpoint,
                     fs::path folder)
        : executor_(executor), ranks_(ranks), agreement_(ranks), checkpoint_(checkpoint),
          folder_(std::move(folder)) {}

    Result<void> write() {
        const std::vector<HistoryInfo>& histories = executor_.histories();
        if (agreement_.together()) {
            std::string names;
            for (const HistoryInfo& history : histories)
                names += history.name + '\n';
            if (auto ok = agreement_.on(
                    compare_statements(agreement_, "the list of histories is not the same", names));
                !ok)
                return ok;
        }
        for (std::size_t i = 0; i < histories.size(); ++i)
            if (auto ok = write_history(i, histories[i]); !ok) return ok;
        return agreement_.on(agreement_.leads() ? write_manifest() : Result<void>());
    }

  private:
    Result<void> write_history(std::size_t index, const HistoryInfo& history) {
        const auto contents = executor_.read_history(index);
        if (auto ok = agreement_.on(contents ? Result<void>() : std::unexpected(contents.error()));
            !ok)
            return ok;
        if (agreement_.together())
            if (auto ok = agreement_.on(compare_statements(
                    agreement_, fmt::format("history '{}' is not the same", history.name),
                    statement_of(history, ranks_, *contents)));
                !ok)
                return ok;
        const HistoryInfo whole = whole_history(history, ranks_);
        checkpoint_.histories.push_back(
            {.info = whole, .file = file_name(index, history.name), .bytes = packed_bytes(whole)});
        CheckpointHistory& kept = checkpoint_.histories.back();
        const fs::path file = folder_ / kept.file;
        if (history.part && agreement_.together()) return write_parts(history, *contents, kept);
        if (!agreement_.leads()) return agreement_.on({});
        Checksum checksum;
        checksum.add(*contents);
        kept.checksum = checksum.text();
        return agreement_.on(written(file, write_durably(file, *contents)));
    }

    /// All ranks into one file.
    Result<void> write_parts(const HistoryInfo& history, std::span<const std::byte> contents,
                             CheckpointHistory& kept) {
        const fs::path file = folder_ / kept.file;
        Result<void> own;
        if (agreement_.leads()) own = written(file, make_room(file, kept.bytes));
        if (auto ok = agreement_.on(std::move(own)); !ok) return ok;
        own = written(file, write_part(file, history, ranks_, contents));
        if (auto ok = agreement_.on(std::move(own)); !ok) return ok;
        if (!agreement_.leads()) return agreement_.on({});
        Checksum checksum;
        const auto error = read_pieces(file, [&](auto piece) { checksum.add(piece); });
        kept.checksum = checksum.text();
        return agreement_.on(written(file, error));
    }

    Result<void> write_manifest() const {
        const std::string manifest = manifest_text(checkpoint_, executor_.plan().graph);
        const fs::path file = folder_ / kManifestName;
        const auto bytes = std::as_bytes(std::span(manifest));
        if (auto ok = written(file, write_durably(file, bytes)); !ok) return ok;
        return written(folder_, sync_folder(folder_));
    }

    static Result<void> written(const fs::path& path, const std::error_code& error) {
        if (error) return cannot_write(path, error.message());
        return {};
    }

    Executor& executor_;
    const Ranks& ranks_;
    Agreement agreement_;
    Checkpoint& checkpoint_;
    fs::path folder_;
};

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

namespace {

/// An empty folder for what is under way.
Result<void> prepare_folder(const fs::path& folder, const fs::path& partial) {
    if (!may_replace(without_slash(folder)))
        return cannot_write(folder, "a file or folder of that name exists and is not a checkpoint");
    std::error_code error;
    fs::remove_all(partial, error);
    if (!error) fs::create_directories(partial, error);
    if (error) return cannot_write(partial, error.message());
    return {};
}

} // namespace

Result<void> write_checkpoint(Executor& executor, const CheckpointRun& run, const fs::path& folder,
                              const Ranks& ranks) {
    const Agreement agreement(ranks);
    Result<void> fit;
    if (executor.histories().empty())
        fit = fail("checkpoint/nothing-to-keep", "the graph has no history to keep",
                   "every frame can be computed by itself");
    const fs::path partial = beside(folder, kPartialEnding);
    if (fit && agreement.leads()) fit = prepare_folder(folder, partial);
    if (auto ok = agreement.on(std::move(fit)); !ok) return ok;
    const DeviceCaps& caps = executor.impl().device->caps;
    Checkpoint checkpoint{.folder = folder,
                          .version = std::string(build_config::kVersion),
                          .device = caps.name,
                          .driver = caps.driver,
                          .run = run};
    auto done = CheckpointWriter(executor, ranks, checkpoint, partial).write();
    if (done && agreement.leads())
        if (const std::error_code error = take_name(partial, without_slash(folder)))
            done = cannot_write(folder, error.message());
    done = agreement.on(std::move(done));
    std::error_code ignored;
    if (!done && agreement.leads()) fs::remove_all(partial, ignored);
    return done;
}

} // namespace tuff
