#include "tests/gpu/occlusion/occlusion_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <random>

namespace tuff::testing_gpu {
OpacityVolume OpacityVolume::of(glm::ivec3 dims, const std::function<double(glm::ivec3)>& number) {
    OpacityVolume volume{.dims = dims, .numbers = {}};
    volume.each(
        [&](glm::ivec3 voxel) { volume.numbers.push_back(static_cast<float>(number(voxel))); });
    return volume;
}

OpacityVolume OpacityVolume::noise(glm::ivec3 dims, std::uint32_t seed, double most) {
    std::mt19937 random(seed);
    return of(dims,
              [&](glm::ivec3) { return most * static_cast<double>(random() >> 8) * 0x1p-24; });
}

OpacityVolume OpacityVolume::bodies(int side) {
    return of(glm::ivec3(side), [side](glm::ivec3 voxel) {
        const glm::dvec3 at = (glm::dvec3(voxel) + 0.5) * (2.0 / side) - 1.0;
        const double ball = glm::length(at - glm::dvec3(-0.35, 0.1, 0.0));
        const double ring =
            glm::length(glm::dvec2(glm::length(glm::dvec2(at.x - 0.35, at.y)) - 0.4, at.z));
        if (ball < 0.4 && ball > 0.25 && at.z < 0.2) return 0.9;
        if (ring < 0.14) return 0.7;
        if (at.y < -0.7 && at.y > -0.85) return 0.8;
        return glm::length(at - glm::dvec3(0.3, 0.6, 0.2)) < 0.3 ? 0.05 : 0.0;
    });
}

double OpacityVolume::at(glm::ivec3 texel) const {
    return static_cast<double>(
        numbers[static_cast<std::size_t>((texel.z * dims.y + texel.y) * dims.x + texel.x)]);
}

double OpacityVolume::beyond(glm::ivec3 texel, passes::OcclusionBorder border) const {
    const glm::ivec3 inside = glm::clamp(texel, glm::ivec3(0), dims - 1);
    return inside == texel || border == passes::OcclusionBorder::clamp ? at(inside) : 0.0;
}

Image OpacityVolume::image(Graph& graph, std::string_view name) const {
    const glm::uvec3 size(dims);
    return graph.constant_image(
        name,
        {.format = Format::r32_sfloat, .extent = {size.x, size.y, size.z}, .shape = ImageShape::d3},
        bytes_of(numbers));
}

void OpacityVolume::each(const std::function<void(glm::ivec3)>& visit) const {
    for (int z = 0; z < dims.z; ++z)
        for (int y = 0; y < dims.y; ++y)
            for (int x = 0; x < dims.x; ++x)
                visit({x, y, z});
}

BoxSums::BoxSums(const OpacityVolume& volume, passes::OcclusionBorder border, int margin)
    : dims_(volume.dims + 2 * margin + 1), margin_(margin) {
    sums_.resize(static_cast<std::size_t>(dims_.x) * static_cast<std::size_t>(dims_.y) *
                 static_cast<std::size_t>(dims_.z));
    const auto row = static_cast<std::size_t>(dims_.x);
    const std::size_t slice = row * static_cast<std::size_t>(dims_.y);
    for (int z = 1; z < dims_.z; ++z)
        for (int y = 1; y < dims_.y; ++y) {
            double along = 0.0;
            for (int x = 1; x < dims_.x; ++x) {
                along += volume.beyond(glm::ivec3(x, y, z) - 1 - margin, border);
                const std::size_t i = static_cast<std::size_t>(z) * slice +
                                      static_cast<std::size_t>(y) * row +
                                      static_cast<std::size_t>(x);
                sums_[i] = along + sums_[i - row] + sums_[i - slice] - sums_[i - slice - row];
            }
        }
}

double BoxSums::sum_before(glm::ivec3 texel) const {
    const glm::ivec3 at = glm::clamp(texel + margin_, glm::ivec3(0), dims_ - 1);
    return sums_[static_cast<std::size_t>((at.z * dims_.y + at.y) * dims_.x + at.x)];
}

double BoxSums::mean(glm::ivec3 low, int width) const {
    double sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        const glm::ivec3 corner(i & 1, i >> 1 & 1, i >> 2);
        const int lows = 3 - corner.x - corner.y - corner.z;
        sum += (lows % 2 == 0 ? 1.0 : -1.0) * sum_before(low + width * corner);
    }
    return sum / std::pow(static_cast<double>(width), 3.0);
}

