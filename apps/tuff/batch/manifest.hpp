#pragma once

#include "apps/shared/outcome.hpp"
#include "apps/tuff/batch/file_hash.hpp"
#include "apps/tuff/batch/frame_range.hpp"
#include "apps/tuff/batch/shard.hpp"
#include "apps/tuff/batch/sweep.hpp"

#include <tuff/config.hpp>
#include <tuff/image.hpp>

#include <json/value.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// What finished runs were made of and what they wrote: manifest.json, beside the outputs. Each
/// shard has a file of its own, so that no two processes write one; readers take all of a folder.
namespace tuff::cli {

/// What decides what a run computes, but for its files.
struct RunIdentity {
    std::string version; ///< of Tuff
    std::string config;  ///< as it was named
    Settings settings;   ///< --set, then the sweep's
    Settings files;      ///< --input
    FrameRange frames;
    double fps = 60.0;

    friend bool operator==(const RunIdentity&, const RunIdentity&) = default;
};

/// A file that a run wrote.
struct WrittenFile {
    std::string output; ///< of the config
    HashedFile file;
    std::vector<HashedFile> pieces = {}; ///< files that `file` lists: of the ranks of a field
};

/// A finished run.
struct ManifestRun {
    std::string name; ///< "sigma=1,exposure=0"
    RunIdentity identity;
    std::vector<ConfigParameter> parameters; ///< all of the config's, as they were
    std::vector<HashedFile> inputs;          ///< configs, kernels, modules, assets; absolute
    std::vector<WrittenFile> outputs;
    std::string device;
    std::string driver;
    std::string started; ///< "2026-11-23T20:15:00Z"
    double seconds = 0.0;
    std::uint32_t compilations = 0; ///< plans that were compiled for it
    Diagnostics warnings;
};

/// The runs that the manifests of a folder list.
class Manifests {
  public:
    /// Reads all that are there. One that is damaged is left out, with a warning; where this
    /// shard's own file belongs to another program, that is an error. Both: cli/bad-manifest.
    static Outcome<Manifests> read(const std::filesystem::path& folder, const Shard& shard);
    Manifests(Manifests&&) noexcept;
    Manifests& operator=(Manifests&&) noexcept;
    ~Manifests();

    /// Whether the same run is finished: it read `must_read` among others, and what it read and
    /// wrote, `outputs`, is as it was. It is then told of by this shard's manifest, too.
    bool take_finished(const RunIdentity& identity,
                       const std::vector<std::filesystem::path>& must_read,
                       const std::vector<std::filesystem::path>& outputs, FileHashes& hashes);
    /// Adds a run to this shard's manifest and removes runs whose files it replaced.
    void add(const ManifestRun& run);
    /// The same of what `manifest_entry` has made of a run, in whichever process.
    void add(Json::Value entry);
    /// Adds a run whose parts, runs of other frames, are listed already, in their place.
    void join_parts(const RunIdentity& run, const std::vector<RunIdentity>& parts);
    /// Whether this shard's manifest lists more runs than when it was read.
    bool has_changed() const;
    /// Writes this shard's manifest, whole or not at all. Error: cli/unwritable.
    Outcome<void> write() const;

    /// This shard's.
    const std::filesystem::path& file() const;
    const Diagnostics& warnings() const;

  private:
    struct Impl;
    explicit Manifests(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// What a manifest in `folder` says of a run.
Json::Value manifest_entry(const ManifestRun& run, const std::filesystem::path& folder);

/// The texts that a picture of a run carries: its config, parameters, frame, and Tuff's version.
std::vector<ImageText> picture_texts(const RunIdentity& identity,
                                     const std::vector<ConfigParameter>& parameters);

} // namespace tuff::cli
