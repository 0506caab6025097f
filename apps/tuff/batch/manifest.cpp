#include "apps/tuff/batch/manifest.hpp"

#include "apps/shared/common.hpp"
#include "core/parse_number.hpp"

#include <fmt/format.h>
#include <json/json.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <system_error>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

constexpr int kManifestVersion = 1;
constexpr const char* kMark = "tuff_manifest"; ///< what tells a manifest of ours from others

fs::path manifest_name(const Shard& shard) {
    return shard.is_all() ? "manifest.json"
                          : fmt::format("manifest-{}of{}.json", shard.index, shard.count);
}

/// "manifest.json", "manifest-3of16.json".
bool is_manifest_name(std::string_view name) {
    if (name == "manifest.json") return true;
    if (!name.starts_with("manifest-") || !name.ends_with(".json")) return false;
    name = name.substr(9, name.size() - 9 - 5);
    const std::size_t of = name.find("of");
    return of != std::string_view::npos && parse_number<std::int64_t>(name.substr(0, of)) &&
           parse_number<std::int64_t>(name.substr(of + 2));
}

std::string json_text(const Json::Value& json, const char* indentation) {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = indentation;
    builder["precision"] = 15; // 0.1, and not 0.10000000000000001
    builder["emitUTF8"] = true;
    return Json::writeString(builder, json);
}

Json::Value to_json(const ParameterValue& value) {
    return std::visit(
        [](const auto& plain) {
            using Plain = std::decay_t<decltype(plain)>;
            if constexpr (std::is_same_v<Plain, std::vector<double>> ||
                          std::is_same_v<Plain, std::vector<std::string>>) {
                Json::Value list(Json::arrayValue);
                for (const auto& element : plain)
                    list.append(element);
                return list;
            } else if constexpr (std::is_same_v<Plain, std::int64_t>) {
                return Json::Value(Json::Int64{plain});
            } else {
                return Json::Value(plain);
            }
        },
        value);
}

Json::Value to_json(const std::vector<ConfigParameter>& parameters) {
    Json::Value json(Json::objectValue);
    for (const ConfigParameter& parameter : parameters)
        json[parameter.name] =
            parameter.follows.empty() ? to_json(parameter.value) : Json::Value(parameter.follows);
    return json;
}

Json::Value to_json(const Settings& settings) {
    Json::Value json(Json::objectValue);
    for (const auto& [parameter, value] : settings)
        json[parameter] = value;
    return json;
}

Json::Value to_json(const HashedFile& file) {
    Json::Value json;
    json["file"] = file.file.string();
    json["bytes"] = Json::UInt64{file.bytes};
    json["sha256"] = file.sha256;
    return json;
}

HashedFile file_of(const Json::Value& json) {
    return {.file = json["file"].asString(),
            .bytes = json["bytes"].asUInt64(),
            .sha256 = json["sha256"].asString()};
}

Json::Value to_json(const RunIdentity& identity) {
    Json::Value json;
    json["version"] = identity.version;
    json["config"] = identity.config;
    json["settings"] = to_json(identity.settings);
    if (!identity.files.empty()) json["files"] = to_json(identity.files);
    json["first_frame"] = Json::Int64{identity.frames.first};
    json["end_frame"] = Json::Int64{identity.frames.end};
    json["fps"] = identity.fps;
    return json;
}

/// What a manifest says of a run, and what it is compared by.
struct Entry {
    Json::Value json;
    std::vector<HashedFile> inputs;
    std::vector<HashedFile> outputs; ///< absolute
    std::vector<HashedFile> pieces;  ///< absolute, of outputs
    std::string run;          ///< its identity, as a text: numbers that are read are of other kinds
    bool is_replaced = false; ///< by a later one that wrote a file of it

    /// Throws where parts are missing or of the wrong kind.
    Entry(Json::Value read, const fs::path& folder) : json(std::move(read)) {
        for (const Json::Value& file : json["inputs"])
            inputs.push_back(file_of(file));
        const auto absolute = [&](const Json::Value& file) {
            HashedFile hashed = file_of(file);
            hashed.file = (folder / hashed.file).lexically_normal();
            return hashed;
        };
        for (const Json::Value& output : json["outputs"]) {
            outputs.push_back(absolute(output));
            if (!output.isMember("pieces")) continue;
            std::ranges::transform(output["pieces"], std::back_inserter(pieces), absolute);
        }
        if (!json["run"].isObject()) throw std::runtime_error("not a run");
        run = json_text(json["run"], "");
    }
};

/// Adds those of `more` that are not in the list yet.
void unite(Json::Value& list, const Json::Value& more) {
    for (const Json::Value& element : more)
        if (std::ranges::find(list, element) == list.end()) list.append(element);
}

