#include "tests/gpu/volume/volume_test.hpp"

#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

namespace tuff::testing_gpu {

Light look_through(const std::vector<Stay>& stays, double far, const passes::MediaLights& lights) {
    std::set<double> ends{0.0};
    for (const Stay& stay : stays) {
        ends.insert(std::clamp(stay.enters, 0.0, far));
        ends.insert(std::clamp(stay.leaves, 0.0, far));
    }
    Light light;
    for (auto end = ends.begin(); std::next(end) != ends.end(); ++end) {
        const double from = *end;
        const double to = *std::next(end);
        const double middle = 0.5 * (from + to);
        glm::dvec3 extinction(0.0);
        glm::dvec3 emission(0.0);
        glm::dvec3 scatter(0.0);
        glm::dvec3 irradiance = lights.even;
        for (const Stay& stay : stays) {
            if (!(stay.enters < middle && middle < stay.leaves)) continue;
            if (stay.shadow_of != 0) continue;
            extinction += stay.extinction;
            emission += stay.emission;
            scatter += stay.scatter;
        }
        const std::array<glm::vec3, 8> each{lights.sun,     lights.second, lights.third,
                                            lights.fourth,  lights.fifth,  lights.sixth,
                                            lights.seventh, lights.eighth};
        for (std::uint32_t number = 0; number < each.size(); ++number) {
            const bool is_dark = std::ranges::any_of(stays, [&](const Stay& stay) {
                return stay.shadow_of == number + 1 && stay.enters < middle && middle < stay.leaves;
            });
            if (!is_dark) irradiance += glm::dvec3(each[number]);
        }
        const glm::dvec3 source = emission + scatter * irradiance;
        for (int c = 0; c < 3; ++c) {
            const double depth = extinction[c] * (to - from);
            const double mean = depth > 0.0 ? -std::expm1(-depth) / depth : 1.0;
            light.light[c] += light.through[c] * source[c] * (to - from) * mean;
            light.through[c] *= std::exp(-depth);
        }
    }
    return light;
}

glm::dvec3 TestView::ray(std::uint32_t x, std::uint32_t y) const {
    const glm::dvec3 forward =
        glm::normalize(glm::dvec3(camera.target) - glm::dvec3(camera.position));
    const glm::dvec3 right = glm::normalize(glm::cross(forward, glm::dvec3(camera.up)));
    const glm::dvec3 up = glm::cross(right, forward);
    const double half = std::tan(0.5 * glm::radians(static_cast<double>(camera.vertical_fov)));
    const double aspect = static_cast<double>(width) / height;
    const double u = (2.0 * (x + 0.5) / width - 1.0) * half * aspect;
    const double v = (1.0 - 2.0 * (y + 0.5) / height) * half;
    return glm::normalize(forward + u * right + v * up);
}

Stay stay_in(const TestSphere& sphere, glm::dvec3 eye, glm::dvec3 ray) {
    Stay stay{
        .extinction = sphere.extinction, .emission = sphere.emission, .scatter = sphere.scatter};
    const glm::dvec3 center = glm::dvec3(sphere.center) - eye;
    const double middle = glm::dot(center, ray);
    const glm::dvec3 beside = middle * ray - center;
    const double radius = static_cast<double>(sphere.radius);
    const double squared = radius * radius - glm::dot(beside, beside);
    if (!(squared > 0.0)) return stay;
    stay.enters = middle - std::sqrt(squared);
    stay.leaves = middle + std::sqrt(squared);
    return stay;
}

Stay stay_in_box(glm::dvec3 low, glm::dvec3 high, glm::dvec3 eye, glm::dvec3 ray) {
    Stay stay{.enters = -1e300, .leaves = 1e300};
    for (int axis = 0; axis < 3; ++axis) {
        const double a = (low[axis] - eye[axis]) / ray[axis];
        const double b = (high[axis] - eye[axis]) / ray[axis];
        stay.enters = std::max(stay.enters, std::min(a, b));
        stay.leaves = std::min(stay.leaves, std::max(a, b));
    }
    if (!(stay.leaves > stay.enters)) stay.enters = stay.leaves = 0.0;
    return stay;
}

passes::MediaSpheres VolumeTest::spheres(Graph& g, const std::vector<TestSphere>& spheres) {
    std::vector<glm::vec4> balls;
    std::vector<glm::vec4> optics;
    for (const TestSphere& sphere : spheres) {
        balls.emplace_back(sphere.center, sphere.radius);
        optics.emplace_back(sphere.extinction, sphere.rotation.x);
        optics.emplace_back(sphere.emission, sphere.rotation.y);
        optics.emplace_back(sphere.scatter, sphere.rotation.z);
    }
    balls.resize(std::max<std::size_t>(balls.size(), 1));
    optics.resize(std::max<std::size_t>(optics.size(), 3));
    return {.balls = g.constant_buffer("balls", {.size = balls.size() * 16, .stride = 16},
                                       bytes_of(balls)),
            .optics = g.constant_buffer("optics", {.size = optics.size() * 16, .stride = 16},
                                        bytes_of(optics)),
            .count = static_cast<std::uint32_t>(spheres.size())};
}

Image VolumeTest::opaque(Graph& g, const TestView& view,
                         const std::function<glm::vec4(std::uint32_t, std::uint32_t)>& value) {
    std::vector<glm::vec4> texels;
    for (std::uint32_t y = 0; y < view.height; ++y)
        for (std::uint32_t x = 0; x < view.width; ++x)
            texels.push_back(value(x, y));
    return g.constant_image(
        "opaque", {.format = Format::rgba32_sfloat, .extent = {view.width, view.height, 1}},
        bytes_of(texels));
}

Image VolumeTest::opaque(Graph& g, const TestView& view, glm::vec4 value) {
    return opaque(g, view, [=](std::uint32_t, std::uint32_t) { return value; });
}

passes::TriangleMesh VolumeTest::mesh(Graph& g, const std::vector<glm::vec3>& positions,
                                      const std::vector<std::uint32_t>& indices) {
    return {.positions = g.constant_buffer(
                "positions", {.size = positions.size() * 12, .stride = 4}, bytes_of(positions)),
            .indices = g.constant_buffer("indices", {.size = indices.size() * 4, .stride = 4},
                                         bytes_of(indices)),
            .vertex_count = static_cast<std::uint32_t>(positions.size()),
            .triangle_count = static_cast<std::uint32_t>(indices.size() / 3)};
}

passes::MeshMedium VolumeTest::box(Graph& g, glm::vec3 low, glm::vec3 high, std::uint32_t triangles,
                                   std::uint32_t first) {
    std::vector<glm::vec3> corners;
    for (int k = 0; k < 8; ++k)
        corners.emplace_back(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y,
                             k & 4 ? high.z : low.z);
    std::vector<std::uint32_t> indices{4, 5, 7, 4, 7, 6, 1, 0, 2, 1, 2, 3,  // +z, -z
                                       5, 1, 3, 5, 3, 7, 0, 4, 6, 0, 6, 2,  // +x, -x
                                       6, 7, 3, 6, 3, 2, 0, 1, 5, 0, 5, 4}; // +y, -y
    indices.resize(std::size_t{3} * triangles);
    indices.erase(indices.begin(), indices.begin() + std::ptrdiff_t{3} * first);
    return {.mesh = mesh(g, corners, indices)};
}

void VolumeTest::output(Graph& g, const passes::VolumeFragments& pass) {
    g.output("result", pass.result);
    g.output("transmittance", pass.transmittance);
    g.output("status", pass.status);
}

Looked VolumeTest::looked(Running& running) {
    Looked looked{.result = running.image("result"),
                  .transmittance = running.image("transmittance"),
                  .status = {}};
    const auto words = running.buffer<passes::VolumeStatus>("status");
    if (!words.empty()) looked.status = words[0];
    return looked;
}

Looked VolumeTest::look(Graph g, const passes::VolumeFragments& pass) {
    output(g, g.add(pass));
    Running running = run(std::move(g));
    if (!running) return {};
    return looked(running);
}

std::vector<Looked> VolumeTest::look_all(Graph g,
                                         const std::vector<passes::VolumeFragments>& passes) {
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const std::string number = std::to_string(i);
        const passes::VolumeFragments added = g.add(passes[i], "look" + number);
        g.output("result" + number, added.result);
        g.output("transmittance" + number, added.transmittance);
        g.output("status" + number, added.status);
    }
    std::vector<Looked> all(passes.size());
    Running running = run(std::move(g));
    if (!running) return all;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const std::string number = std::to_string(i);
        all[i].result = running.image("result" + number);
        all[i].transmittance = running.image("transmittance" + number);
        const auto words = running.buffer<passes::VolumeStatus>("status" + number);
        if (!words.empty()) all[i].status = words[0];
    }
    return all;
}

