#include "passes/lights/generate.hpp"

#include "passes/common/picture.hpp"

#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>

namespace tuff::passes {

void GenerateLights::describe(PassInfo<GenerateLights>& info) {
    info.summary("Makes many small colored lights that move through a box")
        .details("Positions, ranges, hues, directions and velocities are random; the same seed "
                 "gives the same lights. \"time\" moves the lights in the box. They bounce off its "
                 "sides and stay evenly distributed.")
        .source("Jarzynski and Olano, \"Hash Functions for GPU Rendering\", JCGT 9(3), 2020")
        .complexity("O(lights)")
        .cost([](const GenerateLights& pass, const Graph&) {
            return Cost{.bytes = 48.0 * pass.count, .operations = 150.0 * pass.count};
        });
    info.parameter("count", &GenerateLights::count, "number of lights")
        .range(0, kMaxPlacedLights)
        .structural();
    info.parameter("seed", &GenerateLights::seed, "seed of the random numbers");
    info.parameter("low", &GenerateLights::low, "lower corner of the box")
        .range(-kFarthestLight, kFarthestLight)
        .unit("world units");
    info.parameter("high", &GenerateLights::high, "upper corner of the box")
        .range(-kFarthestLight, kFarthestLight)
        .unit("world units");
    info.parameter("least_range", &GenerateLights::least_range, "range of the weakest light")
        .range(0.0, kFarthestLight, RangeEnds::open_low)
        .unit("world units");
    info.parameter("greatest_range", &GenerateLights::greatest_range,
                   "range of the strongest light")
        .range(0.0, kFarthestLight, RangeEnds::open_low)
        .unit("world units");
    info.parameter("intensity", &GenerateLights::intensity, "intensity of each light")
        .range(0.0, 1e9)
        .unit("cd");
    info.parameter("saturation", &GenerateLights::saturation,
                   "saturation of the colors: 0 white, 1 pure hues")
        .range(0.0, 1.0);
    info.parameter("spots", &GenerateLights::spots, "share of the lights that are spots")
        .range(0.0, 1.0);
    info.parameter("inner_angle", &GenerateLights::inner_angle,
                   "spots: angle from the axis to where they begin to fade")
        .range(0.0, 90.0)
        .unit("degrees");
    info.parameter("outer_angle", &GenerateLights::outer_angle,
                   "spots: angle from the axis to where they are dark")
        .range(0.1, 180.0)
        .unit("degrees");
    info.parameter("speed", &GenerateLights::speed,
                   "speed of the fastest light along each axis, in sides of the box per second")
        .range(0.0, 1000.0);
    info.parameter("time", &GenerateLights::time, "time of the picture")
        .range(-kFarthestLight, kFarthestLight)
        .unit("seconds");
    info.output("lights", &GenerateLights::lights, "the lights, \"count\" of them");
}

void GenerateLights::build(Graph& graph) {
    for (int axis = 0; axis < 3; ++axis)
        if (!in_range(graph, "high", static_cast<double>(high[axis]),
                      static_cast<double>(low[axis]), static_cast<double>(kFarthestLight)))
            return;
    if (!in_range(graph, "greatest_range", static_cast<double>(greatest_range),
                  static_cast<double>(least_range), static_cast<double>(kFarthestLight)) ||
        !in_range(graph, "inner_angle", static_cast<double>(inner_angle), 0.0,
                  static_cast<double>(outer_angle)))
        return;
    // A float of the way alone would lose what counts, its fraction, after a while.
    const double way = std::fmod(static_cast<double>(speed) * static_cast<double>(time), 2e4);
    const std::uint64_t room = std::max(count, 1u);
    ComputeNodeBuilder node = graph.compute("lights/generate");
    node.match<LightShade>("shades");
    node.set("count", count);
    node.set("seed", seed);
    node.set("low", low);
    node.set("high", high);
    node.set("least_range", least_range);
    node.set("greatest_range", greatest_range);
    node.set("intensity", intensity);
    node.set("saturation", saturation);
    node.set("spots", spots);
    node.set("cos_inner", std::cos(glm::radians(inner_angle)));
    node.set("cos_outer", std::cos(glm::radians(outer_angle)));
    node.set("way", static_cast<float>(way));
    lights.spheres = node.write(
        "spheres",
        graph.buffer("spheres", {.size = room * sizeof(glm::vec4), .stride = sizeof(glm::vec4)}));
    lights.shades = node.write("shades", graph.buffer("shades", {.size = room * sizeof(LightShade),
                                                                 .stride = sizeof(LightShade)}));
    lights.count = count;
    node.dispatch_each(count);
}

TUFF_PASS(GenerateLights)

} // namespace tuff::passes