/// Adds what a manifest says of some frames to what it says of all; the first part is all at first.
void add_part(Json::Value& whole, const Json::Value& part) {
    Json::Value told;
    for (const char* of_run : {"first_frame", "end_frame"})
        told[of_run] = part["run"][of_run];
    for (const char* member : {"seconds", "started", "device", "rank", "host", "given_up_by"})
        if (part.isMember(member)) told[member] = part[member];
    if (whole.isNull()) {
        whole = part;
        for (const char* of_rank : {"rank", "host", "given_up_by"})
            whole.removeMember(of_rank);
    } else {
        unite(whole["inputs"], part["inputs"]);
        unite(whole["warnings"], part["warnings"]);
        for (const Json::Value& output : part["outputs"])
            whole["outputs"].append(output);
        whole["seconds"] = whole["seconds"].asDouble() + part["seconds"].asDouble();
        whole["compiled_plans"] =
            whole["compiled_plans"].asUInt() + part["compiled_plans"].asUInt();
    }
    whole["parts"].append(std::move(told));
}

enum class Kind : std::uint8_t { ours, damaged, foreign };

/// Adds the runs of a manifest.
Kind read_entries(const fs::path& file, const fs::path& folder, std::vector<Entry>& entries) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
    Json::Value json;
    try {
        std::string ignored;
        if (!reader->parse(text.data(), text.data() + text.size(), &json, &ignored))
            return Kind::damaged;
        if (!json.isObject() || !json.isMember(kMark)) return Kind::foreign;
        if (json[kMark] != kManifestVersion) return Kind::damaged;
        for (const Json::Value& run : json["runs"])
            entries.emplace_back(run, folder);
    } catch (const std::exception&) { // what jsoncpp says of kinds of values and of depth
        entries.clear();
        return Kind::damaged;
    }
    return Kind::ours;
}

} // namespace

struct Manifests::Impl {
    fs::path folder; ///< absolute
    fs::path file;
    Shard shard;
    std::vector<Entry> own;
    std::map<fs::path, std::size_t> writers;          ///< in `own`, by what they wrote
    std::multimap<std::string, std::size_t> own_runs; ///< that were read, by their identity
    std::multimap<std::string, Entry> others;         ///< by run, of other shards
    Diagnostics warnings;
    bool changed = false;

    void add_read(std::vector<Entry> entries, bool are_own) {
        for (Entry& entry : entries) {
            std::string run = entry.run;
            if (are_own) {
                own_runs.emplace(std::move(run), own.size());
                take(std::move(entry));
            } else {
                others.emplace(std::move(run), std::move(entry));
            }
        }
        changed = false;
    }

    /// Replaces runs that wrote a file of this one, or the same run where it wrote none.
    void take(Entry entry) {
        std::vector<fs::path> written;
        for (const HashedFile& output : entry.outputs)
            written.push_back(output.file);
        if (written.empty()) written.emplace_back(entry.run);
        for (const fs::path& file : written) {
            const auto [writer, fresh] = writers.try_emplace(file, own.size());
            if (!fresh && writer->second != own.size()) own[writer->second].is_replaced = true;
            writer->second = own.size();
        }
        own.push_back(std::move(entry));
        changed = true;
    }
};

Manifests::Manifests(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Manifests::Manifests(Manifests&&) noexcept = default;
Manifests& Manifests::operator=(Manifests&&) noexcept = default;
Manifests::~Manifests() = default;

Outcome<Manifests> Manifests::read(const fs::path& folder, const Shard& shard) {
    auto impl = std::make_unique<Impl>();
    impl->folder = whole_path(folder.empty() ? fs::path(".") : folder);
    impl->file = folder / manifest_name(shard);
    impl->shard = shard;
    std::vector<fs::path> files;
    std::error_code ignored; // without a folder there are none
    for (const auto& entry : fs::directory_iterator(impl->folder, ignored))
        if (is_manifest_name(entry.path().filename().string()) && entry.is_regular_file(ignored))
            files.push_back(folder / entry.path().filename());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
        const bool is_own = file == impl->file;
        std::vector<Entry> entries;
        const Kind kind = read_entries(file, impl->folder, entries);
        impl->add_read(std::move(entries), is_own);
        if (kind == Kind::foreign && is_own)
            return usage_failure(
                fail("cli/bad-manifest",
                     fmt::format("'{}' is no manifest of Tuff's, and would be overwritten",
                                 file.string()),
                     "choose another folder with --out-dir")
                    .error());
        if (kind == Kind::damaged)
            impl->warnings.push_back(
                {.code = "cli/bad-manifest",
                 .severity = Severity::warning,
                 .message = fmt::format("'{}' is damaged or of another version: the runs that only "
                                        "it lists are repeated",
                                        file.string()),
                 .hint = is_own ? "it is replaced" : "remove it"});
    }
    return Manifests(std::move(impl));
}

