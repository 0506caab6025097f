#include "apps/tuff/report/volume_series.hpp"

#include "core/xml_text.hpp"
#include "scene/files.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::cli {
namespace fs = std::filesystem;

bool VolumeSeries::has_collection(const OutputFile& file) {
    const std::string extension = lower_extension(file.pattern.file(0));
    return file.pattern.numbered() && (extension == ".vti" || extension == ".pvti");
}

void VolumeSeries::add(const OutputFile& file, const fs::path& written, double time) {
    if (!has_collection(file)) return;
    auto series = std::ranges::find(series_, &file, &Series::output);
    if (series == series_.end()) series = series_.insert(series, {&file, {}});
    series->frames.push_back({written, time});
}

Outcome<std::vector<std::string>> VolumeSeries::write(const OutputFolders& folders) const {
    std::vector<std::string> lines;
    for (const auto& [output, frames] : series_) {
        const auto path = ready_collection(*output, folders);
        if (!path) return std::unexpected(path.error());
        std::string text = "<?xml version=\"1.0\"?>\n"
                           "<VTKFile type=\"Collection\" version=\"1.0\" "
                           "byte_order=\"LittleEndian\">\n  <Collection>\n";
        for (const Frame& frame : frames)
            text += fmt::format(
                "    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time,
                xml_text(frame.file.lexically_relative(path->parent_path()).generic_string()));
        text += "  </Collection>\n</VTKFile>\n";
        if (auto written = write_text_file(*path, text); !written)
            return std::unexpected(written.error());
        lines.push_back(fmt::format("wrote {}\n", path->string()));
    }
    return lines;
}

} // namespace tuff::cli
