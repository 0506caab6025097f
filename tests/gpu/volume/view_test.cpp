#include "tests/gpu/volume/view_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <random>

namespace tuff::testing_gpu {

TestVolume TestVolume::of(glm::ivec3 dims, const std::function<double(glm::ivec3)>& number) {
    TestVolume volume{.dims = dims, .numbers = {}};
    for (int z = 0; z < dims.z; ++z)
        for (int y = 0; y < dims.y; ++y)
            for (int x = 0; x < dims.x; ++x)
                volume.numbers.push_back(static_cast<float>(number({x, y, z})));
    return volume;
}

TestVolume TestVolume::noise(glm::ivec3 dims, std::uint32_t seed) {
    std::mt19937 random(seed);
    return of(dims, [&](glm::ivec3) { return static_cast<double>(random() >> 8) * 0x1p-24; });
}

double TestVolume::at(glm::ivec3 texel) const {
    const glm::ivec3 inside = glm::clamp(texel, glm::ivec3(0), dims - 1);
    return static_cast<double>(
        numbers[static_cast<std::size_t>((inside.z * dims.y + inside.y) * dims.x + inside.x)]);
}

double TestVolume::between(glm::dvec3 place) const {
    const glm::dvec3 inside = glm::clamp(place, glm::dvec3(0.0), glm::dvec3(dims - 1));
    const glm::ivec3 low(inside);
    const glm::dvec3 share = inside - glm::dvec3(low);
    double sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        const glm::ivec3 side(i & 1, i >> 1 & 1, i >> 2);
        double weight = 1.0;
        for (int axis = 0; axis < 3; ++axis)
            weight *= side[axis] ? share[axis] : 1.0 - share[axis];
        if (weight > 0.0) sum += weight * at(low + side);
    }
    return sum;
}

Image TestVolume::image(Graph& graph, std::string_view name) const {
    const glm::uvec3 size(dims);
    return graph.constant_image(
        name,
        {.format = Format::r32_sfloat, .extent = {size.x, size.y, size.z}, .shape = ImageShape::d3},
        bytes_of(numbers));
}

TestVolume filtered(const TestVolume& volume, const std::vector<float>& weights) {
    const int reach = static_cast<int>(std::lround(std::cbrt(weights.size()))) / 2;
    TestVolume result = TestVolume::of(volume.dims, [&](glm::ivec3 texel) {
        double sum = 0.0;
        std::size_t i = 0;
        for (int z = -reach; z <= reach; ++z)
            for (int y = -reach; y <= reach; ++y)
                for (int x = -reach; x <= reach; ++x)
                    sum +=
                        static_cast<double>(weights[i++]) * volume.at(texel + glm::ivec3(x, y, z));
        return sum;
    });
    result.spacing = volume.spacing;
    return result;
}

passes::CameraParameters test_camera() {
    return {.mode = passes::CameraMode::free,
            .position = {1.3f, 0.9f, 2.6f},
            .target = {0.05f, -0.02f, 0.03f},
            .vertical_fov = 40.0f,
            .near_plane = 0.5f,
            .far_plane = 8.0f};
}

TestRay test_ray(const TestVolume& volume, const passes::ViewParameters& seen, std::uint32_t x,
                 std::uint32_t y) {
    const glm::dvec3 eye(seen.camera.position);
    const glm::dvec3 target(seen.camera.target);
    const glm::dvec3 forward = glm::normalize(target - eye);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, glm::dvec3(seen.camera.up)));
    const glm::dvec3 down = -glm::cross(right, forward);
    const double half = std::tan(0.5 * glm::radians(static_cast<double>(seen.camera.vertical_fov)));
    const double aspect = static_cast<double>(seen.width) / seen.height;
    const glm::dvec3 beside = half * (aspect * ((x + 0.5) / seen.width * 2.0 - 1.0) * right +
                                      ((y + 0.5) / seen.height * 2.0 - 1.0) * down);
    const bool parallel = seen.rays == passes::VolumeRays::orthographic;
    const glm::dvec3 origin = parallel ? eye + glm::distance(eye, target) * beside : eye;
    TestRay ray;
    ray.world = parallel ? forward : glm::normalize(forward + beside);
    // To texels: the box is about the origin, its longest side 2.
    const glm::dvec3 edges = volume.edges();
    const double scale = 2.0 / std::max({edges.x, edges.y, edges.z});
    ray.origin = (origin / scale + 0.5 * edges) / volume.spacing - 0.5;
    ray.direction = ray.world / scale / volume.spacing;
    ray.begin = parallel ? -1e30 : 0.0;
    ray.end = 1e30;
    const glm::dvec3 dims(volume.dims);
    for (int axis = 0; axis < 3; ++axis) {
        const double low = dims[axis] * static_cast<double>(seen.clip_low[axis]) - 0.5;
        const double high = dims[axis] * static_cast<double>(seen.clip_high[axis]) - 0.5;
        const double a = (low - ray.origin[axis]) / ray.direction[axis];
        const double b = (high - ray.origin[axis]) / ray.direction[axis];
        ray.begin = std::max(ray.begin, std::min(a, b));
        ray.end = std::min(ray.end, std::max(a, b));
    }
    return ray;
}

