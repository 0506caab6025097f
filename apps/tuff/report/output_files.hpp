#pragma once

#include "apps/shared/common.hpp"
#include "apps/tuff/batch/frame_range.hpp"
#include "apps/tuff/report/output_paths.hpp"

#include <tuff/buffer_elements.hpp>
#include <tuff/executor.hpp>
#include <tuff/image.hpp>
#include <tuff/volume.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which outputs go to which files, and writing them.
namespace tuff::cli {

/// A file name with at most one frame number: "frame_%04d.png". "%%" stands for "%".
class FilePattern {
  public:
    /// Of files below `folder`. Error: cli/bad-pattern.
    static Outcome<FilePattern> parse(std::string_view text,
                                      const std::filesystem::path& folder = {});
    /// What lists the files of all frames, for "smoke_%04d.vti" the file "smoke.pvd", without the
    /// folder.
    std::filesystem::path collection() const;
    bool numbered() const { return numbered_; }
    std::filesystem::path file(std::int64_t frame) const { return below_folder(name(frame)); }
    std::filesystem::path below_folder(const std::filesystem::path& name) const {
        return folder_ / name;
    }
    /// Without the folder.
    std::filesystem::path name(std::int64_t frame) const;

  private:
    std::filesystem::path folder_;
    std::string before_, after_;
    int digits_ = 0;
    bool numbered_ = false;
};

struct OutputFile {
    std::string output;
    FilePattern pattern;
    std::optional<ConfiguredOutput> configured; ///< where the config names the file
    bool of_field = false;                      ///< whether the output is a part of a field
};

/// Where the outputs of a config go in `frames`: those with a file of their own below `folders`,
/// those named by `outs` ("FILE" for the first output, "NAME=FILE") to that file instead. Errors:
/// cli/unknown-output, cli/bad-pattern, cli/unsafe-output, cli/unknown-extension.
Outcome<std::vector<OutputFile>> plan_output_files(const std::vector<ConfiguredOutput>& configured,
                                                   const std::vector<std::string>& outs,
                                                   const OutputFolders& folders,
                                                   const FrameRange& frames = {});

/// The file of one frame, about to be written. Where the config names it, its folder is made, and
/// it is looked at once more: what lies there may have changed since. Error: cli/unsafe-output.
Outcome<std::filesystem::path> ready_file(const OutputFile& file, std::int64_t frame,
                                          const OutputFolders& folders);

/// The same of the collection that lists the files of all frames.
Outcome<std::filesystem::path> ready_collection(const OutputFile& file,
                                                const OutputFolders& folders);

/// One output of the last execution, brought to the host.
struct FetchedOutput {
    bool is_image = true;
    HostImage image;
    std::string name;                       ///< of the output
    std::optional<VolumeGeometry> geometry; ///< of a volume, where it is known
    std::vector<std::byte> bytes;
    std::uint32_t record_bytes = 4; ///< of a buffer
    BufferElements elements;        ///< of a buffer; f32 where nobody says what they are
};
Outcome<FetchedOutput> fetch_output(Executor& executor, std::string_view output,
                                    std::uint32_t mip = 0, std::uint32_t layer = 0);

/// A warning where the file cannot hold an image's values: cli/clipped, of colours above 1 in a
/// file for screens.
Diagnostics clipped_values(std::string_view name, const FetchedOutput& output,
                           const std::filesystem::path& file);

/// Whether a file of this name is a JPEG file.
bool is_jpeg_name(const std::filesystem::path& file);

/// Writes the JPEG file at the beginning of a buffer, with `texts` in its comment. Error:
/// cli/not-jpeg.
Outcome<void> save_jpeg(const FetchedOutput& output, const std::filesystem::path& file,
                        std::span<const ImageText> texts);

/// Writes an image by its extension; a buffer as NPY, as comma-separated values (a line an element,
/// below the names of its members where it has some), as the JPEG file it begins with, as the mesh
/// that geometry/mesh_file has packed or, with any other extension, as bare bytes.
/// `texts`: for images whose files have room for them.
Outcome<void> save_output(const FetchedOutput& output, const std::filesystem::path& file,
                          std::span<const ImageText> texts = {});

} // namespace tuff::cli
