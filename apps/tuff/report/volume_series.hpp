#pragma once

#include "apps/tuff/report/output_files.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tuff::cli {

/// The collections (.pvd) by which ParaView opens the numbered .vti and .pvti files of outputs as
/// series.
class VolumeSeries {
  public:
    /// Whether a collection lists the files of an output: numbered .vti or .pvti.
    static bool has_collection(const OutputFile& file);
    /// Notes that `written`, a frame of `file` at `time` seconds, is there, where a
    /// collection lists it.
    void add(const OutputFile& file, const std::filesystem::path& written, double time);
    /// Writes a collection for each output that has frames; returns lines that tell so.
    /// Errors: cli/unsafe-output, cli/unwritable.
    Outcome<std::vector<std::string>> write(const OutputFolders& folders) const;

  private:
    struct Frame {
        std::filesystem::path file;
        double time = 0.0;
    };
    struct Series {
        const OutputFile* output;
        std::vector<Frame> frames;
    };
    std::vector<Series> series_;
};

} // namespace tuff::cli
