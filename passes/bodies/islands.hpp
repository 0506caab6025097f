#pragma once

#include "passes/bodies/step.hpp"

namespace tuff::passes {

/// When bodies fall asleep, as a parameter group.
struct SleepParameters {
    float speed = 0.0f;
    float after = 0.5f;

    static void describe_fields(auto&& field) {
        field("speed", &SleepParameters::speed,
              "sqrt(v^2 + w^2) below which a body rests, in m/s and radians per second; 0: "
              "nothing sleeps")
            .range(0.0, 1e3)
            .structural();
        field("after", &SleepParameters::after, "time that all bodies of an island must rest")
            .range(0.0, 1e3)
            .unit("seconds");
    }
};

/// Puts resting bodies to sleep. See `describe`.
struct SleepIslands {
    static constexpr std::string_view kName = "bodies/islands";

    Bodies source;
    BodyContacts contacts;
    Buffer counts; ///< optional: a status to continue
    SleepParameters sleep{.speed = 0.05f};
    float dt = 1.0f / 60.0f;
    Bodies bodies;
    Buffer roots;
    Buffer status;

    static void describe(PassInfo<SleepIslands>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