double test_stride(const TestVolume& volume, double step) {
    const glm::dvec3 edges = volume.edges();
    return step * std::min({volume.spacing.x, volume.spacing.y, volume.spacing.z}) * 2.0 /
           std::max({edges.x, edges.y, edges.z});
}

glm::dvec4 test_transfer(const std::vector<float>& transfer, double number) {
    const auto point = [&](std::size_t i) {
        const float* p = &transfer[5 * i];
        return glm::dvec4(p[1], p[2], p[3], p[4]);
    };
    const std::size_t count = transfer.size() / 5;
    std::size_t after = 0;
    while (after < count && static_cast<double>(transfer[5 * after]) <= number)
        ++after;
    if (after == 0) return point(0);
    if (after == count) return point(count - 1);
    const auto low = static_cast<double>(transfer[5 * (after - 1)]);
    const auto high = static_cast<double>(transfer[5 * after]);
    return glm::mix(point(after - 1), point(after), (number - low) / (high - low));
}

namespace {

glm::dvec3 lit(const TestVolume& volume, const passes::VolumeCast& pass, const TestRay& ray,
               glm::dvec3 place, glm::dvec3 color) {
    glm::dvec3 change(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        glm::dvec3 ahead(0.0);
        ahead[axis] = 1.0;
        change[axis] = 0.5 * (volume.between(place + ahead) - volume.between(place - ahead));
    }
    const passes::CastLight& light = pass.light;
    const auto ambient = static_cast<double>(light.ambient);
    const auto diffuse = static_cast<double>(light.diffuse);
    const glm::dvec3 all(light.color);
    const glm::dvec3 even = color * all * (ambient + diffuse);
    if (glm::length(change) == 0.0) return even;
    const glm::dvec3 normal = glm::normalize(change / volume.spacing);
    const glm::dvec3 towards = glm::normalize(glm::dvec3(light.towards));
    const glm::dvec3 half_way = glm::normalize(towards - ray.world);
    const double shines =
        static_cast<double>(light.specular) *
        std::pow(std::abs(glm::dot(normal, half_way)), static_cast<double>(light.shininess));
    const glm::dvec3 surface =
        all * (color * (ambient + diffuse * std::abs(glm::dot(normal, towards))) + shines);
    const auto least = static_cast<double>(light.least_change);
    if (!(least > 0.0)) return surface;
    return glm::mix(even, surface, std::clamp(2.0 * glm::length(change) / least - 1.0, 0.0, 1.0));
}

} // namespace

glm::dvec4 test_cast(const TestVolume& volume, const passes::VolumeCast& pass, const TestRay& ray) {
    if (!(ray.begin < ray.end)) return glm::dvec4(glm::dvec3(pass.background), 0.0);
    const double stride = test_stride(volume, static_cast<double>(pass.step));
    glm::dvec3 light(0.0);
    double through = 1.0;
    const double way = ray.end - ray.begin;
    for (double from = 0.0; from < way; from += stride) {
        const double length = std::min(stride, way - from);
        const glm::dvec3 place = ray.at(ray.begin + from + 0.5 * length);
        const glm::dvec4 point = test_transfer(pass.transfer, volume.between(place));
        const double lengths =
            static_cast<double>(pass.step) / static_cast<double>(pass.unit) * length / stride;
        const double left = std::pow(1.0 - point.a, lengths);
        const glm::dvec3 color(point);
        light +=
            through * (1.0 - left) * (pass.shaded ? lit(volume, pass, ray, place, color) : color);
        through *= left;
    }
    return {light + through * glm::dvec3(pass.background), 1.0 - through};
}

const HostImage& Pictures::image(const std::string& output) {
    const auto found = images_.find(output);
    if (found != images_.end()) return found->second;
    return images_.emplace(output, running_.image(output)).first->second;
}

Pictures VolumeViewTest::seen(const TestVolume& volume, const Add& add) {
    Graph g = graph();
    add(g, volume.image(g));
    return Pictures(run(std::move(g)));
}

passes::VolumeCast CastTest::cast(Image source, const TestVolume& volume) {
    return {.source = source,
            .spacing = volume.spacing,
            .opaque = 0.0f,
            .width = kCastWidth,
            .height = kCastHeight,
            .camera = test_camera(),
            .background = {0.1f, 0.2f, 0.3f, 0.0f}};
}

glm::dvec4 pixel(const HostImage& image, std::uint32_t x, std::uint32_t y) {
    const std::array<float, 4> texel = image.texel(x, y);
    return {texel[0], texel[1], texel[2], texel[3]};
}

double greatest(glm::dvec4 v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z), std::abs(v.w)});
}

std::string codes_of(const Graph& graph) {
    std::string codes;
    for (const Diagnostic& diagnostic : graph.peek().diagnostics)
        codes += diagnostic.code + " ";
    return codes;
}

} // namespace tuff::testing_gpu