double shaken(const std::vector<TestSphere>& spheres, const passes::MediaLights& lights,
              glm::dvec3 eye, glm::dvec3 ray, double shift) {
    double sum = 0.0;
    for (const TestSphere& sphere : spheres) {
        const glm::dvec3 center = glm::dvec3(sphere.center) - eye;
        const double middle = glm::dot(center, ray);
        const double beside = glm::length(middle * ray - center);
        const double radius = static_cast<double>(sphere.radius);
        const auto chord = [&](double r) {
            return 2.0 * std::sqrt(std::max(r * r - beside * beside, 0.0));
        };
        const glm::dvec3 lit =
            glm::dvec3(sphere.scatter) *
            (glm::dvec3(lights.even) + glm::dvec3(lights.sun) + glm::dvec3(lights.second));
        const glm::dvec3 most = glm::dvec3(sphere.extinction) + glm::dvec3(sphere.emission) + lit;
        sum += (chord(radius + shift) - chord(radius - shift)) * std::max({most.r, most.g, most.b});
    }
    return sum;
}

std::vector<TestSphere> random_spheres(std::size_t count, float extent, float least, float most,
                                       std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto between = [&](float a, float b) {
        return a + (b - a) * static_cast<float>(random() >> 8) * 0x1p-24f;
    };
    const auto color = [&](float a, float b) {
        const float red = between(a, b);
        const float green = between(a, b);
        return glm::vec3(red, green, between(a, b));
    };
    std::vector<TestSphere> spheres(count);
    for (TestSphere& sphere : spheres) {
        sphere.center = color(-extent, extent);
        sphere.radius = between(least, most);
        sphere.extinction = color(0.0f, 2.0f);
        sphere.emission = color(0.0f, 0.5f);
        sphere.scatter = color(0.0f, 1.0f) * sphere.extinction;
    }
    return spheres;
}

double worst_difference(const HostImage& image,
                        const std::function<glm::dvec3(std::uint32_t, std::uint32_t)>& expected) {
    double worst = 0.0;
    for (std::uint32_t y = 0; y < image.extent.height; ++y)
        for (std::uint32_t x = 0; x < image.extent.width; ++x) {
            const glm::dvec3 wanted = expected(x, y);
            const auto texel = image.texel(x, y);
            for (int c = 0; c < 3; ++c) {
                const double got = static_cast<double>(texel[static_cast<std::size_t>(c)]);
                if (!std::isfinite(got)) return std::numeric_limits<double>::infinity();
                worst = std::max(worst, std::abs(got - wanted[c]));
            }
        }
    return worst;
}

double worst_difference(const HostImage& a, const HostImage& b) {
    return worst_difference(a, [&](std::uint32_t x, std::uint32_t y) {
        const auto texel = b.texel(x, y);
        return glm::dvec3(texel[0], texel[1], texel[2]);
    });
}

} // namespace tuff::testing_gpu