bool Manifests::take_finished(const RunIdentity& identity, const std::vector<fs::path>& must_read,
                              const std::vector<fs::path>& outputs, FileHashes& hashes) {
    const std::set<fs::path> wanted(outputs.begin(), outputs.end());
    const auto is_finished = [&](const Entry& entry) {
        const auto has_read = [&](const fs::path& file) {
            return std::ranges::find(entry.inputs, file, &HashedFile::file) != entry.inputs.end();
        };
        const auto is_still = [&](const HashedFile& file) { return hashes.is_still(file); };
        return !entry.is_replaced && entry.outputs.size() == wanted.size() &&
               std::ranges::all_of(
                   entry.outputs,
                   [&](const HashedFile& output) { return wanted.contains(output.file); }) &&
               std::ranges::all_of(must_read, has_read) &&
               std::ranges::all_of(entry.inputs, is_still) &&
               std::ranges::all_of(entry.outputs, is_still) &&
               std::ranges::all_of(entry.pieces, is_still);
    };
    const std::string run = json_text(to_json(identity), "");
    const auto [own, own_end] = impl_->own_runs.equal_range(run);
    if (std::any_of(own, own_end,
                    [&](const auto& index) { return is_finished(impl_->own[index.second]); }))
        return true;
    const auto [others, others_end] = impl_->others.equal_range(run);
    const auto found = std::find_if(others, others_end,
                                    [&](const auto& other) { return is_finished(other.second); });
    if (found == others_end) return false;
    impl_->take(found->second);
    return true;
}

Json::Value manifest_entry(const ManifestRun& run, const fs::path& folder) {
    const fs::path whole = whole_path(folder.empty() ? fs::path(".") : folder);
    Json::Value json;
    json["name"] = run.name;
    json["run"] = to_json(run.identity);
    json["parameters"] = to_json(run.parameters);
    json["device"] = run.device;
    json["driver"] = run.driver;
    json["started"] = run.started;
    json["seconds"] = run.seconds;
    json["compiled_plans"] = run.compilations;
    json["inputs"] = json["outputs"] = json["warnings"] = Json::Value(Json::arrayValue);
    for (const HashedFile& input : run.inputs)
        json["inputs"].append(to_json(input));
    const auto below = [&](const HashedFile& file) {
        Json::Value written = to_json(file);
        // Relative, so that the folder may be moved.
        written["file"] = file.file.lexically_proximate(whole).string();
        return written;
    };
    for (const auto& [output, file, pieces] : run.outputs) {
        Json::Value written = below(file);
        written["output"] = output;
        for (const HashedFile& piece : pieces)
            written["pieces"].append(below(piece));
        json["outputs"].append(written);
    }
    for (const Diagnostic& warning : run.warnings) {
        Json::Value told;
        told["code"] = warning.code;
        told["message"] = warning.message;
        json["warnings"].append(told);
    }
    return json;
}

void Manifests::add(const ManifestRun& run) {
    add(manifest_entry(run, impl_->folder));
}

void Manifests::add(Json::Value entry) {
    impl_->take(Entry(std::move(entry), impl_->folder));
}

void Manifests::join_parts(const RunIdentity& run, const std::vector<RunIdentity>& parts) {
    Json::Value whole;
    for (const RunIdentity& identity : parts) {
        const std::string part = json_text(to_json(identity), "");
        const auto found = std::ranges::find_if(impl_->own, [&](const Entry& entry) {
            return !entry.is_replaced && entry.run == part;
        });
        if (found == impl_->own.end()) return;
        add_part(whole, found->json);
    }
    whole["run"] = to_json(run);
    add(std::move(whole));
}

bool Manifests::has_changed() const {
    return impl_->changed;
}

Outcome<void> Manifests::write() const {
    Json::Value json;
    json[kMark] = kManifestVersion;
    json["shard"]["index"] = Json::Int64{impl_->shard.index};
    json["shard"]["count"] = Json::Int64{impl_->shard.count};
    json["runs"] = Json::Value(Json::arrayValue);
    for (const Entry& entry : impl_->own)
        if (!entry.is_replaced) json["runs"].append(entry.json);
    return write_text_file(impl_->file, json_text(json, "  ") + "\n");
}

const fs::path& Manifests::file() const {
    return impl_->file;
}

const Diagnostics& Manifests::warnings() const {
    return impl_->warnings;
}

std::vector<ImageText> picture_texts(const RunIdentity& identity,
                                     const std::vector<ConfigParameter>& parameters) {
    return {{"Software", "tuff " + identity.version},
            {"tuff.config", identity.config},
            {"tuff.parameters", json_text(to_json(parameters), "")},
            {"tuff.settings", json_text(to_json(identity.settings), "")}};
}

} // namespace tuff::cli