AmbientReference::AmbientReference(const OpacityVolume& volume,
                                   const passes::OcclusionAmbient& pass, std::uint32_t halvings,
                                   const OpacityVolume* numbers)
    : volume_(&volume), pass_(pass), halvings_(halvings), numbers_(numbers),
      levels_(std::min(pass.shells, static_cast<std::uint32_t>(std::floor(std::log2(std::max(
                                        {volume.dims.x, volume.dims.y, volume.dims.z})))))),
      sums_(volume, pass.border, 2 << levels_) {}

glm::dvec3 AmbientReference::shift_of(glm::ivec3 voxel) const {
    if (!pass_.normals) return glm::dvec3(0.0);
    const OpacityVolume& numbers = numbers_ ? *numbers_ : *volume_;
    glm::dvec3 shift(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        glm::ivec3 ahead(0);
        ahead[axis] = 1;
        shift[axis] = -0.5 * static_cast<double>(pass_.normal) *
                      (numbers.beyond(voxel + ahead, pass_.border) -
                       numbers.beyond(voxel - ahead, pass_.border));
    }
    return shift / std::max(glm::length(shift), 1.0);
}

double AmbientReference::mean(glm::ivec3 voxel, glm::dvec3 shift, std::uint32_t level) const {
    const std::uint32_t halved = std::min(level, halvings_);
    const int texel = 1 << halved;
    const int width = 1 << level;
    // The cube that is symmetric about the place begins here, between the levels' cubes.
    const glm::dvec3 begin =
        (glm::dvec3(voxel) + 0.5 + 0.5 * width * shift - 0.5 * width) / static_cast<double>(texel);
    const glm::dvec3 low = glm::floor(begin);
    double sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        const glm::dvec3 corner(i & 1, i >> 1 & 1, i >> 2);
        const glm::dvec3 part = glm::mix(1.0 - (begin - low), begin - low, corner);
        const double weight = part.x * part.y * part.z;
        if (weight > 0.0) sum += weight * sums_.mean(glm::ivec3(low + corner) * texel, width);
    }
    return sum;
}

double AmbientReference::at(glm::ivec3 voxel) const {
    const glm::dvec3 shift = shift_of(voxel);
    double open = pass_.own ? 1.0 - volume_->at(voxel) : 1.0;
    double inner = mean(voxel, shift, 0);
    for (std::uint32_t level = 1; level <= levels_; ++level) {
        const double outer = mean(voxel, shift, level);
        open *= std::pow(1.0 - std::clamp((8.0 * outer - inner) / 7.0, 0.0, 1.0),
                         std::pow(static_cast<double>(pass_.growth), level - 1.0));
        inner = outer;
    }
    return std::pow(open, static_cast<double>(pass_.strength));
}

double texel_of(const HostImage& image, glm::ivec3 texel) {
    const glm::uvec3 at(texel);
    return static_cast<double>(image.texel(at.x, at.y, at.z)[0]);
}

passes::OcclusionAmbient exact_ambient(Image opacity) {
    passes::OcclusionAmbient pass{.opacity = opacity};
    pass.precision = passes::OcclusionPrecision::float32;
    pass.growth = 1.0f; // the document's product
    return pass;
}

double worst_texel(const HostImage& image, const std::function<double(glm::ivec3)>& expected) {
    EXPECT_FALSE(image.empty());
    double worst = 0.0;
    for (std::uint32_t z = 0; z < image.extent.depth; ++z)
        for (std::uint32_t y = 0; y < image.extent.height; ++y)
            for (std::uint32_t x = 0; x < image.extent.width; ++x) {
                const double difference =
                    std::abs(texel_of(image, {x, y, z}) - expected(glm::ivec3(x, y, z)));
                worst = difference <= worst ? worst : difference; // also keeps what is no number
            }
    return worst;
}

std::string occlusion_codes(const Graph& graph) {
    std::string codes;
    for (const Diagnostic& diagnostic : graph.peek().diagnostics)
        codes += diagnostic.code + " ";
    return codes;
}

} // namespace tuff::testing_gpu
