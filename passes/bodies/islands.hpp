#pragma once

#include "passes/bodies/step.hpp"

namespace tuff::passes {

/// When bodies fall asleep, as a parameter group.
struct SleepParameters {
    float speed = 0.0f;
    float after = 0.5f;

    static void describe_fields(auto&& field) {
        field("speed", &SleepParameters::speed,
              "root of v^2 + w^2 below which a body is quiet, m/s and radians a second; 0: nobody "
              "sleeps")
            .range(0.0, 1e3)
            .structural();
        field("after", &SleepParameters::after, "so much quiet of all that touch each other")
            .range(0.0, 1e3)
            .unit("seconds");
    }
};

/// Lets bodies that have been quiet sleep. See `describe`.
struct SleepIslands {
    static constexpr std::string_view kName = "bodies/islands";

    Bodies source;
    BodyContacts contacts;
    Buffer counts; ///< a status to go on with; optional
    SleepParameters sleep{.speed = 0.05f};
    float dt = 1.0f / 60.0f;
    Bodies bodies;
    Buffer roots;
    Buffer status;

    static void describe(PassInfo<SleepIslands>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
